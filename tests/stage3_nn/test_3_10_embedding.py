"""Exercise 3.10: a vector for every symbol."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage3_nn import Embedding

pytestmark = exercise("3.10")


def rng():
    return np.random.default_rng(0)


def table(num, dim, **options):
    """An Embedding in float64 whose row i is i, i, ..."""
    embedding = Embedding(num, dim, rng=rng(), **options)
    embedding.weight.data = np.repeat(np.arange(float(num))[:, None], dim, axis=1)
    return embedding


def test_the_table_is_a_parameter():
    embedding = Embedding(5, 3, rng=rng())
    found = [np.shape(p.data) for p in embedding.parameters()]
    grade.true(
        found == [(5, 3)],
        f"its Parameters have shapes [(5, 3)]; they have {found}",
        "one weight of shape (num_embeddings, embedding_dim)",
    )


@pytest.mark.parametrize("ids", [2, [1, 2], [[0, 1, 2], [2, 2, 0]], np.zeros((2, 0), int)])
def test_a_row_for_every_id(ids):
    ids = np.array(ids)
    embedding = table(3, 2)
    grade.close(embedding(ids), embedding.weight.data[ids], f"the rows of ids of shape {ids.shape}")


def test_ids_may_come_as_a_tensor():
    grade.close(table(3, 2)(Tensor(np.array([2, 0]))), [[2, 2], [0, 0]], "ids [2, 0] in a Tensor")


def test_a_row_that_is_used_twice_gets_both_gradients():
    embedding = table(3, 2)
    embedding(np.array([[1, 1], [2, 1]])).sum().backward()
    grade.close(
        embedding.weight.grad,
        [[0, 0], [3, 3], [1, 1]],
        "dL/dweight for [[1, 1], [2, 1]]",
        {((0, 0), (1, 1), (1, 1)): "repeated ids overwrote each other: they add up"},
    )


def test_padding_gets_no_gradient():
    embedding = table(3, 2, padding_idx=0)
    embedding(np.array([0, 1, 1])).sum().backward()
    grade.close(
        embedding.weight.grad,
        [[0, 0], [2, 2], [0, 0]],
        "dL/dweight, padding_idx=0",
        {((1, 1), (2, 2), (0, 0)): "the row of the padding must not learn"},
    )


@pytest.mark.parametrize("padding", [0, 1])
def test_padding_starts_as_zeros(padding):
    embedding = Embedding(4, 3, padding_idx=padding, rng=rng())
    found = embedding.weight.data[padding]
    unset = {tuple(found.tolist()): "set the row to 0; `if padding_idx:` leaves row 0 out"}
    what = f"the row of the padding at the start, padding_idx={padding}"
    grade.close(found, np.zeros(3), what, unset)
    others = np.abs(np.delete(embedding.weight.data, padding, axis=0)).min()
    grade.true(others > 0, "the other rows are not zeros", "only the row of the padding is")


def test_padding_gives_its_row_as_it_is():
    embedding = table(3, 2, padding_idx=1)
    row = "the row of the padding is looked up like any other; only its gradient is cut"
    grade.close(embedding(np.array([1, 2])), [[1, 1], [2, 2]], "ids [1, 2] with padding_idx=1 and "
                "a weight whose row i is i", {((0, 0), (2, 2)): row})  # fmt: skip


def test_padding_among_ids_in_a_tensor():
    embedding = table(3, 2, padding_idx=0)
    embedding(Tensor(np.array([0, 1]))).sum().backward()
    learns = {((1, 1), (1, 1), (0, 0)): "take the array of the ids before comparing: .data"}
    what = "dL/dweight for ids [0, 1] in a Tensor, padding_idx=0"
    grade.close(embedding.weight.grad, [[0, 0], [1, 1], [0, 0]], what, learns)


def test_a_negative_padding_index_counts_from_the_end():
    embedding = Embedding(3, 2, padding_idx=-1, rng=rng())
    grade.close(embedding.weight.data[2], [0, 0], "the last row at the start")
    embedding(np.array([0, 2])).sum().backward()
    grade.close(
        embedding.weight.grad,
        [[1, 1], [0, 0], [0, 0]],
        "dL/dweight, padding_idx=-1",
        {
            (
                (1, 1),
                (0, 0),
                (1, 1),
            ): "no id equals -1: bring padding_idx to 0..num_embeddings-1 first"
        },
    )


def test_what_is_no_row_is_refused():
    why = "negative ids would pick from the end in silence"
    grade.raises(
        lambda: table(3, 2)(np.array([3])), "id 3 of a table of 3", "ids end at num_embeddings - 1"
    )
    grade.raises(lambda: table(3, 2)(np.array([-1])), "id -1", why)
    grade.raises(lambda: table(3, 2)(np.array([0.0])), "the id 0.0", "ids are integers")
    grade.raises(lambda: Embedding(3, 2, padding_idx=3), "padding_idx=3 of 3", "it must be a row")
    grade.raises(lambda: Embedding(3, 2, padding_idx=-4), "padding_idx=-4 of 3", "it must be a row")


def test_the_start():
    weight = Embedding(200, 100, rng=rng()).weight.data
    grade.close(weight.std(), 1, "the std of the weight at the start, from N(0, 1)", rtol=0.03)
    grade.true(weight.dtype == np.float32, f"it is float32; it is {weight.dtype}", "init.normal is")
    again = Embedding(200, 100, rng=rng()).weight.data
    why = "draw from rng and from nothing else"
    grade.true(np.array_equal(weight, again), "equal generators give equal weights", why)
    free = [Embedding(4, 3).weight.data for _ in range(2)]
    grade.true(not np.allclose(*free), "without rng, two tables differ", "do not fix a seed")


def test_the_arguments_have_pytorch_s_names():
    embedding = Embedding(num_embeddings=3, embedding_dim=2, padding_idx=0, rng=rng())
    grade.close(embedding.weight, Embedding(3, 2, 0, rng()).weight.data, "the same table by name")
