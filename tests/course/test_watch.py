"""`course watch` grades again at every save, until Ctrl-C."""

import os
import signal

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to one process")

RIGHT = "return (f(x + h) - f(x - h)) / (2 * h)"


@pytest.fixture
def watch(mine, terminal):
    """A `course watch` that has graded once and waits for a save."""

    def start(*options):
        one = terminal("watch", *options)
        one.wait_until(lambda: waits(one) == 1, seconds=15)
        return one

    return start


def waits(one):
    return one.text.count("Watching for the next save; Ctrl-C stops.")


def stop(one):
    os.kill(one.process.pid, signal.SIGINT)
    return one.end()


@pytest.mark.parametrize("options", [(), ("--poll",)], ids=["told by the system", "polling"])
def test_a_save_is_graded_and_ctrl_c_ends(mine, watch, fill, options):
    one = watch(*options)
    assert "1.1  Central difference  0/5  not started" in one.text
    fill(mine, "gradcheck.central_difference", RIGHT)
    one.wait_until(lambda: waits(one) == 2, seconds=15)
    assert "1.1  Central difference  5/5  passed" in one.text
    assert stop(one) == 0
    assert one.text.endswith("Stopped watching.\n")


def test_a_save_during_the_first_grading_is_not_missed(mine, terminal, fill):
    one = terminal("watch")
    one.wait_until(lambda: "1.1 Central difference" in one.text)  # the headline, then it grades
    fill(mine, "gradcheck.central_difference", RIGHT)
    one.wait_until(lambda: waits(one) == 2, seconds=15)


def test_after_a_pass_the_next_exercise_is_watched(mine, watch, fill):
    one = watch()
    fill(mine, "gradcheck.central_difference", RIGHT)
    one.wait_until(lambda: waits(one) == 2, seconds=15)
    fill(mine, "derivatives.d_add", "return 1.0, 1.0")
    one.wait_until(lambda: waits(one) == 3, seconds=15)
    assert "1.2  Local derivatives" in one.text


def test_a_named_exercise_stays_watched(mine, watch, fill):
    one = watch("1.1")
    for count, body in [(2, RIGHT), (3, "return 0.0")]:
        fill(mine, "gradcheck.central_difference", body)
        one.wait_until(lambda count=count: waits(one) == count, seconds=15)
    assert "1.2  Local derivatives" not in one.text
    assert "1.1  Central difference  0/5  wrong" in one.text


def test_ctrl_c_while_grading_shows_no_traceback(mine, terminal):
    one = terminal("watch")
    one.wait_until(lambda: "1.1 Central difference" in one.text)  # the headline, then it grades
    assert stop(one) in (0, 130)
    assert "Traceback" not in one.text


def test_a_missing_package_is_told(mine, course):
    (mine.root / "stage1_autodiff").rename(mine.root.parent / "away")
    result = course("watch")
    assert result.exit_code == 2
    assert "course start" in result.stderr
