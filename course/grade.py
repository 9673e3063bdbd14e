"""The comparisons of a graded test: `from course import grade`, then `grade.close(...)`.

A comparison that fails raises ComparisonError: what was expected, what came, where they first
differ and, if the wrong value gives it away, the cause. Tests call the public names of a stage
only, so that every correct design passes.
"""

import pytest

from course.grader.comparing import close, gradients, raises, true, vjps
from course.grader.comparison_error import ComparisonError
from course.grader.derivatives import slope, vjp

__all__ = [
    "ComparisonError",
    "close",
    "exercise",
    "gradients",
    "raises",
    "slope",
    "true",
    "vjp",
    "vjps",
]

exercise = pytest.mark.exercise  # @exercise("1.4") says which exercise a test grades
