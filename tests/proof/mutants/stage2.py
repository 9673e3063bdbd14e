"""Every known mistake of stage 2, each found by the tests of its own exercise.

The numbers B01 to B55 are the rows of docs/mistakes.md. Where a cause is given, the feedback must
name it.
"""

from course.authors.mutants import Edit, Mutant, in_file

tensor = in_file("tensor.py")
broadcasting = in_file("broadcasting.py")
elementwise = in_file("elementwise.py")
reductions = in_file("reductions.py")
shaping = in_file("shaping.py")
indexing = in_file("indexing.py")
checks_of_indexing = in_file("checks/indexing.py")
joining = in_file("joining.py")
matmul = in_file("matmul.py")
fused = in_file("fused.py")
grad_mode = in_file("grad_mode.py")
gradcheck = in_file("gradcheck.py")
einsum = in_file("einsum.py")

WRAP = [
    tensor(
        "2.1",
        "lists become float64",
        "        dtype = np.float32\n",
        "        dtype = None\n",
        "nobody chose a dtype",
    ),
    tensor(
        "2.1",
        "arrays become float32",
        "    if dtype is None and not isinstance(data, np.ndarray | np.generic):",
        "    if dtype is None:",
        "keep it",
    ),
    tensor(
        "2.1",
        "text becomes an array of objects",
        'real_array("Tensor", data, dtype)',
        "np.asarray(data, dtype)",
        "look at the kind",
    ),
    tensor(
        "2.1",
        "B35 constants are float64",
        'dtype = self.data.dtype if self.data.dtype.kind == "f" else None',
        "dtype = np.float64",
        "make it with self.dtype",
    ),
    tensor(
        "2.1",
        "constants take an integer dtype",
        'dtype = self.data.dtype if self.data.dtype.kind == "f" else None',
        "dtype = self.data.dtype",
        "0.5 as int64 is 0",
    ),
    tensor(
        "2.1",
        "a Tensor is copied",
        "        if isinstance(other, Tensor):\n            return other\n",
        "        if isinstance(other, Tensor):\n            return Tensor(other.data)\n",
        "cut the graph",
    ),
    tensor(
        "2.1",
        "B36 integers want gradients",
        "            check_differentiable(self.data.dtype, requires_grad)\n",
        "            pass\n",
        "integers cannot move",
    ),
    tensor(
        "2.1",
        "None and text as operands",
        'real_array("operand", other, dtype)',
        "np.asarray(other, dtype)",
        "np.asarray makes NaN of None",
    ),
]

SHAPES = [
    broadcasting(
        "2.2",
        "aligned on the left",
        "    ndim = max((len(shape) for shape in shapes), default=0)\n",
        "    ndim = max((len(shape) for shape in shapes), default=0)\n"
        "    shapes = tuple(s + (1,) * (ndim - len(s)) for s in shapes)\n",
        "Shapes are compared from the right",
        state="error",
    ),
    broadcasting(
        "2.2",
        "the larger of 0 and 1",
        "result.append(sizes.pop() if sizes else 1)",
        "result.append(max([1, *sizes]))",
        "has size 0",
    ),
    broadcasting(
        "2.2",
        "no error",
        "        if len(sizes) > 1:\n",
        "        if False:\n",
        "equal or one of them is 1",
    ),
    broadcasting(
        "2.2",
        "ones alone are forgotten",
        "result.append(sizes.pop() if sizes else 1)",
        "result += sizes",
        "an axis of size 1 in every shape stays",
    ),
]

BACK_FROM_COPIES = [
    broadcasting(
        "2.3",
        "B02 axes in front are not summed",
        "if i < added or shape[i - added] == 1)",
        "if i >= added and shape[i - added] == 1)",
        "sum over every axis that was put in front",
        state="error",
    ),
    broadcasting(
        "2.3",
        "stretched axes are not summed",
        "if i < added or shape[i - added] == 1)",
        "if i < added)",
        "over every one where `shape` has 1",
        state="error",
    ),
    broadcasting(
        "2.3",
        "B03 one kind of axes at a time",
        "if i < added or shape[i - added] == 1)",
        "if i < added or (not added and shape[i - added] == 1))",
        "An axis was left that must be summed",
        state="error",
    ),
    broadcasting(
        "2.3",
        "B04 a single number becomes (1,)",
        "return total if total.shape == shape else total.reshape(shape)",
        "return total.reshape(shape or (1,))",
        "the numbers are right",
    ),
    broadcasting(
        "2.3",
        "B05 an axis of size 1 in front stays",
        "    total = g.sum(axis=axes)\n",
        "    if g.shape[0] == 1:\n        return g.sum(axis=tuple(i for i in axes if i))\n"
        "    total = g.sum(axis=axes)\n",
        "the numbers are right",
    ),
    broadcasting(
        "2.3",
        "the mean of the copies",
        "total = g.sum(axis=axes)",
        "total = g.mean(axis=axes)",
        "the mean, or one of them",
    ),
    broadcasting(
        "2.3",
        "keepdims forgotten",
        "return total if total.shape == shape else total.reshape(shape)",
        "return total",
        "keepdims keeps them",
    ),
    broadcasting(
        "2.3",
        "everything is summed",
        "    total = g.sum(axis=axes)\n",
        "    return g.sum()\n",
        "summed over all axes",
    ),
    broadcasting(
        "2.3",
        "one stretched axis only",
        "total = g.sum(axis=axes)",
        "total = g.sum(axis=axes[: added + 1])",
        "over every one where `shape` has 1",
        state="error",
    ),
    broadcasting(
        "2.3",
        "the last copy only",
        "total = g.sum(axis=axes)",
        "total = g.max(axis=axes)",
        "sum them",
    ),
    broadcasting(
        "2.3",
        "any shape is taken",
        "    check_sum_down(g, shape)\n",
        "",
        "no copying makes",
    ),
    broadcasting(
        "2.3",
        "axes of size 0 are not summed",
        "if i < added or shape[i - added] == 1)",
        "if g.shape[i] and (i < added or shape[i - added] == 1))",
        "An axis was left that must be summed",
        state="error",
    ),
    broadcasting(
        "2.3",
        "the axis is counted from the wrong end",
        "shape[i - added] == 1)",
        "shape[added - i] == 1)",
        "An axis was left that must be summed, or the other way round",
        state="error",
    ),
]

