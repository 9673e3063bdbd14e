"""uv.lock says the same as pyproject.toml and constraints.txt, and comes from the public index."""

import re
import tomllib

from packaging.requirements import Requirement

from course import ROOT


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def read(name):
    return tomllib.loads((ROOT / name).read_text(encoding="utf-8"))


LOCK = read("uv.lock")
PROJECT = read("pyproject.toml")
(OURS,) = [package for package in LOCK["package"] if package["name"] == "glassbox-course"]


def locked(name):
    return {package["version"] for package in LOCK["package"] if package["name"] == name}


def test_it_holds_what_was_tested():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").split("\n")
    pins = dict(line.split("==") for line in lines if "==" in line)
    assert {n for n, version in pins.items() if version not in locked(canonical(n))} == set()


def test_it_was_made_from_this_pyproject():
    asked = {
        (canonical(r.name), "", str(r.specifier))
        for r in map(Requirement, PROJECT["project"]["dependencies"])
    }
    for extra, lines in PROJECT["project"]["optional-dependencies"].items():
        asked |= {(canonical(r.name), extra, str(r.specifier)) for r in map(Requirement, lines)}
    made_from = set()
    for row in OURS["metadata"]["requires-dist"]:
        extra = re.search(r"extra == '(\w+)'", row.get("marker", ""))
        made_from.add((row["name"], extra[1] if extra else "", row.get("specifier", "")))
    assert made_from == asked
    assert OURS["metadata"]["requires-dev"].keys() == PROJECT["dependency-groups"].keys()


def test_every_address_is_public():
    text = (ROOT / "uv.lock").read_text(encoding="utf-8")
    hosts = set(re.findall(r"https?://[^/\"]+", text))
    assert hosts == {"https://pypi.org", "https://files.pythonhosted.org"}
