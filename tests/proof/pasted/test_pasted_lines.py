"""The lines of every graded test run when they are pasted into a file: a learner will do that."""

import ast
import contextlib
import inspect
import io
import os
import subprocess
import sys

import pytest

from course import HERE, ROOT
from course.grader.failing_lines import script
from course.manifest import stages

PER_CENT = 98  # some tests need a fixture, or a parameter that cannot be written down


class Paster:
    """A plugin that runs, in place of each graded test, the lines that a failure would show."""

    def __init__(self):
        self.ran, self.failed = 0, []

    def pytest_pyfunc_call(self, pyfuncitem):
        """Run the pasted lines of one test, and do not run the test."""
        self.ran += 1
        source, first = inspect.getsourcelines(pyfuncitem.function)
        for line in range(first, first + len(source)):
            ast.parse(script(pyfuncitem, line))  # wherever the test fails
        lines, names = script(pyfuncitem, 10**6), {"__name__": "__main__"}
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(lines, pyfuncitem.name, "exec"), names)
        except Exception as error:
            self.failed.append(f"{pyfuncitem.nodeid}: {error!r}\n{lines}\n")
        finally:
            if "monkeypatch" in names:
                names["monkeypatch"].undo()
        return True


@pytest.mark.parametrize("package", [s.package for s in stages()[:4]])  # stage 5 would train
def test_the_lines_run(package):
    done = subprocess.run(
        [sys.executable, "-m", "tests.proof.pasted.test_pasted_lines", package],
        cwd=ROOT,
        env=os.environ | {"GLASSBOX_CODE": "reference"},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout


def main(package):
    """Whether enough of a stage's tests can be pasted."""
    paster = Paster()
    options = [f"--config-file={HERE / 'grader' / 'pytest.ini'}", f"--rootdir={ROOT}"]
    options += ["-p", "no:cacheprovider", "-p", "no:unraisableexception"]
    pytest.main([str(ROOT / "tests" / package), *options], plugins=[paster])
    print("\n".join(paster.failed))
    return paster.ran > 0 and len(paster.failed) <= paster.ran * (100 - PER_CENT) / 100


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1]))