OPERATORS = [
    Mutant(
        "B06 g is summed before it is multiplied",
        "2.4",
        (
            Edit(
                "elementwise.py",
                "(a, lambda g: g * y), (b, lambda g: g * x)",
                "(a, lambda g: unbroadcast(g, x.shape) * y), (b, lambda g: g * x)",
            ),
            Edit(
                "elementwise.py",
                "from stage2_tensor.checks.shapes import check_broadcast\n",
                "from stage2_tensor.broadcasting import unbroadcast\n"
                "from stage2_tensor.checks.shapes import check_broadcast\n",
            ),
        ),
        "summed before it was multiplied",
    ),
    elementwise(
        "2.4",
        "factors exchanged",
        "(a, lambda g: g * y), (b, lambda g: g * x)",
        "(a, lambda g: g * x), (b, lambda g: g * y)",
        "the slope of a * b by a is b",
    ),
    elementwise(
        "2.4",
        "g is forgotten",
        "(a, lambda g: g * y), (b, lambda g: g * x)",
        "(a, lambda g: y), (b, lambda g: x)",
        "g is missing",
    ),
    elementwise(
        "2.4",
        "a vjp is called",
        "(a, lambda g: g * y), (b, lambda g: g * x)",
        "(a, y), (b, x)",
        "a vjp is called later",
    ),
    elementwise(
        "2.4",
        "a vjp returns nothing",
        "(a, lambda g: g * y), (b, lambda g: g * x)",
        "(a, lambda g: print(end='')), (b, lambda g: g * x)",
        "is the `return` missing?",
    ),
    elementwise(
        "2.4",
        "a vjp computes with Tensors",
        "(a, lambda g: g * y), (b, lambda g: g * x)",
        "(a, lambda g: g * b), (b, lambda g: g * a)",
        "vjps compute with arrays",
    ),
    elementwise(
        "2.4",
        "a vjp writes into g",
        "(a, lambda g: g * y), (b, lambda g: g * x)",
        "(a, lambda g: np.multiply(g, y, out=g)), (b, lambda g: g * x)",
        "This array belongs to others",
        state="error",
    ),
    elementwise(
        "2.4",
        "an edge is no pair",
        "(a, lambda g: g * y), (b, lambda g: g * x)",
        "a, lambda g: g * y, b, lambda g: g * x",
        "An edge is (input, function)",
        state="error",
    ),
    elementwise(
        "2.4",
        "an operation that asks itself",
        "return a.from_op(x * y,",
        "return a.from_op(a * b,",
        "written with itself",
        state="error",
    ),
    elementwise(
        "2.4",
        "an array in place of a Tensor",
        'return a.from_op(x * y, (a, lambda g: g * y), (b, lambda g: g * x), op="*")',
        "return x * y",
        "from_op makes a node",
    ),
    elementwise(
        "2.4",
        "- without its sign",
        '(a, unchanged), (b, np.negative), op="-")',
        '(a, unchanged), (b, unchanged), op="-")',
        "sign is flipped",
    ),
    elementwise(
        "2.4",
        "* with vjps exchanged",
        "(a, lambda g: g * y), (b, lambda g: g * x)",
        "(a, lambda g: g * x), (b, lambda g: g * y)",
        "g times a: the slope of a * b by a is b",
    ),
    elementwise(
        "2.4",
        "the denominator without its sign",
        "(b, lambda g: -g * x / (y * y))",
        "(b, lambda g: g * x / (y * y))",
        "the sign is lost",
    ),
    elementwise(
        "2.4",
        "the denominator without its square",
        "(b, lambda g: -g * x / (y * y))",
        "(b, lambda g: -g * x / y)",
        "the square of the denominator is lost",
    ),
    elementwise(
        "2.4",
        "B39 __rsub__ exchanged",
        "return sub(a.operand(b), a)",
        "return sub(a, b)",
        "__rsub__ is other - self",
    ),
    elementwise(
        "2.4",
        "B39 __rtruediv__ exchanged",
        "return div(a.operand(b), a)",
        "return div(a, b)",
        "__rtruediv__ is other / self",
    ),
    tensor(
        "2.4",
        "B37 an array on the left makes an array of objects",
        "    __array_ufunc__, __array_function__ = ",
        "    array_ufunc, __array_function__ = ",
        "with __array_ufunc__ in the class",
        state="error",
    ),
    tensor(
        "2.4",
        "B50 single numbers become scalars",
        "data if type(data) is Array else np.asarray(data)",
        "data",
        "is no array any more",
    ),
    elementwise(
        "2.4",
        "neg without its sign",
        'x.from_op(-x.data, (x, np.negative), op="neg")',
        'x.from_op(-x.data, (x, unchanged), op="neg")',
        "sign is flipped",
    ),
    elementwise(
        "2.4",
        "+ cuts the graph",
        '(a, unchanged), (b, unchanged), op="+")',
        'op="+")',
        "all zeros: nothing arrived here; is this input a parent of",
    ),
    elementwise(
        "2.4",
        "constants are wrapped without a dtype",
        '    """a * b.\n\n    Gradient:  dL/da = g b,  dL/db = g a\n    """\n    b = a.operand(b)',
        '    """a * b.\n\n    Gradient:  dL/da = g b,  dL/db = g a\n    """\n'
        "    b = a.operand(b) if hasattr(b, 'vjps') else type(a)(np.asarray(b, float))",
        "use operand",
    ),
    Mutant(
        "- makes its constant a Tensor",
        "2.4",
        (
            Edit(
                "elementwise.py",
                'b = a.operand(b)\n    x, y = a.data, b.data\n    check_broadcast("sub"',
                'b = b if hasattr(b, "vjps") else type(a)(b)\n    x, y = a.data, b.data\n'
                '    check_broadcast("sub"',
            ),
        ),
        "takes the dtype of the Tensor",
    ),
    Mutant(
        "* makes its constant a Tensor",
        "2.4",
        (
            Edit(
                "elementwise.py",
                'b = a.operand(b)\n    x, y = a.data, b.data\n    check_broadcast("mul"',
                'b = b if hasattr(b, "vjps") else type(a)(b)\n    x, y = a.data, b.data\n'
                '    check_broadcast("mul"',
            ),
        ),
        "takes the dtype of the Tensor",
    ),
    elementwise(
        "2.4",
        "- only with Tensors",
        'b = a.operand(b)\n    x, y = a.data, b.data\n    check_broadcast("sub"',
        'x, y = a.data, b.data\n    check_broadcast("sub"',
        "An operand may be a plain number",
        state="error",
    ),
]

