"""The pytest plugin that grades: the hooks by which pytest tells of each test.

`pytest tests/stage1_autodiff` is enough; `course test` runs the same with a wall limit around it.
"""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path

import pytest

from course import ROOT
from course.grader import outcomes, rendering
from course.grader.called import called_by
from course.grader.comparison_error import ComparisonError
from course.grader.grading import Grading
from course.grader.outcomes import Outcome
from course.grader.printed import last_lines
from course.manifest import Exercise, exercises, stages
from course.workspace.folder import around
from course.workspace.imports import finder_in, put_first

GRADING = pytest.StashKey[Grading]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("glassbox")
    group.addoption("--exercises", default="", help="grade only these: 1.2,1.4")
    group.addoption("--grade-log", default="", help="write every outcome to this file as JSON")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "exercise(id): the exercise that this test grades")
    under_test = [s.package for s in stages() if _asks_for(config.args, s.package)]
    if under_test:
        config.stash[GRADING] = Grading(config, under_test, _workspace_folder(config.args))
    elif folder := _workspace_folder(config.args):  # tests that a learner has written
        put_first(finder_in(folder, "pytest"))


def pytest_report_header(config: pytest.Config) -> list[str]:
    grading = config.stash.get(GRADING, None)
    if grading is None:
        return []
    last = grading.under_test[-1]
    return [f"grading {code}" for p, code in grading.codes.items() if p <= last]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    grading = config.stash.get(GRADING, None)
    if grading is None:
        return
    keep, drop = [], []
    for item in items:
        exercise = exercise_of(item)
        asked = exercise is not None and (not grading.wanted or exercise.id in grading.wanted)
        also = exercise is None and not grading.wanted and grading.on_reference
        (keep if asked or also else drop).append(item)
    items[:] = keep
    if drop:
        config.hook.pytest_deselected(items=drop)
    asked_for = [e.id for item in items if (e := exercise_of(item))]
    grading.say(event="collected", tests={e: grading.tests[e] for e in set(asked_for)})
    if len(asked_for) < len(items):
        grading.quiet = False  # other tests are in this run: pytest's own report is needed
    if grading.quiet:
        if config.option.tbstyle == "auto":
            config.option.tbstyle = "no"
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.reportchars = ""


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    grading = collector.config.stash.get(GRADING, None)
    error = None
    try:
        report = yield
        if report.call is not None and report.call.excinfo is not None:
            error = report.call.excinfo.value
    except (SystemExit, KeyboardInterrupt) as ended:
        if grading is None or not grading.log:
            raise
        error = ended  # by the code under test: the child of `course test` has no terminal
        report = pytest.CollectReport(collector.nodeid, "failed", repr(ended), [])
    if grading is not None and isinstance(collector, pytest.Module):
        found = [exercise_of(item) for item in report.result if isinstance(item, pytest.Item)]
        grading.tests.update(exercise.id for exercise in found if exercise)
    if grading is not None and error is not None and isinstance(collector, pytest.Module):
        text, where = outcomes.of_exception(_root_of(error), collector.path.parent.name)
        found = Outcome("", outcomes.ERROR, text=text, where=where)
        found = found.cleaned()
        grading.unreadable.append(found)
        grading.say(event="unreadable", **asdict(found))
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    grading = item.config.stash.get(GRADING, None)
    exercise = exercise_of(item)
    if grading is not None and exercise is not None:
        grading.interpreter.restore()
        grading.say(
            event="start",
            exercise=exercise.id,
            test=outcomes.in_words(item.name),
            where=grading.place(exercise),
        )


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function):
    """Keep what the test prints; if it fails, see which functions of its exercise it called."""
    grading = pyfuncitem.config.stash.get(GRADING, None)
    exercise = exercise_of(pyfuncitem)
    if grading is None or exercise is None:
        return (yield)
    with grading.keep_printed():
        try:
            return (yield)
        except ComparisonError as error:
            with redirect_stdout(io.StringIO()):
                grading.called = called_by(pyfuncitem, error, grading.functions(exercise))
            raise


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    result = yield
    grading = item.config.stash.get(GRADING, None)
    exercise = exercise_of(item)
    if grading is None or exercise is None:
        return
    report = result.get_result()
    if report.skipped:
        found = Outcome(exercise.id, outcomes.ERROR, test=outcomes.in_words(item.name))
        found.text = (
            "Your code skipped this test (pytest.skip or xfail): a skipped test earns nothing."
        )
        grading.keep(found)
    elif report.failed or call.when == "call":
        found = outcomes.of_call(exercise, item, call)
        if report.failed:
            found.printed = last_lines(
                grading.printed.text() if grading.printed else report.capstdout
            )
            found.traceback = report.longreprtext if item.config.option.tbstyle == "long" else ""
        if found.state == outcomes.WRONG:
            places = [grading.place(exercise, name) for name in grading.called]
            found.where = "\n".join(places)
        grading.keep(found)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    grading = session.config.stash.get(GRADING, None)
    if grading is not None:
        grading.say(event="end", exit=int(exitstatus))


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    grading = config.stash.get(GRADING, None)
    if grading is None or grading.log or not grading.quiet:
        return
    if config.get_verbosity() < 0:  # then the header, which says it too, is not shown
        for package in grading.under_test:
            terminalreporter.write_line(f"grading {grading.codes[package]}")
    wanted = {o.exercise for o in grading.outcomes}
    for stage in stages():
        if stage.package not in grading.under_test:
            continue
        asked = [e for e in stage.exercises if e.id in wanted or grading.unreadable]
        results = outcomes.summarise(asked, grading.outcomes, grading.unreadable, grading.tests)
        text = rendering.to_text(rendering.results, stage, results)
        terminalreporter.write_line("")
        terminalreporter.write_line(text)


def exercise_of(item: pytest.Item) -> Exercise | None:
    """The exercise that a test grades, if it says so."""
    marker = item.get_closest_marker("exercise")
    if marker is None:
        return None
    (name,) = marker.args
    known = exercises()
    if name not in known:
        raise pytest.UsageError(f"{item.nodeid}: exercise {name!r} is in no exercises.toml")
    return known[name]


def _asks_for(args: list[str], package: str) -> bool:
    """True if graded tests of the stage are among these, the course's or a workspace's copies."""
    for path in _paths(args):
        workspace = around(path)
        tests = (workspace.root if workspace else ROOT) / "tests" / package
        if path == tests or path in tests.parents or tests in path.parents:
            return True
    return False


def _workspace_folder(args: list[str]) -> Path | None:
    """A folder in the workspace whose copies of the graded tests are to run."""
    return next((path for path in _paths(args) if around(path)), None)


def _paths(args: list[str]) -> list[Path]:
    return [Path(arg.split("::")[0]).resolve() for arg in args]


def _root_of(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error
