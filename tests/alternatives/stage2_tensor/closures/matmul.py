"""The product of two matrices as a function; the class has the rest."""

from stage2_tensor.broadcasting import check_broadcast


def matmul_2d(a, b):
    return a @ b


def check_matmul(a, b):
    if not a or not b or a[-1] != b[-2 if len(b) > 1 else 0]:
        raise ValueError(f"matmul: expected (..., N, K) @ (..., K, M), got {a} @ {b}")
    check_broadcast("matmul", a[:-2], b[:-2])