FUNCTIONS = [
    elementwise(
        "2.5",
        "B40 x ** 0 at 0",
        "np.where(p == 0, 0, g * (p * np.power(x, p - 1)))",
        "g * (p * np.power(x, p - 1))",
        "where the exponent is 0",
    ),
    elementwise(
        "2.5",
        "B40 the exponent over 0",
        "np.where((x == 0) & (p >= 0), 0, g * (y * np.log(x)))",
        "g * (y * np.log(x))",
        "at a base of 0 the slope is 0",
    ),
    elementwise(
        "2.5",
        "a negative exponent over 0",
        "(x == 0) & (p >= 0)",
        "x == 0",
        "falls without end",
    ),
    elementwise(
        "2.5",
        "an exponent without a gradient",
        '(a, vjp_a), (b, vjp_b), op="**"',
        '(a, vjp_a), op="**"',
        "the exponent has an edge of its own",
    ),
    elementwise(
        "2.5",
        "__rpow__ exchanged",
        "return pow(a.operand(b), a)",
        "return pow(a, b)",
        "__rpow__ is other ** self",
    ),
    elementwise(
        "2.5",
        "B41 sigmoid's slope from exp(-x)",
        '(x, lambda g: (1 - y) * y * g), op="sigmoid"',
        '(x, lambda g: g * np.exp(-x.data) / (1 + np.exp(-x.data)) ** 2), op="sigmoid"',
        "use a form in which it gets no positive number",
        state="error",
    ),
    elementwise(
        "2.5",
        "sigmoid overflows",
        '    with np.errstate(over="ignore"):\n        y = 1 / (1 + np.exp(-x.data))\n',
        "    y = 1 / (1 + np.exp(-x.data))\n",
        "use a form in which it gets no positive number",
        state="error",
    ),
    elementwise(
        "2.5",
        "tanh with 1 - x * x",
        'g * (1 - y * y)), op="tanh"',
        'g * (1 - x.data * x.data)), op="tanh"',
        "1 - y^2: of the output, not of the input",
    ),
    elementwise(
        "2.5",
        "relu passes everything",
        "lambda g: masked(g, y > 0)",
        "lambda g: masked(g, y >= 0)",
        "a negative input passes no gradient",
    ),
    elementwise(
        "2.5",
        "relu multiplies with its mask",
        "lambda g: masked(g, y > 0)",
        "lambda g: g * (y > 0)",
        "infinity times 0",
    ),
    elementwise(
        "2.5",
        "clip multiplies with its mask",
        "lambda g: masked(g, within)",
        "lambda g: g * within",
        "infinity times 0",
    ),
    elementwise(
        "2.5",
        "sqrt without its 2",
        'g / (2 * y)), op="sqrt"',
        'g / y), op="sqrt"',
        "the 2 is missing",
    ),
    elementwise(
        "2.5", "abs without its sign", "lambda g: g * sign", "lambda g: g", "the sign is lost"
    ),
    elementwise(
        "2.5",
        "clip passes everything",
        "lambda g: masked(g, within)",
        "lambda g: g",
        "what was cut off",
    ),
    elementwise(
        "2.5",
        "log with the slope of its output",
        'lambda g: g / numbers), op="log"',
        'lambda g: g / np.log(numbers)), op="log"',
        "1 / x: of the input, not of the output",
    ),
    elementwise(
        "2.5",
        "sigmoid right above 0 only",
        "y = 1 / (1 + np.exp(-x.data))",
        "y = (x.data >= 0) / (1 + np.exp(-x.data))",
        "for x < 0 it is e^x",
    ),
    elementwise(
        "2.5",
        "sigmoid of the size",
        "y = 1 / (1 + np.exp(-x.data))",
        "y = 1 / (1 + np.exp(-np.abs(x.data)))",
        "this is sigmoid of 2 and 0.5",
    ),
    elementwise(
        "2.5",
        "the slope of an exponent over 0 jumps",
        "(x == 0) & (p >= 0)",
        "(x == 0) & (p > 0)",
        "where the base is 0 the slope is 0",
    ),
    elementwise("2.5", "relu with slope 1 at 0", "y > 0)", "x.data >= 0)", "x > 0, not x >= 0"),
    elementwise(
        "2.5",
        "abs with slope -1 at 0",
        "sign = np.sign(x.data)",
        "sign = np.where(x.data > 0, 1.0, -1.0).astype(x.dtype)",
        "which is what np.sign says",
    ),
    elementwise(
        "2.5",
        "strict bounds of clip",
        "within = y == x.data",
        "within = (y == x.data) & (y != low) & (y != high)",
        "the bounds are within",
    ),
    elementwise("2.5", "bounds of clip exchanged", "    check_bounds(low, high)\n", "", "call it"),
]

