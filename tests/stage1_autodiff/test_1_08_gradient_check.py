"""Exercise 1.8: backward and the ruler side by side."""

from course import grade
from course.grade import exercise
from stage1_autodiff import Value, gradcheck

pytestmark = exercise("1.8")


def test_the_rows_hold_both_slopes_of_every_input():
    def f(a, b, c):
        return a * b + c * c * c

    report = gradcheck(f, 2.0, -5.0, 3.0)
    analytic = [row.analytic for row in report.rows]
    numeric = [row.numeric for row in report.rows]
    wrong = {(0.0, 0.0, 0.0): "nobody walked backward: call backward() on what f returns"}
    wrong[-5.0,] = "one row for each input: only the first has one"
    grade.close(analytic, [-5.0, 2.0, 27.0], "the analytic column", wrong)
    late = "a function made in a loop sees the last i: bind it with a default, def along(xi, i=i)"
    flipped = "backward and the ruler are in each other's column, or the sign is lost"
    wrong = {(27.0, 27.0, 27.0): late, (12.0, 75.0, 27.0): late, (5.0, -2.0, -27.0): flipped}
    grade.close(numeric, [-5.0, 2.0, 27.0], "the numeric column", wrong, rtol=1e-5)
    grade.true(report.ok, "report.ok", "both columns agree, so the check must pass")


def test_one_input():
    report = gradcheck(lambda x: x * x, 3.0)
    grade.close(report.rows[0].analytic, 6.0, "analytic")
    grade.close(report.rows[0].numeric, 6.0, "numeric", rtol=1e-5)


def test_a_detached_factor_is_found():
    def half_detached(x):
        return x * Value(x.data)  # the second factor is a new leaf: its share is lost

    report = gradcheck(half_detached, 3.0)
    why = "the numeric column must not come from backward: measure f with central_difference"
    exchanged = {6.0: "the two columns are exchanged: it is Row(analytic, numeric)"}
    grade.close(report.rows[0].analytic, 3.0, "analytic", exchanged)
    grade.close(report.rows[0].numeric, 6.0, "numeric", {3.0: why}, rtol=1e-5)
    grade.true(not report.ok, "not report.ok", "the columns differ by a factor of 2")


def test_an_input_that_is_not_used_has_slope_0():
    report = gradcheck(lambda a, b: a * 2, 1.0, 5.0)
    grade.close([row.analytic for row in report.rows], [2.0, 0.0], "the analytic column")
    grade.close([row.numeric for row in report.rows], [2.0, 0.0], "the numeric column", rtol=1e-5)


def test_the_tolerance_is_handed_on():
    def almost(x):
        return x * 1.001 + Value(x.data) * -0.001 if x.data == 2.0 else x

    report = gradcheck(almost, 2.0, tolerance=0.01)
    grade.true(report.ok, "report.ok with tolerance=0.01", "a relative error of 0.001 is within")
    report = gradcheck(almost, 2.0, tolerance=1e-4)
    grade.true(not report.ok, "not report.ok with tolerance=1e-4", "0.001 is not within")


def test_numbers_of_ten_inputs():
    def f(*xs):
        return sum(x * x for x in xs) * 0.1

    report = gradcheck(f, *[float(i) for i in range(10)])
    grade.close(len(report.rows), 10, "the number of rows")
    grade.close(report.rows[7].numeric, 1.4, "the numeric slope of input 7", rtol=1e-5)
    grade.true(report.ok, "report.ok", "both columns agree")
