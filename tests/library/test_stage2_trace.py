"""`with trace():` names a line of the reader's, wherever the packages of the stages lie."""

import shutil
import subprocess
import sys

import numpy as np

from course import ROOT
from stage1_autodiff import find_break
from stage2_tensor import trace
from tests.library.samples import leaf

SCRIPT = """
import numpy as np
import stage3_nn as nn
from stage2_tensor import Tensor, trace

with trace():
    y = nn.Linear(2, 3)(Tensor(np.ones((1, 2))))  # line 7
print(y.line)
"""


def test_the_microscope_names_the_line_that_made_the_first_nan():
    x = leaf(3)
    with trace(), np.errstate(all="ignore"):
        y = (x - 10).log().sum()
    told = str(find_break(y))
    assert "The value of `log` is NaN" in told
    assert f"{__file__}:" in told
    assert "norm" in told


def test_without_trace_no_line_is_recorded():
    assert (leaf(2) * 2).line == ""


def test_a_stage_of_the_reference_over_stages_of_one_s_own_is_not_the_reader_s_line(tmp_path):
    for package in ("stage1_autodiff", "stage2_tensor"):
        shutil.copytree(ROOT / package, tmp_path / package)
    script = tmp_path / "mine.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout == f"{script}:7\n"
