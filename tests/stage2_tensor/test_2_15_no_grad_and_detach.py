"""Exercise 2.15: computing without leaving a trace."""

import numpy as np

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor, no_grad

pytestmark = exercise("2.15")


def leaf(data):
    """A float64 Tensor that wants a gradient."""
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def test_inside_nothing_is_recorded():
    x = leaf([1.0, 2.0])
    with no_grad():
        y = x * 2
    why = "set GradMode.enabled to False on the way in"
    grade.true(not y.requires_grad, "y does not require a gradient", why)
    grade.close(y, [2.0, 4.0], "y")


def test_afterwards_everything_is_as_before():
    x = leaf([1.0])
    with no_grad():
        pass
    y = x * 2
    grade.true(y.requires_grad, "y requires a gradient", "put the switch back on the way out")


def test_after_an_exception_too():
    x = leaf([1.0])
    try:
        with no_grad():
            raise KeyError("something went wrong")
    except KeyError:
        pass
    y = x * 2
    grade.true(y.requires_grad, "y requires a gradient", "the way out is a finally")


def test_an_exception_is_not_swallowed():
    def fail():
        with no_grad():
            raise KeyError("something went wrong")

    grade.raises(fail, "an exception inside of no_grad", "let it through")


def test_nested():
    x = leaf([1.0])
    with no_grad():
        with no_grad():
            pass
        y = x * 2
    why = "the inner one must put back what it found, which was False"
    grade.true(not y.requires_grad, "still inside the outer one", why)


def test_as_a_decorator():
    @no_grad()
    def double(x):
        return x * 2

    x = leaf([1.0])
    first, second = double(x), double(x)
    grade.true(
        not first.requires_grad and not second.requires_grad,
        "nothing is recorded in a decorated function, called twice",
        "use contextmanager",
    )
    grade.true((x * 2).requires_grad, "outside of it everything is", "put the switch back")


def test_detach_cuts_the_graph():
    x = leaf([3.0])
    d = x.detach()
    y = x * d
    grade.close(d, [3.0], "x.detach()")
    grade.true(
        not d.requires_grad, "x.detach() requires no gradient", "make a new Tensor of the data"
    )
    grade.true(x.requires_grad, "x still requires a gradient", "detach must not change self")
    wrong = {(6.0,): "the detached factor is a constant: it passes nothing on to x"}
    grade.close(grade.vjp(y, x, np.ones(1)), [3.0], "dL/dx of x * x.detach()", wrong)


def test_detach_leaves_the_original_alone():
    x = leaf([3.0])
    x.detach()
    grade.true(x.requires_grad, "x still requires a gradient", "do not change self")
