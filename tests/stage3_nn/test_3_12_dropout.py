"""Exercise 3.12: Dropout."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage3_nn import Dropout

pytestmark = exercise("3.12")

N = 10_000


def drop(p, seed=0):
    return Dropout(p, rng=np.random.default_rng(seed))


def ones():
    return Tensor(np.ones(N), requires_grad=True)


@pytest.mark.parametrize("p", [0.2, 0.5, 0.8])
def test_how_many_are_dropped(p):
    share = float((drop(p)(ones()).data == 0).mean())
    exchanged = abs(share - (1 - p)) < 0.03
    wrong = {share: "p is the probability to drop, not to keep"} if exchanged else {}
    if share in (0, 1):
        wrong = {
            share: "in training, a draw for each number: is self.training asked the right way?"
        }
    grade.close(share, p, f"the share of zeros with p={p}", wrong, rtol=0, atol=0.025)


@pytest.mark.parametrize("p", [0.2, 0.5])
def test_survivors_make_up_for_the_others(p):
    y = drop(p)(ones()).data
    survivors = y[y != 0]
    grade.close(
        survivors.max(),
        1 / (1 - p),
        f"a survivor of ones with p={p}",
        {
            1.0: "divide the survivors by 1 - p, so that the mean stays",
            1 / p: "divide by the probability to survive, which is 1 - p",
        },
    )
    grade.close(survivors.min(), survivors.max(), "all survivors of ones are equal")


def test_evaluation_leaves_everything():
    dropout = drop(0.5)
    dropout.eval()
    y = dropout(Tensor(np.ones(8)))
    scaled = {tuple(y.data.tolist()): "in evaluation nothing is dropped and nothing scaled"}
    scaled |= {(0.5,) * 8: "survivors are scaled in training: nothing is scaled in evaluation"}
    grade.close(y, np.ones(8), "Dropout(0.5) in evaluation", scaled)


def test_training_again_after_an_evaluation():
    dropout = drop(0.5)
    dropout.eval()
    dropout(ones())
    dropout.train()
    share = float((dropout(ones()).data == 0).mean())
    grade.close(
        share,
        0.5,
        "the share of zeros after eval() and train()",
        {0.0: "evaluation must not change p"},
        rtol=0,
        atol=0.025,
    )


def test_the_two_ends():
    grade.close(drop(0.0)(ones()), np.ones(N), "Dropout(0)")
    x = ones()
    y = drop(1.0)(x)
    grade.close(y, np.zeros(N), "Dropout(1)")
    y.backward(np.ones(N))
    grade.close(x.grad, np.zeros(N), "the gradient of Dropout(1)")


def test_the_gradient_takes_the_same_way():
    x = ones()
    y = drop(0.5)(x)
    y.backward(np.ones(N))
    grade.true((x.data == 1).all(), "x is as it was", "forward wrote into x: multiply by a mask")
    grade.close(x.grad, y.data, "the gradient: 2 where a number survived, 0 where it was dropped")


def test_a_new_choice_every_time_from_a_generator_of_its_own():
    dropout = drop(0.5)
    first, second = dropout(ones()).data, dropout(ones()).data
    why = "draw from self.rng at every call"
    grade.true((first != second).any(), "two calls drop different numbers", why)
    grade.close(drop(0.5)(ones()), drop(0.5)(ones()).data, "two layers with equal generators")


def test_every_number_by_itself():
    y = drop(0.5)(Tensor(np.ones((100, 100)))).data
    alike = [(y == y[0]).all(), (y[:, 0] == y.T).all()]
    why = "draw a number for each number of x: rng.random(x.shape)"
    grade.true(not any(alike), "rows and columns of a matrix lose different numbers", why)


def test_without_a_generator():
    free = [Dropout(0.5)(ones()).data for _ in range(2)]
    grade.true((free[0] != free[1]).any(), "without rng, two layers differ", "do not fix a seed")


@pytest.mark.parametrize("p", [-0.1, 1.5])
def test_what_is_no_probability_is_refused(p):
    grade.raises(lambda: Dropout(p), f"Dropout({p})", "p lies between 0 and 1")


def test_float32_stays_float32():
    y = drop(0.5)(Tensor(np.ones(10, np.float32)))
    grade.true(y.dtype == np.float32, f"Dropout is float32; it is {y.dtype}", "keep the dtype")


def test_the_argument_has_pytorch_s_name():
    grade.close(Dropout(p=0.25).p, 0.25, "p of Dropout(p=0.25)")
