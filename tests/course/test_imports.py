"""Which code runs: the learner's where it is graded, never a silent mixture."""

import sys
from types import SimpleNamespace

import pytest

from course import ROOT
from course.workspace import state
from course.workspace.imports import Code, StageFinder, choose, install

STAGE1 = "stage1_autodiff"


def whose(mine, under_test=()):
    return choose(under_test, mine)[STAGE1].whose


@pytest.fixture
def finished(mine, stage):
    """A workspace whose every required exercise passed when it was last graded."""
    with state.change(mine.state_path) as known:
        known.results = {e.id: {"state": "passed"} for e in stage.exercises if not e.bonus}
    return mine


def use(workspace, owner):
    with state.change(workspace.state_path) as known:
        known.use[STAGE1] = owner


def test_a_stage_under_test_is_the_learner_s(mine):
    assert whose(mine, [STAGE1]) == "yours"


def test_a_stage_under_test_is_the_learner_s_even_if_use_says_otherwise(mine):
    use(mine, "reference")
    assert whose(mine, [STAGE1]) == "yours"


def test_an_unfinished_earlier_stage_is_the_reference(mine):
    assert whose(mine) == "the reference"


def test_a_finished_earlier_stage_is_the_learner_s(finished):
    assert whose(finished) == "yours"


def test_use_mine_builds_on_unfinished_code(mine):
    use(mine, "mine")
    assert whose(mine) == "yours"


def test_use_reference_leaves_finished_code_aside(finished):
    use(finished, "reference")
    assert whose(finished) == "the reference"


def test_without_a_workspace_everything_is_the_reference():
    assert whose(None, [STAGE1]) == "the reference"


def test_the_environment_can_ask_for_the_reference(mine, monkeypatch):
    monkeypatch.setenv("GLASSBOX_CODE", "reference")
    assert whose(mine, [STAGE1]) == "the reference"


def test_the_environment_can_name_a_folder(mine, monkeypatch):
    monkeypatch.setenv("GLASSBOX_CODE", str(mine.root))
    assert choose([STAGE1], None)[STAGE1].folder == mine.root


def test_a_named_folder_without_a_stage_under_test_is_not_replaced(tmp_path, monkeypatch):
    monkeypatch.setenv("GLASSBOX_CODE", str(tmp_path))
    assert choose([STAGE1], None)[STAGE1].folder == tmp_path


def test_the_choice_can_be_read(mine):
    path = mine.root / STAGE1
    assert str(choose([STAGE1], mine)[STAGE1]) == f"{STAGE1}: yours ({path})"


def test_the_finder_finds_the_package_in_its_folder(mine):
    spec = StageFinder({STAGE1: Code(STAGE1, mine.root, "yours")}).find_spec(STAGE1)
    assert spec is not None
    assert spec.origin == str(mine.root / STAGE1 / "__init__.py")


def test_the_finder_leaves_other_modules_alone(mine):
    assert StageFinder({STAGE1: Code(STAGE1, mine.root, "yours")}).find_spec("json") is None


def test_a_missing_package_is_an_error_and_no_other_is_taken(tmp_path):
    one = StageFinder({STAGE1: Code(STAGE1, tmp_path, "yours")})
    with pytest.raises(ModuleNotFoundError, match="`course start` puts back what is missing"):
        one.find_spec(STAGE1)


@pytest.fixture
def own_imports(monkeypatch):
    """Imports that can be changed without harm to this process."""
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(sys, "modules", {**sys.modules})
    return sys.modules


def test_a_second_choice_replaces_the_first(own_imports, mine):
    for folder in (ROOT, mine.root):
        own_imports.pop(STAGE1, None)
        install({STAGE1: Code(STAGE1, folder, "")})
    (only,) = [f for f in sys.meta_path if isinstance(f, StageFinder)]
    assert only.codes[STAGE1].folder == mine.root


def test_a_stage_that_was_imported_from_elsewhere_asks_for_a_new_python(own_imports, mine):
    own_imports[STAGE1] = SimpleNamespace(__file__=str(ROOT / STAGE1 / "__init__.py"))
    with pytest.raises(RuntimeError, match="start a new Python"):
        install({STAGE1: Code(STAGE1, mine.root, "yours")})


def test_a_stage_that_was_imported_from_there_is_fine(own_imports, mine):
    own_imports[STAGE1] = SimpleNamespace(__file__=str(mine.root / STAGE1 / "__init__.py"))
    install({STAGE1: Code(STAGE1, mine.root, "yours")})
    assert isinstance(sys.meta_path[0], StageFinder)
