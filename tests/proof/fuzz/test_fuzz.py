"""Random calls of everything public: right values, the house's errors, inputs as they were.

`python -m tests.proof.fuzz --calls 100000 --seed 1` does the same at any length.
"""

import pytest

from tests.proof.fuzz import calls, values
from tests.proof.fuzz.__main__ import run


@pytest.mark.parametrize("seed", range(3))
def test_a_thousand_calls(seed):
    assert [fault for _, fault in run(1000, seed)] == []


def test_there_is_something_to_call():
    names = calls.targets()
    assert len(names) > 150
    assert {name.split(".")[0] for name in names} >= {"Tensor", "Value", "stage5_transformer"}
    assert len(values.CASES) > 30


def test_what_is_not_called_is_there():
    public = {name for stage in calls.STAGES for name in stage.__all__}
    assert calls.NOT_CALLED.keys() - public == set()


def test_a_wrong_value_would_be_noticed(monkeypatch):
    monkeypatch.setitem(values.CASES, "exp", values.unary("exp", lambda x: x))
    assert any(name == "exp" for name, _ in run(3000, 0))