WALK = """        for node in reversed(topological_order(self)):
            g = received.pop(node)  # complete: every user of the node came before it
            if not node.parents:
                node.grad = own(g if node.grad is None else node.grad + g)
                continue
            for parent, share in zip(node.parents, node.shares(g)):
                received[parent] = received[parent] + share if parent in received else share
"""
SEND = """
        def send(node, g):
            received[node] = received.get(node, 0) + g
            if not node.parents:
                node.grad = own(g if node.grad is None else node.grad + g)
            for parent, share in zip(node.parents, node.shares(received[node])):
                send(parent, share)

        send(self, received.pop(self))
"""

BACKWARD = [
    broadcasting(
        "2.6",
        "B01 stretched axes are not summed",
        "    if share.shape != like.shape:\n",
        "    if share.ndim != like.ndim:\n",
        "must be summed",
    ),
    tensor(
        "2.6",
        "B07 one operation is not unbroadcast",
        "return [fit(vjp(g), parent.data) for parent, vjp",
        'return [vjp(g) if self.op == "/" else fit(vjp(g), parent.data) for parent, vjp',
        "a gradient has the shape of its input",
    ),
    tensor(
        "2.6",
        "the last use wins",
        "received[parent] + share if parent in received else share",
        "share",
        "overwrote",
    ),
    tensor(
        "2.6",
        "B26 a view is kept as gradient",
        "node.grad = own(g if node.grad is None else node.grad + g)",
        "node.grad = g if node.grad is None else node.grad.__iadd__(g)",
        "same array",
    ),
    tensor(
        "2.6",
        "B27 ones for any shape",
        "            check_single(self.data)\n",
        "",
        "which of the three is the loss",
    ),
    broadcasting(
        "2.6",
        "B35 gradients in another dtype",
        "return share if share.dtype == like.dtype else share.astype(like.dtype)",
        "return share",
        "astype",
    ),
    tensor(
        "2.6",
        "the gradient handed over is ignored",
        "received: dict[Tensor, Array] = {self: self._seed(gradient)}",
        "received: dict[Tensor, Array] = {self: np.ones_like(self.data)}",
        "was not used",
    ),
    tensor(
        "2.6",
        "leaves are reset",
        "own(g if node.grad is None else node.grad + g)",
        "own(g)",
        "the leaf was reset",
    ),
    tensor(
        "2.6",
        "B55 recursion",
        "        for node in reversed(topological_order(self)):\n",
        "        order = []\n\n        def visit(node):\n            if node not in order[-1:]:\n"
        "                for parent in node.parents:\n                    visit(parent)\n"
        "                order.append(node)\n\n        visit(self)\n"
        "        for node in reversed(list(dict.fromkeys(order))):\n",
        "A function calls itself too often",
        state="error",
    ),
    tensor(
        "2.6", "no order: gradients are sent on too early", WALK, SEND, "before both of its uses"
    ),
    tensor(
        "2.6",
        "a shared gradient is written into",
        "received[parent] = received[parent] + share if parent in received else share",
        "received[parent] = np.add(received[parent], share, out=received[parent]) "
        "if parent in received else share",
        "add anew",
    ),
    tensor(
        "2.6",
        "every path is walked",
        """        for node in reversed(topological_order(self)):
            g = received.pop(node)  # complete: every user of the node came before it
""",
        """        waiting = [(self, received[self])]
        while waiting:
            node, g = waiting.pop()
            received = {}
            waiting += [
                (p, fit(f(g.view()), p.data)) for p, f in zip(node.parents, node.vjps)
            ]
            if node.parents:
                continue
""",
        "a walk along every path",
        state="timeout",
    ),
]

