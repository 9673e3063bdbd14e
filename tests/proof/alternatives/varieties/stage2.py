"""Exercises of stage 2, written otherwise and rightly."""

from course.authors.mutants import Variety

VARIETIES = [
    Variety(
        "2.2",
        "ones in front of the shorter shapes",
        "broadcasting.py",
        """
        def broadcast_shapes(*shapes):
            ndim = max(map(len, shapes), default=0)
            columns = zip(*[(1,) * (ndim - len(shape)) + tuple(shape) for shape in shapes])
            result = []
            for sizes in columns:
                different = set(sizes) - {1}
                if len(different) > 1:
                    raise ValueError(f"{shapes} do not broadcast")
                result.append(different.pop() if different else 1)
            return tuple(result)
        """,
    ),
    Variety(
        "2.3",
        "one axis at a time",
        "broadcasting.py",
        """
        def unbroadcast(g, shape):
            if broadcast_shapes(g.shape, shape) != g.shape:
                raise ValueError(f"{shape} does not broadcast to {g.shape}")
            while g.ndim > len(shape):
                g = g.sum(axis=0)
            for axis, size in enumerate(shape):
                if size == 1:
                    g = g.sum(axis=axis, keepdims=True)
            return np.asarray(g)
        """,
    ),
    Variety(
        "2.4",
        "a difference is the sum with what is negated",
        "elementwise.py",
        """
        def sub(a, b):
            return add(a, neg(a.operand(b)))

        def neg(x):
            return mul(x, -1.0)
        """,
    ),
    Variety(
        "2.4",
        "a quotient is the product with a power",
        "elementwise.py",
        """
        def div(a, b):
            return mul(a, pow(a.operand(b), -1.0))
        """,
    ),
    Variety(
        "2.5",
        "sigmoid is half of a tanh, relu and abs choose",
        "elementwise.py",
        """
        def sigmoid(x):
            y = (0.5 * (1 + np.tanh(0.5 * x.data))).astype(x.dtype)
            return x.from_op(y, (x, lambda g: g * y * (1 - y)), op="sigmoid")

        def relu(x):
            y = np.where(x.data <= 0, x.dtype.type(0), x.data)
            return x.from_op(y, (x, lambda g: np.where(y > 0, g, 0)), op="relu")

        def abs(x):
            y = np.where(x.data < 0, -x.data, x.data)
            sign = (x.data > 0).astype(x.dtype) - (x.data < 0)
            return x.from_op(y, (x, lambda g: g * sign), op="abs")
        """,
    ),
    Variety(
        "2.5",
        "sigmoid in two halves, tanh by sigmoid, sqrt by a power",
        "elementwise.py",
        """
        def sigmoid(x):
            y = np.empty_like(x.data)
            right = x.data >= 0
            y[right] = 1 / (1 + np.exp(-x.data[right]))
            small = np.exp(x.data[~right])
            y[~right] = small / (1 + small)
            return x.from_op(y, (x, lambda g: g * (y * (1 - y))), op="sigmoid")

        def tanh(x):
            return sub(2.0 * sigmoid(2.0 * x), 1.0)

        def sqrt(x):
            y = x.data**0.5
            return x.from_op(y, (x, lambda g: 0.5 * g / y), op="sqrt")

        def clip(x, low=None, high=None):
            check_bounds(low, high)
            y = x.data if low is None else np.maximum(x.data, low)
            y = y if high is None else np.minimum(y, high)
            outside = np.zeros(x.shape, bool)
            if low is not None:
                outside |= x.data < low
            if high is not None:
                outside |= x.data > high
            return x.from_op(y, (x, lambda g: np.where(outside, 0, g)), op="clip")
        """,
    ),
    Variety(
        "2.6",
        "an array of zeros for every node, by its id",
        "tensor.py",
        """
        class Tensor:
            def backward(self, gradient=None):
                check_requires_grad(self)
                order = topological_order(self)
                grads = {id(node): np.zeros_like(node.data) for node in order}
                grads[id(self)] += self._seed(gradient)
                for node in reversed(order):
                    g = grads[id(node)]
                    for parent, share in zip(node.parents, node.shares(g)):
                        grads[id(parent)] += share
                    if not node.parents:
                        node.grad = g if node.grad is None else np.asarray(node.grad + g)
        """,
    ),
    Variety(
        "2.7",
        "a mean is a sum over n, copies by a product",
        "reductions.py",
        """
        def mean(x, axis=None, keepdims=False):
            axes = reduced_axes("mean", x.shape, axis, keepdims)
            n = count(x.shape, axes)
            if not n:
                raise ValueError("mean of nothing")
            return sum(x, axis, keepdims) / n

        def spread(g, shape, axes):
            for axis in sorted(axes):
                if g.ndim < len(shape):
                    g = np.expand_dims(g, axis)
            return g * np.ones(shape, g.dtype)
        """,
    ),
    Variety(
        "2.8",
        "the variance composed of the mean of squared deviations, max by where",
        "reductions.py",
        """
        def var(x, axis=None, keepdims=False, correction=0):
            axes = reduced_axes("var", x.shape, axis, keepdims)
            n = count(x.shape, axes)
            if n <= correction:
                raise ValueError("too few numbers")
            deviation = x - x.mean(axis, keepdims=True)
            return (deviation**2).mean(axis, keepdims) * (n / (n - correction))

        def extreme(op, x, choose, axis, keepdims):
            axes = reduced_axes(op, x.shape, axis, keepdims)
            check_some(op, x.shape, axes)
            best = choose(x.data, axis=axes, keepdims=True)
            chosen = np.where(np.isnan(best), True, x.data == best)
            n = chosen.sum(axis=axes, keepdims=True)
            y = best if keepdims else best.reshape(choose(x.data, axis=axes).shape)
            vjp = lambda g: np.where(chosen, g.reshape(best.shape) / n, 0)
            return x.from_op(y, (x, vjp), op=op)
        """,
    ),
    Variety(
        "2.9",
        "an exchange of axes is a transposition, a new axis a reshape",
        "shaping.py",
        """
        def swapaxes(x, a, b):
            order = list(range(x.ndim))
            order[a], order[b] = order[b], order[a]
            return transpose(x, *order) if x.ndim else transpose(x)

        def unsqueeze(x, axis):
            if not -x.ndim - 1 <= axis <= x.ndim:
                raise ValueError("no such place")
            new = list(x.shape)
            new.insert(axis % (x.ndim + 1), 1)
            return reshape(x, tuple(new))
        """,
    ),
    Variety(
        "2.10",
        "np.add.at for everything",
        "indexing.py",
        """
        def getitem(x, index):
            index = read_index(index)
            y = np.array(pick(x.data, index))

            def vjp(g):
                whole = np.zeros_like(x.data)
                np.add.at(whole, index, g)
                return whole

            return x.from_op(y, (x, vjp), op="index")

        def scatter_add(g, ids, shape):
            whole = np.zeros(shape, g.dtype)
            np.add.at(whole, ids, g)
            return whole
        """,
    ),
    Variety(
        "2.10",
        "the gradient of a table by a product with one-hot rows",
        "indexing.py",
        """
        def scatter_add(g, ids, shape):
            one_hot = (ids.reshape(-1) == np.arange(shape[0])[:, None]).astype(g.dtype)  # (V, I)
            width = int(np.prod(shape[1:], dtype=int))
            return (one_hot @ g.reshape(ids.size, width)).reshape(shape)
        """,
    ),
    Variety(
        "2.11",
        "np.stack with an edge to each, maximum by np.select",
        "joining.py",
        """
        def stack(tensors, axis=0):
            tensors = as_tensors("stack", tensors)
            if len({t.shape for t in tensors}) != 1:
                raise ValueError("shapes differ, or there are none")
            y = np.stack([t.data for t in tensors], axis)
            edges = [(t, lambda g, i=i: g.take(i, axis)) for i, t in enumerate(tensors)]
            return Tensor.from_op(y, *edges, op="stack")

        def chosen(op, y, a, b):
            from_a = np.select([(a.data == y) & (b.data == y), a.data == y], [0.5, 1.0], 0.0)
            edges = [
                (a, lambda g: np.where(from_a > 0, g * np.where(from_a > 0, from_a, 1), 0)),
                (b, lambda g: np.where(from_a < 1, g * np.where(from_a < 1, 1 - from_a, 1), 0)),
            ]
            return Tensor.from_op(y, *edges, op=op)
        """,
    ),
    Variety(
        "2.12",
        "einsum",
        "matmul.py",
        """
        def matmul_2d(a, b):
            x, w = a.data, b.data
            return a.from_op(
                np.einsum("nk,km->nm", x, w),
                (a, lambda g: np.einsum("nm,km->nk", g, w)),
                (b, lambda g: np.einsum("nk,nm->km", x, g)),
                op="@",
            )
        """,
    ),
    Variety(
        "2.13",
        "einsum for every rank",
        "matmul.py",
        """
        def matmul(a, b):
            b = a.operand(b)
            check_matmul(a.shape, b.shape)
            x = a.data.reshape(1, -1) if a.ndim == 1 else a.data
            w = b.data.reshape(-1, 1) if b.ndim == 1 else b.data
            y = np.einsum("...nk,...km->...nm", x, w)
            full = y.shape
            y = y[..., 0, :] if a.ndim == 1 else y
            y = y[..., 0] if b.ndim == 1 else y

            def vjp_a(g):
                found = np.einsum("...nm,...km->...nk", g.reshape(full), w)
                return found[..., 0, :] if a.ndim == 1 else found

            def vjp_b(g):
                found = np.einsum("...nk,...nm->...km", x, g.reshape(full))
                return found[..., 0] if b.ndim == 1 else found

            return a.from_op(y, (a, vjp_a), (b, vjp_b), op="@")
        """,
    ),
    Variety(
        "2.14",
        "softmax by its Jacobian",
        "fused.py",
        """
        def softmax_vjp(g, y, axis):
            rows, up = np.moveaxis(y, axis, -1), np.moveaxis(g, axis, -1)
            eye = np.eye(rows.shape[-1], dtype=y.dtype)
            jacobian = rows[..., None] * (eye - rows[..., None, :])
            return np.moveaxis((up[..., None, :] @ jacobian)[..., 0, :], -1, axis)
        """,
    ),
    Variety(
        "2.14",
        "log_softmax from logsumexp",
        "fused.py",
        """
        def log_softmax(x, axis=-1):
            x = require_rows("log_softmax", x, axis)
            return x - x.logsumexp(axis, keepdims=True)
        """,
    ),
    Variety(
        "2.14",
        "logsumexp composed of simple operations",
        "reductions.py",
        """
        def logsumexp(x, axis=None, keepdims=False):
            axes = reduced_axes("logsumexp", x.shape, axis, keepdims)
            check_some("logsumexp", x.shape, axes)
            largest = x.data.max(axis=axes, keepdims=True)
            largest = np.where(np.isinf(largest), 0, largest)
            e = (x - largest).exp()
            total = sum(e, axes, True)
            empty = total.data == 0
            with np.errstate(divide="ignore"):
                y = np.log(total.data) + largest
            safe = np.where(empty, 1, total.data)
            node = x.from_op(y, (total, lambda g: g / safe), op="log")
            return node if keepdims else node.squeeze(axes)
        """,
    ),
    Variety(
        "2.16",
        "the gradient of a flat copy",
        "gradcheck.py",
        """
        def measure_central(f, x):
            slopes = []
            for i in range(x.size):
                ends = []
                for h in (CENTRAL_STEP, -CENTRAL_STEP):
                    moved = x.copy()
                    moved.reshape(-1)[i] += h
                    ends.append(float(f(moved)))
                slopes.append((ends[0] - ends[1]) / (2 * CENTRAL_STEP))
            return np.array(slopes).reshape(x.shape)
        """,
    ),
]
