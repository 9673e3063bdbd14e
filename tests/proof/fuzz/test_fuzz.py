"""Random calls of everything public: right values, the house's errors, inputs as they were.

`python -m tests.proof.fuzz --calls 100000 --seed 1` does the same at any length.
"""

import re

import pytest

from tests.proof.fuzz import calls, drawing, values
from tests.proof.fuzz.__main__ import run


@pytest.mark.parametrize("seed", range(3))
def test_a_thousand_calls(seed):
    assert [fault for _, fault in run(1000, seed)] == []


def test_there_is_something_to_call():
    names = calls.TARGETS
    assert len(names) > 150
    assert {name.split(".")[0] for name in names} >= {"Tensor", "Value", "stage5_transformer"}
    assert len(values.CASES) > 150


def test_what_is_not_called_is_there():
    public = {name for stage in calls.MODULES for name in calls.public(stage)}
    assert calls.NOT_CALLED.keys() - public == set()


def test_every_value_is_judged_or_there_is_a_reason_why_not():
    left = calls.TARGETS.keys() - values.CASES.keys()
    reasons = values.NOT_JUDGED
    assert [name for name in left if not any(re.search(r, name) for r in reasons)] == []
    assert [reason for reason in reasons if not any(re.search(reason, n) for n in left)] == []


def test_a_wrong_value_would_be_noticed(monkeypatch):
    monkeypatch.setitem(values.CASES, "Tensor.exp", drawing.unary("exp", lambda x: x))
    assert any(name == "Tensor.exp" for name, _ in run(3000, 0))