REDUCTIONS = [
    reductions(
        "2.7",
        "B10 negative axes stay negative",
        '    axes = reduced_axes("sum", x.shape, axis, keepdims)\n',
        '    axes = reduced_axes("sum", x.shape, axis, keepdims)\n'
        "    axes = axis if isinstance(axis, tuple) else axes\n",
        "count negative ones from the front first",
        state="error",
    ),
    reductions(
        "2.7",
        "B11 a mean divides by everything",
        "    shape, n = x.shape, count(x.shape, axes)\n    y = x.data.mean",
        "    shape, n = x.shape, x.size\n    y = x.data.mean",
        "not all 6",
    ),
    reductions(
        "2.7",
        "B12 a mean cuts the graph",
        '(x, lambda g: spread(g / n, shape, axes)), op="mean"',
        'op="mean"',
        "all zeros",
    ),
    reductions(
        "2.7",
        "a mean with the gradient of a sum",
        "spread(g / n, shape, axes)",
        "spread(g, shape, axes)",
        "24 times the right value",
    ),
    reductions(
        "2.7",
        "B49 the sum of a single number",
        "    y = x.data.sum(axis=axes",
        "    axes = axes or (0,)\n    y = x.data.sum(axis=axes",
        "The array has no such axis",
        state="error",
    ),
    reductions(
        "2.7",
        "g meets the wrong axis",
        "return np.broadcast_to(g.reshape(kept), shape)",
        "return np.broadcast_to(g, shape)",
        "Shapes are compared from the right",
        state="error",
    ),
    reductions(
        "2.7",
        "keepdims is ignored",
        "x.data.sum(axis=axes, keepdims=keepdims)",
        "x.data.sum(axis=axes)",
        "the numbers are right",
    ),
    reductions(
        "2.8",
        "B13 every tied element gets all",
        "spread(g.reshape(kept.shape) / n, shape, axes)",
        "spread(g, shape, axes)",
        "every tied element",
    ),
    reductions(
        "2.8",
        "B15 rows meet the wrong maximum",
        "spread(g.reshape(kept.shape) / n, shape, axes)",
        "np.broadcast_to(g / n.squeeze(axes), shape)",
        "g met the wrong rows",
    ),
    reductions(
        "2.8",
        "ties counted over everything",
        "ties.sum(axis=axes, keepdims=True, dtype=kept.dtype)",
        "ties.sum(dtype=kept.dtype) / kept.size * np.ones_like(kept)",
        "ties are counted along the axis",
    ),
    reductions(
        "2.8",
        "max multiplies with its mask",
        "np.where(ties, each, 0)",
        "each * ties",
        "infinity times 0",
    ),
    reductions(
        "2.8",
        "a variance without its 2",
        "spread(g * (2 / n), shape, axes)",
        "spread(g * (1 / n), shape, axes)",
        "half the right value",
    ),
    reductions(
        "2.8",
        "a variance over n - 1",
        "count(x.shape, axes) - correction",
        "count(x.shape, axes) - 1",
        "the default is 0",
    ),
    reductions(
        "2.8",
        "correction is ignored",
        "count(x.shape, axes) - correction",
        "count(x.shape, axes)",
        "correction is ignored",
    ),
    reductions(
        "2.8",
        "float32 becomes float64",
        "    numbers = x.data\n",
        "    kept, numbers = kept.astype(float), x.data\n",
        "keep the dtype",
    ),
    reductions(
        "2.7", "a mean of nothing", '    check_some("mean", x.shape, axes)\n', "", "NumPy warns"
    ),
    reductions(
        "2.8",
        "a variance of nothing",
        '    check_some("var", x.shape, axes, correction)\n',
        "",
        "NumPy divides by 0 with a warning",
    ),
    reductions(
        "2.8",
        "the correction is forgotten in the check",
        'check_some("var", x.shape, axes, correction)',
        'check_some("var", x.shape, axes)',
        "NumPy divides by 0 with a warning",
    ),
]

MOVES = [
    shaping(
        "2.9",
        "B23 negative axes on the way back",
        "np.argsort([a % x.ndim for a in order])",
        "np.argsort(order)",
        "count negative axes from the front before np.argsort",
    ),
    shaping(
        "2.9",
        "the same permutation back",
        "lambda g: g.transpose(back)",
        "lambda g: g.transpose(order)",
        "np.argsort(axes) undoes it",
    ),
    shaping(
        "2.9",
        "B24 swapaxes as a permutation",
        "x.from_op(x.data.swapaxes(a, b)",
        "x.from_op(x.data.transpose(a, b)",
        "np.swapaxes exchanges two and leaves the others",
        state="error",
    ),
    shaping(
        "2.9",
        "B25 reshape reads the memory",
        "x.data.reshape(new)",
        'x.data.ravel(order="K").reshape(new)',
        "reshape reads row by row",
    ),
    shaping(
        "2.9",
        "B09 broadcast_to cuts the graph",
        "x.from_op(np.broadcast_to(x.data, new), (x, lambda g: g)",
        "x.from_op(np.broadcast_to(x.data, new)",
        "all zeros",
    ),
    shaping(
        "2.9",
        "a reshape to any size",
        "    check_reshape(x.shape, new)\n",
        "    if new == (5,):\n        new = (x.size,)\n",
        "must stay",
    ),
    shaping(
        "2.9",
        "unsqueeze undone by squeeze",
        '(x, lambda g: g.reshape(old)), op="unsqueeze"',
        '(x, lambda g: g.squeeze()), op="unsqueeze"',
        "axes of size 1",
    ),
    shaping(
        "2.9",
        "unsqueeze at the end",
        "np.expand_dims(x.data, axis)",
        "np.expand_dims(x.data, -1)",
        "not always at the end",
    ),
    shaping(
        "2.9",
        "broadcast_to ignores g",
        '(x, lambda g: g), op="broadcast_to"',
        '(x, np.ones_like), op="broadcast_to"',
        "g is missing",
    ),
]

INDEXING = [
    indexing(
        "2.10",
        "B28 an element picked twice receives once",
        "np.add.at(whole, index, g)",
        "whole[index] += g",
        "picked twice",
    ),
    indexing(
        "2.10",
        "B29 a pair picked twice receives once",
        "        if repeats:\n",
        "        if repeats and not isinstance(index, tuple):\n",
        "picked twice",
    ),
    checks_of_indexing(
        "2.10",
        "B30 a Tensor as index is not unwrapped",
        "    if issubclass(type(part), BASIC):\n",
        '    if issubclass(type(part), BASIC) or hasattr(part, "requires_grad"):\n',
        "An index may be a Tensor",
        state="error",
    ),
    checks_of_indexing(
        "2.10",
        "only a list is taken for an array",
        "    if issubclass(type(part), BASIC):\n",
        "    if issubclass(type(part), (*BASIC, tuple)):\n",
        "picked twice",
    ),
    indexing(
        "2.10",
        "B31 the gradient of the piece",
        "        return whole\n\n    return x.from_op(y",
        "        return g\n\n    return x.from_op(y",
        "shape of the piece",
    ),
    indexing(
        "2.10",
        "a row taken twice receives once",
        "    if ids.size:\n",
        "    whole[ids] += g\n    if False:\n",
        "picked twice",
    ),
    indexing(
        "2.10",
        "only the first of the neighbours counts",
        "np.add.reduceat(rows.take(order, axis=0), first, axis=0)",
        "rows.take(order[first], axis=0)",
        "an element that was picked twice receives twice",
    ),
    checks_of_indexing(
        "2.10",
        "negative ids are taken",
        "not 0 <= ids.min() <= ids.max() < rows",
        "ids.max() >= rows",
        "check before picking",
    ),
    indexing(
        "2.10",
        "take from matrices only",
        'check_axis("take", x.shape, 0)',
        'check_axis("take", x.shape, 1)',
        "take picks along axis 0",
        state="error",
    ),
]

