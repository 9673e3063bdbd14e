"""The memory of one training step, kept for the next."""

import numpy as np


def keep_freed_memory() -> None:
    """Let the C library of Linux (glibc) keep freed arrays of up to 31 MB.

    It gives larger blocks than any that was freed so far back to the system, and the next step
    would fetch them anew, page by page. So one of 31 MB is allocated and freed. It is never
    written to, and costs nothing; elsewhere than on Linux it does nothing.
    """
    np.empty(31 << 20, np.uint8)
