"""What is long is sampled: `make proof` takes a seeded sample, `make proof-full` everything."""

import os
import random


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="take no sample of the long tests")
    parser.addoption("--sample-seed", type=int, default=0, help="which sample is taken (0)")


def pytest_configure(config):
    os.environ["GLASSBOX_SHIPPED_COUNTS"] = "1"  # a copy of the reference has no other run
    config.addinivalue_line(
        "markers", "sampled(n, kind): for `proof` n of the test's cases of a kind"
    )


def pytest_collection_modifyitems(config, items):
    if config.getoption("--all"):
        return
    cases = {}
    for item in items:
        if marker := item.get_closest_marker("sampled"):
            n, *kind = marker.args
            cases.setdefault((item.function, *kind), (n, []))[1].append(item)
    dropped = set()
    for n, found in cases.values():
        shuffled = random.Random(config.getoption("--sample-seed")).sample(found, len(found))
        dropped.update(shuffled[n:])
    items[:] = [item for item in items if item not in dropped]
    if dropped:
        config.hook.pytest_deselected(items=list(dropped))