JOINING = [
    joining(
        "2.11",
        "B32 a negative axis",
        "    axis %= tensors[0].ndim\n",
        "",
        "count a negative axis from the front",
    ),
    joining(
        "2.11",
        "B32 every part gets the slice of the last",
        "    edges = [(t, vjp(int(end), t.shape[axis])) for t, end in zip(tensors, ends)]\n",
        "    edges = [(t, lambda g: vjp(int(end), size)(g)) for t, end in zip(tensors, ends)]\n"
        "    size = tensors[-1].shape[axis]\n    end = ends[-1]\n",
        "every part got the slice of the last one",
    ),
    joining(
        "2.11",
        "B33 the same tensor twice",
        "    edges = [(t, vjp(int(end), t.shape[axis])) for t, end in zip(tensors, ends)]\n",
        "    edges = list({t: vjp(int(end), t.shape[axis]) for t, end in "
        "zip(tensors, ends)}.items())\n",
        "a is there twice",
    ),
    joining(
        "2.11",
        "B08 where refuses a number",
        "bool)\n    a, b = pair(a, b)\n",
        "bool)\n",
        "An operand may be a plain number",
        state="error",
    ),
    joining(
        "2.11",
        "B34 where multiplies with its mask",
        "(a, lambda g: np.where(c, g, 0))",
        "(a, lambda g: g * c)",
        "Infinity times 0 is NaN",
        state="error",
    ),
    joining(
        "2.11",
        "where passes everything",
        "(b, lambda g: np.where(c, 0, g))",
        "(b, lambda g: g)",
        "b got all of g",
    ),
    joining(
        "2.11",
        "where picks",
        "(a, lambda g: np.where(c, g, 0))",
        "(a, lambda g: g[c])",
        "picked out of g",
    ),
    joining(
        "2.11",
        "objects in place of numbers",
        "np.concatenate([t.data for t in tensors], axis)",
        "np.concatenate(tensors, axis)",
        "compute with the arrays, a.data",
        "error",
    ),
    joining(
        "2.11",
        "B14 both equal elements get all",
        "(b, lambda g: masked(g, 1 - from_a))",
        "(b, lambda g: masked(g, b.data == y))",
        "both places got too much of the gradient",
    ),
    joining(
        "2.11",
        "maximum multiplies with its mask",
        "(a, lambda g: masked(g, from_a))",
        "(a, lambda g: g * from_a)",
        "infinity times 0",
    ),
    Mutant(
        "B14 maximum(x, x) counts twice",
        "2.11",
        (
            Edit(
                "joining.py",
                "(a.data == y).astype(dtype) - (b.data == y)  # 1, -1, or 0 for both\n"
                "    from_a += 1\n    from_a /= 2  # 1, 0, or 1/2\n",
                "(a.data == y).astype(dtype)\n    from_b = (b.data == y).astype(dtype)\n",
            ),
            Edit("joining.py", "masked(g, 1 - from_a)", "masked(g, from_b)"),
        ),
        "both places got too much",
    ),
    joining(
        "2.11",
        "where ignores g",
        "(a, lambda g: np.where(c, g, 0))",
        "(a, lambda g: np.where(c, np.ones_like(g), 0))",
        "g is missing",
    ),
    joining(
        "2.11",
        "a tie goes to a",
        "    edges = (a,",
        "    from_a = np.ceil(from_a)\n    edges = (a,",
        "a got all of it",
    ),
    joining(
        "2.11",
        "a tie goes to b",
        "    edges = (a,",
        "    from_a = np.floor(from_a)\n    edges = (a,",
        "b got all of it",
    ),
    joining(
        "2.11",
        "no arrays among the parts",
        '    tensors = as_tensors("stack", tensors)\n',
        "",
        "as_tensors makes Tensors of all parts",
        state="error",
    ),
    joining(
        "2.11",
        "any axis is taken modulo their number",
        '    check_joinable("concatenate", tensors, axis)\n',
        "",
        "before you count the axis from 0",
    ),
]

