"""New names of parameters, in what was written with the old ones."""

import pytest

from course.workspace.renaming import carry_new_names

OLD = "def f(self, n_in, n_out=2):\n    raise NotImplementedError\n"
NEW = "def f(self, in_features, out_features=2):\n    raise NotImplementedError\n"

WRITTEN = {
    "names": (
        "    self.n_in = n_in\n    return n_in * n_out",
        "    self.n_in = in_features\n    return in_features * out_features",
    ),
    "keywords of calls": (
        "    g(n_in=n_in, b=(n_out))",
        "    g(n_in=in_features, b=(out_features))",
    ),
    "assignments": ("    n_in = n_in or 1", "    in_features = in_features or 1"),
    "f-strings": (
        "    raise ValueError(f'n_in {n_in} and {n_out + 1:.2f} x.n_in')",
        "    raise ValueError(f'n_in {in_features} and {out_features + 1:.2f} x.n_in')",
    ),
    "other strings and comments": ("    'n_in {n_in}'  # n_in", "    'n_in {n_in}'  # n_in"),
    "functions inside": (
        "    return [lambda k: k * n_in, *(n_in for _ in range(n_out))]",
        "    return [lambda k: k * in_features, *(in_features for _ in range(out_features))]",
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_names_follow_in(name):
    body, wanted = WRITTEN[name]
    head, new_head = OLD.split("\n")[0], NEW.split("\n")[0]
    own, old, _ = carry_new_names(f"{head}\n{body}\n", OLD, NEW)
    assert own == f"{new_head}\n{wanted}\n"
    assert old == NEW


def test_a_stub_follows_too():
    assert carry_new_names(OLD, OLD, NEW) == (NEW, NEW, NEW)


def test_a_new_name_that_is_in_use_already_leaves_the_function_alone():
    own = OLD.replace("raise NotImplementedError", "in_features = n_in")
    assert carry_new_names(own, OLD, NEW)[0] == own


def test_another_number_of_parameters_is_no_renaming():
    new = NEW.replace("out_features=2", "out_features=2, bias=True")
    assert carry_new_names(OLD, OLD, new) == (OLD, OLD, new)


def test_parameters_that_change_places_are_no_renaming():
    new = OLD.replace("n_in, n_out=2", "n_out, n_in=2")
    assert carry_new_names(OLD, OLD, new) == (OLD, OLD, new)


def test_a_learner_who_renamed_them_keeps_their_names():
    own = OLD.replace("n_in", "inputs")
    assert carry_new_names(own, OLD, NEW)[0] == own