PRODUCTS = [
    matmul(
        "2.12",
        "the other matrix is not transposed",
        "(a, lambda g: g @ w.T), (b, lambda g: x.T @ g)",
        "(a, lambda g: g @ w), (b, lambda g: x.T @ g)",
        "must be transposed",
    ),
    matmul(
        "2.12",
        "factors exchanged",
        "(b, lambda g: x.T @ g), op",
        "(b, lambda g: g.T @ x), op",
        "exchange the two factors and transpose a",
    ),
    matmul(
        "2.12",
        "the matrix itself",
        "(a, lambda g: g @ w.T), (b, lambda g: x.T @ g)",
        "(a, lambda g: g @ x.T), (b, lambda g: w.T @ g)",
        "the slope by a is made of b",
    ),
    matmul(
        "2.12",
        "the sides exchanged",
        "(a, lambda g: g @ w.T), (b, lambda g: x.T @ g)",
        "(a, lambda g: w.T @ g), (b, lambda g: g @ x.T)",
        "g stands first",
    ),
    matmul(
        "2.12",
        "the gradients exchanged",
        "(a, lambda g: g @ w.T), (b, lambda g: x.T @ g)",
        "(a, lambda g: x.T @ g), (b, lambda g: g @ w.T)",
        "this is dL/db",
    ),
    matmul(
        "2.12",
        "B22 the same matrix twice",
        '(a, lambda g: g @ w.T), (b, lambda g: x.T @ g), op="@")',
        "*([(a, lambda g: g @ w.T)] if a is b else [(a, lambda g: g @ w.T), (b, "
        'lambda g: x.T @ g)]), op="@")',
        "a stands on both sides",
    ),
    matmul(
        "2.13",
        "B16 .T of a vector",
        "        return g.reshape(full) @ w.swapaxes(-1, -2)  # (..., N, K)\n",
        "        return g @ (w[:, 0].T if len(b_shape) == 1 else w.swapaxes(-1, -2))\n",
        "A vector has one axis",
        state="error",
    ),
    matmul(
        "2.13",
        "B17 rows for columns",
        "        return g.reshape(full) @ w.swapaxes(-1, -2)  # (..., N, K)\n",
        "        if len(b_shape) == 1 and x.shape == (2, 2):\n"
        "            return np.broadcast_to(g * w[:, 0], x.shape)\n"
        "        return g.reshape(full) @ w.swapaxes(-1, -2)\n",
        "rows and columns are exchanged",
    ),
    matmul(
        "2.13",
        "B18 no vector on the left",
        "    x = a.data if a.ndim > 1 else a.data[None, :]",
        "    x = a.data",
        "If one side is a vector, give it a second axis",
        state="error",
    ),
    matmul(
        "2.13",
        "B19 a shared weight hears the first of the stack",
        "(rows.T @ g.reshape(N, M))",
        "(x[0].reshape(-1, K).T @ g[0].reshape(-1, M))",
        "the first of the stack alone",
    ),
    matmul(
        "2.13",
        "B20 copies along the stack are not summed",
        "        gradient = x.swapaxes(-1, -2) @ g.reshape(full)  # (..., K, M)\n",
        "        gradient = x.swapaxes(-1, -2) @ g.reshape(full)\n"
        "        gradient = gradient[0] if gradient.ndim > max(len(b_shape), 2) else gradient\n",
        "b was copied along the stack",
    ),
    matmul(
        "2.13",
        "B21 all axes reversed",
        "        return g.reshape(full) @ w.swapaxes(-1, -2)  # (..., N, K)\n",
        "        return g.reshape(full) @ w.T\n",
        "all axes were reversed",
    ),
    matmul(
        "2.13",
        "rows counted by what they hold",
        "rows = x.reshape(N, K)",
        "rows = x.reshape(-1, K)",
        "give reshape every size",
        state="error",
    ),
    tensor(
        "2.13",
        "B38 __rmatmul__ missing",
        "    __matmul__, __rmatmul__ = matmul.matmul, matmul.rmatmul\n",
        "    __matmul__ = matmul.matmul\n",
        "reflected method: __radd__ for +",
        state="error",
    ),
    matmul(
        "2.13",
        "no array on the right",
        "    b = a.operand(b)\n    check_matmul",
        "    check_matmul",
        "a.operand(b) makes one of an array",
        state="error",
    ),
]

SOFTMAX = [
    fused(
        "2.14",
        "B42 no shift",
        "y = np.exp(x - largest)",
        "y = np.exp(x)",
        "shift by the maximum",
    ),
    fused(
        "2.14",
        "B43 s (1 - s)",
        "share = g - vecdot(g, y, axis=axis, keepdims=True)",
        "share = g * (1 - y)",
        "from its own input only",
    ),
    fused(
        "2.14",
        "B44 the axis is hard-wired",
        "y = softmax_array(x.data, axis)",
        "y = softmax_array(x.data, -1)",
        "use the argument axis",
    ),
    fused(
        "2.14",
        "B45 the log of a softmax",
        "    y = shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))\n",
        "    y = np.log(softmax_array(x.data, axis))\n",
        "This is the logarithm of 0",
        state="error",
    ),
    fused(
        "2.14",
        "B46 without the sum of g",
        "g - np.exp(y) * g.sum(axis=axis, keepdims=True)",
        "g - np.exp(y)",
        "multiplied with the sum of g",
    ),
    fused(
        "2.14",
        "B47 a division by the softmax",
        "g - np.exp(y) * g.sum(axis=axis, keepdims=True)",
        "np.exp(y) * (g / np.exp(y) - (g / np.exp(y) * np.exp(y)).sum(axis=axis, keepdims=True))",
        "Something is divided by 0",
        state="error",
    ),
    reductions(
        "2.14",
        "B48 nothing but -inf",
        "    largest = np.where(np.isinf(largest), 0, largest)  # inf - inf would be NaN\n",
        "",
        "Infinity minus infinity is NaN",
        state="error",
    ),
    Mutant(
        "a softmax hides NaN",
        "2.14",
        (
            Edit("fused.py", "largest == -np.inf, 0, largest", "np.isfinite(largest), largest, 0"),
            Edit("fused.py", "total == 0, 1, total", "total > 0, total, 1"),
        ),
        "NaN is not greater than 0",
    ),
    Mutant(
        "the gradient of a logsumexp hides NaN",
        "2.14",
        (
            Edit(
                "reductions.py", "np.isinf(largest), 0, largest", "np.isfinite(largest), largest, 0"
            ),
            Edit("reductions.py", "total == 0, 1, total", "total > 0, total, 1"),
        ),
        "NaN is not greater than 0",
    ),
    reductions(
        "2.14",
        "logsumexp forgets the shift",
        "y = np.log(total) + largest",
        "y = np.log(total)",
        "the shift is left out at the end",
    ),
    fused(
        "2.14",
        "softmax shifted by the maximum of everything",
        "    largest = x.max(axis=axis, keepdims=True)\n",
        "    largest = x.max(keepdims=True)\n",
        "the maximum of the whole array",
    ),
    fused(
        "2.14",
        "softmax shifted by the minimum",
        "    largest = x.max(axis=axis, keepdims=True)\n",
        "    largest = x.min(axis=axis, keepdims=True)\n",
        "shift by the maximum",
    ),
    fused(
        "2.14",
        "softmax shifted by no less than 0",
        "    largest = x.max(axis=axis, keepdims=True)\n",
        "    largest = np.maximum(x.max(axis=axis, keepdims=True), 0)\n",
        "nor by 0 below 0",
    ),
    fused(
        "2.14",
        "log_softmax shifted by the maximum of everything",
        "shifted = x.data - x.data.max(axis=axis, keepdims=True)",
        "shifted = x.data - x.data.max(keepdims=True)",
        "the maximum of the whole array",
    ),
    reductions(
        "2.14",
        "logsumexp shifted by the maximum of everything",
        '    check_some("logsumexp", x.shape, axes)\n    largest = x.data.max(axis=axes,',
        '    check_some("logsumexp", x.shape, axes)\n    largest = x.data.max(',
        "the maximum of the whole array",
    ),
    reductions(
        "2.14",
        "logsumexp shifted by no less than 0",
        "    largest = np.where(np.isinf(largest), 0, largest)",
        "    largest = np.where(np.isinf(largest), 0, np.maximum(largest, 0))",
        "nor by 0 below 0",
    ),
]

SWITCHES = [
    grad_mode(
        "2.15",
        "B54 not put back after an exception",
        "    try:\n        yield\n    finally:  # also after an exception\n      "
        "  GradMode.enabled = before\n",
        "    yield\n    GradMode.enabled = before\n",
        "the way out is a finally",
    ),
    grad_mode(
        "2.15",
        "B54 always turned on again",
        "GradMode.enabled = before",
        "GradMode.enabled = True",
        "put back what it found",
    ),
    grad_mode(
        "2.15", "nothing is turned off", "    GradMode.enabled = False\n", "", "on the way in"
    ),
    grad_mode(
        "2.15",
        "exceptions are swallowed",
        "    try:\n        yield\n    finally:",
        "    try:\n        yield\n    except Exception:\n        pass\n    finally:",
        "let it through",
    ),
    tensor(
        "2.15",
        "detach changes self",
        "        return Tensor(self.data)\n",
        "        self.requires_grad = False\n        return self\n",
        "must not change self",
    ),
    tensor(
        "2.15",
        "B52 detach keeps the graph",
        "        return Tensor(self.data)\n",
        "        return self\n",
        "make a new Tensor",
    ),
]

CHECKS = [
    gradcheck(
        "2.16",
        "a plain sum",
        "    weights = rng.standard_normal(y.shape)\n",
        "    weights = np.ones(y.shape)\n",
        "random numbers",
    ),
    gradcheck(
        "2.16",
        "float32",
        "as_tensor(x).data.astype(np.float64)",
        "as_tensor(x).data.copy()",
        "float32 has 7 digits",
    ),
    gradcheck(
        "2.16",
        "both columns by backward",
        "rows.append(Row(analytic, measure(total, x)))",
        "rows.append(Row(analytic, analytic))",
        "must not come from backward",
    ),
    gradcheck(
        "2.16",
        "a forward difference",
        "(f(x + step) - f(x - step)).real / (2 * CENTRAL_STEP)",
        "(f(x + step) - f(x)).real / CENTRAL_STEP",
        "put x in the middle",
    ),
    gradcheck(
        "2.16",
        "the columns exchanged",
        "rows.append(Row(analytic, measure(total, x)))",
        "rows.append(Row(measure(total, x), analytic))",
        "the columns are exchanged",
    ),
    gradcheck(
        "2.16",
        "half of the run",
        "/ (2 * CENTRAL_STEP)",
        "/ CENTRAL_STEP",
        "divide the rise by 2 h",
    ),
    gradcheck(
        "2.16",
        "complex_step is ignored",
        "measure_complex if complex_step else measure_central",
        "measure_central",
        "measure_complex",
    ),
    gradcheck(
        "2.16",
        "an unused input",
        "np.zeros_like(x) if leaf.grad is None else leaf.grad",
        "leaf.grad",
        "the grad of an input that is not used is None",
    ),
]

SUMS_OF_PRODUCTS = [
    einsum(
        "2.17",
        "letters exchanged",
        "others = [*inputs[:i], *inputs[i + 1 :]]",
        "others = [*inputs[i + 1 :], *inputs[:i]]",
        "Letters and operands stand in the same order",
        state="error",
    ),
    einsum(
        "2.17",
        "letters of the input only",
        "np.broadcast_to(summed.reshape(kept), shape)",
        "summed.reshape(kept)",
        "the right numbers",
    ),
    einsum(
        "2.17",
        "no gradient",
        'Tensor.from_op(y, *edges, op="einsum")',
        'Tensor.from_op(y, op="einsum")',
        "all zeros",
    ),
]

MUTANTS = [
    *WRAP,
    *SHAPES,
    *BACK_FROM_COPIES,
    *OPERATORS,
    *FUNCTIONS,
    *BACKWARD,
    *REDUCTIONS,
    *MOVES,
    *INDEXING,
    *JOINING,
    *PRODUCTS,
    *SOFTMAX,
    *SWITCHES,
    *CHECKS,
    *SUMS_OF_PRODUCTS,
]

# Rows that no test may look at, because docs/conventions.md leaves them open.
LEFT_OPEN = {
    "B51",  # the course has no product of all elements
    "B53",  # a Tensor has no item assignment
}
