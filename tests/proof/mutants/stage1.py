"""Every known mistake of stage 1, each found by the tests of its own exercise.

The numbers A01 to A29 are the rows of docs/mistakes.md. Where a cause is given, the feedback must
name it.
"""

from course.authors.mutants import Edit, Mutant, mutant

CHAIN_RULE = "                    parent.grad += partial * node.grad  # the chain rule\n"
RESET = """    for node in order:
        if node.parents:
            node.grad = 0.0
"""
WALK = """    for node in reversed(order):
        if node.grad:
            for parent, partial in zip(node.parents, node.partials):
                if partial:
                    parent.grad += partial * node.grad  # the chain rule
"""
RETURN_ORDER = "    return order\n"
SEARCH = """    order: list[N] = []
    seen = {root}
    stack = [(root, iter(root.parents))]
    while stack:
        node, unvisited = stack[-1]
        for parent in unvisited:
            if parent not in seen:
                seen.add(parent)
                stack.append((parent, iter(parent.parents)))
                break
        else:  # every parent is in the order already
            order.append(node)
            stack.pop()
    return order
"""
RELU = """        if self.data <= 0:
            return switched_off("relu", self)
        return Value(self.data, (self,), (d_relu(self.data),), "relu")
"""
RELU_AS_NUMBER = """        y = 0.0 if self.data <= 0 else self.data
        return Value(y, (self,), """
KEEP_DATA = "self.data: float = data if type(data) is float else as_float(data)"


def overwrite(op):
    """The chain rule with `=` in place of `+=` for one operation only."""
    return f"""                    if node.op == "{op}":
                        parent.grad = partial * node.grad
                    else:
                        parent.grad += partial * node.grad
"""


def backward(name, old, new, cause="", exercise="1.6", **more):
    return mutant(name, exercise, "graph.py", old, new, cause, **more)


def value(name, exercise, old, new, cause="", **more):
    return mutant(name, exercise, "value.py", old, new, cause, **more)


def rule(name, old, new, cause="", exercise="1.2", **more):
    return mutant(name, exercise, "derivatives.py", old, new, cause, **more)


def neuron(name, old, new, cause="", exercise="1.9", **more):
    return mutant(name, exercise, "neuron.py", old, new, cause, **more)


def moons(name, old, new, cause="", **more):
    return mutant(name, "1.10", "moons.py", old, new, cause, **more)


def dual(name, old, new, cause="", exercise="1.12", **more):
    return mutant(name, exercise, "dual.py", old, new, cause, **more)


def check(name, old, new, cause="", exercise="1.8", **more):
    return mutant(name, exercise, "gradcheck.py", old, new, cause, **more)


RULER = "    return (f(x + h) - f(x - h)) / (2 * h)\n"

SLOPE_BY_RULER = [
    check(
        "forward difference", RULER, "    return (f(x + h) - f(x)) / h\n", "from x to x + h", "1.1"
    ),
    check("backward difference", RULER, "    return (f(x) - f(x - h)) / h\n", "x - h to x;", "1.1"),
    check("the run is 2 h long", RULER, RULER.replace("(2 * h)", "h"), "2 h long, not h", "1.1"),
    check("no brackets", RULER, RULER.replace("(2 * h)", "2 * h"), "brackets around 2 * h", "1.1"),
    check(
        "ends exchanged",
        RULER,
        RULER.replace("x + h", "x - h", 1).replace("- f(x - h)", "- f(x + h)"),
        "in this order",
        "1.1",
    ),
    check(
        "h ignored",
        RULER,
        RULER.replace("    return", "    h = 1e-3\n    return"),
        "h is a parameter",
        "1.1",
    ),
    check("not divided", RULER, "    return f(x + h) - f(x - h)\n", "divide it", "1.1"),
]

RULES = [
    rule("d_sub without its sign", "return 1.0, -1.0", "return 1.0, 1.0", "falls when b grows"),
    rule("d_mul exchanged", "return b, a\n", "return a, b\n", "exchanged"),
    rule("A18 sign lost in d_div", "-a / b / b", "a / b / b", "sign of the second slope"),
    rule("A18 square lost in d_div", "-a / b / b", "-a / b", "the square is lost"),
    rule("d_div without brackets", "-a / b / b", "-a / b * b", "brackets around b * b"),
    rule("d_div without a", "-a / b / b", "-1 / b / b", "the factor a is lost"),
    rule(
        "d_pow without b",
        "return b * power(a, b - 1) if",
        "return power(a, b - 1) if",
        "the factor b is lost",
    ),
    rule(
        "d_pow keeps the exponent",
        "return b * power(a, b - 1) if",
        "return b * power(a, b) if",
        "the exponent goes down",
    ),
    rule(
        "A16 no care for x ** 0 at 0",
        "return b * power(a, b - 1) if b != 0 else 0.0",
        "return b * a ** (b - 1)",
        "0 has no negative power",
        state="error",
    ),
    rule(
        "d_exponent without the logarithm",
        "return power(a, b) * math.log(a)",
        "return power(a, b)",
        "ln(a) is lost",
    ),
    rule(
        "d_exponent to the base 10",
        "power(a, b) * math.log(a)",
        "power(a, b) * math.log10(a)",
        "math.log10",
    ),
    rule(
        "d_exponent at 0",
        "    if a > 0:\n        return power",
        "    if a >= 0:\n        return power",
        "math.log needs a number above 0",
        state="error",
    ),
    rule(
        "d_exponent at 0 for a negative exponent",
        "return -math.inf if b < 0 else 0.0",
        "return 0.0",
        "the slope is -inf for b < 0",
    ),
    rule(
        "d_exponent of a negative base by the size",
        "    if a > 0:\n        return power(a, b) * math.log(a)\n",
        "    if a != 0:\n        return power(a, b) * math.log(abs(a))\n",
        "a real number only here and there",
    ),
]

OPERATORS = [
    value(
        "A10 __radd__ missing",
        "1.3",
        "def __radd__",
        "def radd",
        "With a plain number on the left Python asks the right operand for its reflected method",
        state="error",
    ),
    value(
        "A11 __rsub__ missing",
        "1.3",
        "def __rsub__",
        "def rsub",
        "With a plain number on the left Python asks the right operand for its reflected method",
        state="error",
    ),
    value(
        "A12 __rsub__ exchanged",
        "1.3",
        "return as_value(other) - self",
        "return self - as_value(other)",
        "__rsub__ gets the RIGHT operand",
    ),
    value(
        "__rmul__ missing",
        "1.3",
        "def __rmul__",
        "def rmul",
        "With a plain number on the left Python asks the right operand for its reflected method",
        state="error",
    ),
    value("- copied from +", "1.3", "d_sub(a, b)", "d_add(a, b)", "a - b falls when b grows"),
    value("* with partials exchanged", "1.3", "d_mul(a, b)", "d_mul(b, a)", "exchanged"),
    value("neg without its sign", "1.3", "(-1.0,)", "(1.0,)", "sign is flipped"),
    value(
        "+ without parents",
        "1.3",
        'Value(a + b, (self, other), d_add(a, b), "+")',
        "Value(a + b)",
        "does not lead back",
    ),
    value(
        "- without partials",
        "1.3",
        'Value(a - b, (self, other), d_sub(a, b), "-")',
        "Value(a - b, (self, other))",
        "each parent needs its own partial",
    ),
    value(
        "* forgets to return",
        "1.3",
        'return Value(a * b, (self, other), d_mul(a, b), "*")',
        "Value(a * b, (self, other), d_mul(a, b))",
        "is the `return` missing?",
    ),
    value(
        "* only with Values",
        "1.3",
        '"""self * other."""\n        other = other if isinstance(other, Value) else Value(other)',
        '"""self * other."""',
        "An operand may be a plain number",
        state="error",
    ),
    value(
        "+ in place",
        "1.3",
        '        return Value(a + b, (self, other), d_add(a, b), "+")',
        "        self.data = a + b\n        return self",
        "it does not lead back to its operands",
    ),
    value(
        "A28 += changes the node",
        "1.3",
        "    def __radd__",
        "    def __iadd__(self, other):\n        self.data += as_value(other).data\n"
        "        return self\n\n    def __radd__",
        "a += 2 changed the node",
    ),
    value(
        "a pair of equal parents counted once",
        "1.3",
        'return Value(a * b, (self, other), d_mul(a, b), "*")',
        'return Value(a * b, (self,) if self is other else (self, other), d_mul(a, b), "*")',
        "each parent needs its own partial",
    ),
]

DIVISION_AND_POWER = [
    value(
        "A13 __rtruediv__ missing",
        "1.4",
        "def __rtruediv__",
        "def rtruediv",
        "With a plain number on the left Python asks the right operand for its reflected method",
        state="error",
    ),
    value(
        "A13 __rtruediv__ exchanged",
        "1.4",
        "return as_value(other) / self",
        "return self / as_value(other)",
        "__rtruediv__ gets the RIGHT operand",
    ),
    value("/ with * partials", "1.4", "d_div(a, b)", "d_mul(a, b)", "that is the partial of a * b"),
    value(
        "A14 __rpow__ missing",
        "1.4",
        "def __rpow__",
        "def rpow",
        "With a plain number on the left Python asks the right operand for its reflected method",
        state="error",
    ),
    value(
        "__rpow__ exchanged",
        "1.4",
        "return as_value(other) ** self",
        "return self ** as_value(other)",
        "__rpow__ gets the EXPONENT",
    ),
    value(
        "A15 exponent without gradient",
        "1.4",
        "        if isinstance(other, Value):\n"
        '            return Value(y, (self, other), (d_pow(a, b), d_exponent(a, b)), "**")\n',
        "",
        "an exponent that is a Value is a parent too",
    ),
    value(
        "exponent with the slope of the base",
        "1.4",
        "(d_pow(a, b), d_exponent(a, b))",
        "(d_pow(a, b), d_pow(a, b))",
        "this is the partial by the base",
    ),
    Mutant(
        "A17 the root of a negative number is complex",
        "1.4",
        (
            Edit("value.py", "if a < 0 and b % 1 != 0:", "if False:"),
            Edit("value.py", "y = power(a, b)", "y = a**b"),
            Edit("value.py", KEEP_DATA, "self.data = data"),
        ),
        "complex number",
    ),
    Mutant(
        "A19 division by ** -1 fails for integers of NumPy",
        "1.4",
        (
            Edit("value.py", "return Value(a / b, (self", "return Value(a * b**-1, (self"),
            Edit("value.py", KEEP_DATA, "self.data = data"),
        ),
        "An integer of NumPy has no negative power",
        state="error",
    ),
    value(
        "A20 exponents of NumPy refused",
        "1.4",
        "        a, b = self.data, as_value(other).data\n",
        "        assert isinstance(other, int | float | Value)\n"
        "        a, b = self.data, as_value(other).data\n",
        "Your own assert refuses what the test gives",
        state="error",
    ),
    value(
        "0 in the denominator is infinite",
        "1.4",
        "        if b == 0:\n            raise",
        "        if b == 0:\n            return Value(math.inf)\n        if b == 0:\n"
        "            raise",
        "check the denominator",
    ),
    value(
        "an overflow in a power",
        "1.4",
        "y = power(a, b)",
        "y = a**b",
        "power(a, b) gives infinity",
        state="error",
    ),
    value(
        "0 to a negative power is infinite",
        "1.4",
        "if a == 0 and b < 0:",
        "if False:",
        "divides by zero",
    ),
    value(
        "no negative base at all",
        "1.4",
        "if a < 0 and b % 1 != 0:",
        "if a < 0:",
        "This power is a real number",
        state="error",
    ),
    value(
        "no root of 0",
        "1.4",
        "if a < 0 and b % 1 != 0:",
        "if a <= 0 and b % 1 != 0:",
        "This power is a real number",
        state="error",
    ),
    value(
        "no root below 1",
        "1.4",
        "if a < 0 and b % 1 != 0:",
        "if a < 1 and b % 1 != 0:",
        "This power is a real number",
        state="error",
    ),
]

ORDER = [
    backward(
        "A07 a node once per path",
        "            if parent not in seen:\n",
        "            if True:\n",
        "more than once",
        "1.5",
    ),
    backward(
        "A08 recursion",
        SEARCH,
        """    order, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for parent in node.parents:
                visit(parent)
            order.append(node)

    visit(root)
    return order
""",
        "loop with a list as stack",
        "1.5",
        state="error",
    ),
    backward("reversed order", RETURN_ORDER, "    return order[::-1]\n", "reverse order", "1.5"),
    backward(
        "the root is missing", RETURN_ORDER, "    return order[:-1]\n", "a node is missing", "1.5"
    ),
    backward("the order is empty", RETURN_ORDER, "    return []\n", "a node is missing", "1.5"),
    backward(
        "breadth first",
        SEARCH,
        """    order, seen, queue = [], {root}, [root]
    for node in queue:
        order.append(node)
        for parent in node.parents:
            if parent not in seen:
                seen.add(parent)
                queue.append(parent)
    return order[::-1]
""",
        "before one of its parents",
        "1.5",
    ),
    backward(
        "a preorder, reversed",
        SEARCH,
        """    order, seen, stack = [], set(), [root]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            order.append(node)
            stack.extend(node.parents)
    return order[::-1]
""",
        "before one of its parents",
        "1.5",
    ),
    backward(
        "leaves are left out",
        "            order.append(node)\n",
        "            if node.parents:\n                order.append(node)\n",
        "a node is missing",
        "1.5",
    ),
    backward(
        "a loop without end",
        "            stack.pop()\n",
        "            pass\n",
        "a loop whose condition never becomes false",
        "1.5",
        state="timeout",
    ),
    backward(
        "every path is walked, each node appended once",
        SEARCH,
        """    order = []
    stack = [(root, iter(root.parents))]
    while stack:
        node, unvisited = stack[-1]
        for parent in unvisited:
            stack.append((parent, iter(parent.parents)))
            break
        else:
            if node not in order:
                order.append(node)
            stack.pop()
    return order
""",
        "follows every path",
        "1.5",
    ),
    backward(
        "seen is a list",
        SEARCH,
        SEARCH.replace("{root}", "[root]").replace("seen.add", "seen.append"),
        "keep the nodes you have seen in a set",
        "1.5",
    ),
    backward(
        "seen lives on",
        SEARCH,
        SEARCH.replace(
            "    seen = {root}\n",
            "    seen = topological_order.__dict__\n    seen[root] = True\n",
        ).replace("seen.add(parent)", "seen[parent] = True"),
        "make `seen` anew in every call",
        "1.5",
    ),
]

BACKWARD = [
    backward("A01 + overwrites", CHAIN_RULE, overwrite("+"), "overwrote the gradient"),
    backward("A02 * overwrites", CHAIN_RULE, overwrite("*"), "overwrote the gradient"),
    backward("everything overwrites", CHAIN_RULE, CHAIN_RULE.replace("+=", "="), "overwrote"),
    *(
        backward(
            f"A03 {op} overwrites", CHAIN_RULE, overwrite(op), "one of two uses is missing", "1.7"
        )
        for op in ["exp", "log", "tanh", "sigmoid", "relu"]
    ),
    backward("A03 a power overwrites", CHAIN_RULE, overwrite("** 3"), "one of the two powers"),
    backward(
        "A04 no order at all",
        WALK,
        """
    def send(node):
        for parent, partial in zip(node.parents, node.partials):
            parent.grad += partial * node.grad
            send(parent)

    send(root)
""",
        "passed its gradient on before both",
    ),
    backward(
        "A05 each node once, at its first visit",
        WALK,
        """    done, queue = set(), [root]
    while queue:
        node = queue.pop()
        if node not in done:
            done.add(node)
            for parent, partial in zip(node.parents, node.partials):
                parent.grad += partial * node.grad
                queue.append(parent)
""",
        "one of its two uses only",
    ),
    backward(
        "A06 parents before children",
        "in reversed(order)",
        "in order",
        "parents were visited before their children",
    ),
    backward("A09 inner nodes keep their gradient", RESET, "", "no leaf still held the gradient"),
    backward(
        "inner nodes are cleared after the walk",
        CHAIN_RULE,
        f"{CHAIN_RULE}{RESET}",
        "before the walk, not after it",
    ),
    backward(
        "leaves are reset too",
        "        if node.parents:\n            node.grad = 0.0\n",
        "        node.grad = 0.0\n",
        "the leaves were reset",
    ),
    backward(
        "A25 no gradient from above",
        CHAIN_RULE,
        CHAIN_RULE.replace(" * node.grad", ""),
        "not multiplied with the gradient from above",
    ),
    backward(
        "A25 relu ignores the gradient from above",
        CHAIN_RULE,
        CHAIN_RULE.replace("node.grad", '(1.0 if node.op == "relu" else node.grad)'),
        "not multiplied with the gradient from above",
        "1.7",
    ),
    backward(
        "no partials",
        CHAIN_RULE,
        CHAIN_RULE.replace("partial * ", ""),
        "passed on without the partial",
    ),
    backward(
        "partials added along the path",
        CHAIN_RULE,
        CHAIN_RULE.replace("partial * node.grad", "partial + node.grad"),
        "multiply the gradient of the result by the partial",
    ),
    backward(
        "the root starts with 0",
        "    root.grad += 1.0",
        "    root.grad += 0.0",
        "does the root start with 1.0",
    ),
    backward(
        "only the first parent",
        CHAIN_RULE,
        CHAIN_RULE + "                break\n",
        "only the first parent received",
    ),
    backward(
        "the last node is left out",
        "in reversed(order)",
        "in reversed(order[:-1])",
        "nothing arrived",
    ),
    backward(
        "a leaf as root starts again",
        "    root.grad += 1.0",
        "    root.grad = 1.0",
        "a leaf accumulates also where it is the root",
    ),
]

FUNCTIONS = [
    value(
        "A21 exp with the slope of its input",
        "1.7",
        "d_exp(y)",
        "d_exp(self.data)",
        "d_exp wants the output",
    ),
    value(
        "A22 tanh from exp overflows",
        "1.7",
        "y = math.tanh(self.data)",
        "e = math.exp(2 * self.data)\n        y = (e - 1) / (e + 1)",
        "The result is beyond the largest float",
        state="error",
    ),
    value(
        "A23 sigmoid overflows",
        "1.7",
        "        if self.data >= 0:\n            y = 1",
        "        if True:\n            y = 1",
        "The result is beyond the largest float",
        state="error",
    ),
    value("A24 tanh with 1 - x * x", "1.7", "d_tanh(y)", "d_tanh(self.data)", "1 - x**2"),
    value(
        "A26 relu's mask from its output",
        "1.7",
        RELU,
        RELU_AS_NUMBER + '(1.0 if y >= 0 else 0.0,), "relu")\n',
        "0 >= 0 is true",
    ),
    value(
        "A27 relu by max hides NaN",
        "1.7",
        RELU,
        RELU_AS_NUMBER.replace("0.0 if self.data <= 0 else self.data", "max(0.0, self.data)")
        + '(d_relu(self.data),), "relu")\n',
        "hides the NaN",
    ),
    value(
        "exp overflows",
        "1.7",
        "y = math.inf if self.data > LARGEST_EXPONENT else math.exp(self.data)",
        "y = math.exp(self.data)",
        "The result is beyond the largest float",
        state="error",
    ),
    value(
        "log to the base 10",
        "1.7",
        "Value(math.log(self.data)",
        "Value(math.log10(self.data)",
        "the natural logarithm",
    ),
    value(
        "log with the slope of its output",
        "1.7",
        "d_log(self.data)",
        "d_log(math.log(self.data))",
        "d_log wants the input",
    ),
    value(
        "log of 0 is infinite",
        "1.7",
        "        if self.data <= 0:\n            raise",
        "        if self.data == 0:\n            return Value(-math.inf)\n"
        "        if self.data <= 0:\n            raise",
        "above 0 first",
    ),
    value("sigmoid with x * (1 - x)", "1.7", "d_sigmoid(y)", "d_sigmoid(self.data)", "the input"),
    value(
        "a leaky relu",
        "1.7",
        RELU,
        RELU_AS_NUMBER.replace("0.0 if", "0.01 * self.data if") + '(d_relu(self.data),), "relu")\n',
        "leaky",
    ),
    rule(
        "d_tanh without its square", "return 1 - y * y\n", "return 1 - y\n", "square is lost", "1.7"
    ),
    rule(
        "d_tanh computes tanh again",
        "return 1 - y * y\n",
        "return 1 - math.tanh(y) ** 2\n",
        "tanh(x) already",
        "1.7",
    ),
    rule("d_sigmoid without y", "return y * (1 - y)", "return 1 - y", "factor y is lost", "1.7"),
    rule(
        "d_relu is relu",
        "    return 1.0 if x > 0 else 0.0\n",
        "    return x if x > 0 else 0.0\n",
        "this is relu itself",
        "1.7",
    ),
    rule(
        "d_log is log",
        '    """d log(x)/dx, from the input x."""\n    return 1 / x',
        '    """d log(x)/dx, from the input x."""\n    return math.log(x)',
        "the logarithm itself",
        "1.7",
    ),
    value(
        "exp infinite too early",
        "1.7",
        "self.data > LARGEST_EXPONENT",
        "self.data > 700",
        "still fits",
    ),
    value(
        "log of a fraction refused",
        "1.7",
        "if self.data <= 0:\n            raise",
        "if self.data <= 0.5:\n            raise",
        "Every number above 0 has a logarithm",
        state="error",
    ),
]

GRADIENT_CHECK = [
    check(
        "always the last input",
        "central_difference(along_input_i, x))",
        "central_difference(lambda xi: f(*[Value(x) for x in [*inputs[:-1], xi]]).data, x))",
        "sees the last i",
    ),
    check(
        "columns exchanged",
        "rows.append(Row(leaves[i].grad, central_difference(along_input_i, x)))",
        "rows.append(Row(central_difference(along_input_i, x), leaves[i].grad))",
        "the two columns are exchanged",
    ),
    check(
        "both columns by backward",
        "central_difference(along_input_i, x)))",
        "leaves[i].grad))",
        "must not come from backward",
    ),
    check(
        "the tolerance is lost",
        "return GradCheck(rows, len(inputs), tolerance)",
        "return GradCheck(rows, len(inputs), 1e-6)",
        "within",
    ),
    check(
        "only the first row",
        "return GradCheck(rows, len(inputs), tolerance)",
        "return GradCheck(rows[:1], len(inputs), tolerance)",
        "one row for each input",
    ),
    check("no backward", "    y.backward()\n", "", "nobody walked backward"),
]

NETWORK = [
    neuron(
        "no bias",
        "dot(self.w, x, self.b, self.nonlin)",
        "dot(self.w, x, Value(0.0), self.nonlin)",
        "the bias is missing",
    ),
    neuron(
        "no relu",
        "dot(self.w, x, self.b, self.nonlin)",
        "dot(self.w, x, self.b)",
        "the relu is missing",
    ),
    neuron(
        "always a relu",
        "dot(self.w, x, self.b, self.nonlin)",
        "dot(self.w, x, self.b, True)",
        "nonlin=False means no relu",
    ),
    neuron(
        "the bias outside of the relu",
        "dot(self.w, x, self.b, self.nonlin)",
        "dot(self.w, x, Value(0.0), self.nonlin) + self.b",
        "the bias goes inside the relu",
    ),
    neuron(
        "the bias is no parameter",
        "return [*self.w, self.b]",
        "return [*self.w]",
        "the bias is a parameter too",
    ),
    neuron(
        "copies as parameters",
        "return [*self.w, self.b]",
        "return [Value(p.data) for p in [*self.w, self.b]]",
        "not copies",
    ),
    neuron(
        "weights between 0 and 1",
        "rng.uniform(-1, 1, size=n_in)",
        "rng.uniform(size=n_in)",
        "rng.uniform(-1, 1)",
    ),
    neuron(
        "every neuron with the same seed",
        "self.neurons = [Neuron(n_in, nonlin, rng) for",
        "self.neurons = [Neuron(n_in, nonlin, np.random.default_rng(0)) for",
        "hand the same generator on",
    ),
    neuron(
        "rng is ignored",
        '        rng = generator("Neuron", rng)\n        self.w',
        "        rng = np.random.default_rng()\n        self.w",
        "hand rng on",
    ),
    neuron(
        "the last layer is bent",
        "nonlin=i != last",
        "nonlin=True",
        "the last layer must not be bent",
    ),
    neuron(
        "only the last layer is bent",
        "nonlin=i != last",
        "nonlin=i == last",
        "the last layer must not be bent",
    ),
    neuron(
        "a list of one",
        "return out[0] if len(out) == 1 else out",
        "return out",
        "not a list of one",
    ),
    neuron(
        "a hidden layer of one",
        "x = [out] if isinstance(out, Value) else out",
        "x = out",
        "A layer of one neuron returns a bare Value",
        state="error",
    ),
    neuron(
        "zip ends early",
        "dot(self.w, x, self.b, self.nonlin)",
        "dot(self.w[: len(x)], x[: len(self.w)], self.b, self.nonlin)",
        "zip stops",
    ),
    neuron(
        "parameters of the first layer only",
        "return [p for layer in self.layers for",
        "return [p for layer in self.layers[:1] for",
        "these are those of the first layer",
    ),
    neuron(
        "zero_grad skips the first",
        "for p in self.parameters():\n            p.grad",
        "for p in self.parameters()[1:]:\n            p.grad",
        "the first one was left out",
    ),
    neuron(
        "every layer as wide as the input",
        "Layer(sizes[i], sizes[i + 1]",
        "Layer(n_in, sizes[i + 1]",
        "not chained",
    ),
    neuron(
        "every neuron from one seed",
        '        rng = generator("Neuron", rng)\n',
        "        rng = rng or np.random.default_rng(0)\n",
        "None stands for a fresh generator",
    ),
    neuron(
        "every network from one seed",
        '        rng = generator("MLP", rng)\n',
        "        rng = rng or np.random.default_rng(0)\n",
        "None stands for a fresh generator",
    ),
    neuron(
        "every layer from one seed",
        "nonlin=i != last, rng=rng)",
        "nonlin=i != last, rng=np.random.default_rng(0))",
        "hand the same generator on to all layers",
    ),
    neuron(
        "a seed as generator",
        '        rng = generator("Neuron", rng)\n',
        "        rng = np.random.default_rng(rng)\n",
        "refuse a seed",
    ),
]

TRAINING = [
    moons(
        "the sum, not the mean",
        "sum(costs, Value(0.0)) / len(costs)",
        "sum(costs, Value(0.0))",
        "the mean is asked for",
    ),
    moons(
        "no relu",
        "[(1 - label * model(point)).relu() for",
        "[(1 - label * model(point)) for",
        "beyond the margin",
    ),
    moons(
        "the sign of the margin",
        "(1 - label * model(point))",
        "(1 + label * model(point))",
        "the sign is wrong",
    ),
    moons("no penalty", " + alpha * penalty", "", "the penalty is missing"),
    moons("a penalty without squares", "sum((p * p for p", "sum((p for p", "adds up squares"),
    moons("half a penalty", " + alpha * penalty", " + alpha / 2 * penalty", "without one half"),
    moons(
        "a penalty without gradient",
        "sum((p * p for p",
        "sum((Value(p.data) ** 2 for p",
        "the penalty has a gradient too",
    ),
    moons("uphill", "p.data -= learning_rate", "p.data += learning_rate", "went uphill"),
    moons("old gradients stay", "        model.zero_grad()\n", "", "zero_grad comes before"),
    moons(
        "zero_grad after backward",
        "        total.backward()\n",
        "        total.backward()\n        model.zero_grad()\n",
        "nothing moved",
    ),
    moons(
        "the loss computed once",
        "    for _ in range(steps):\n        model.zero_grad()\n        total = loss()\n",
        "    total = loss()\n    for _ in range(steps):\n        model.zero_grad()\n",
        "computed once",
    ),
    moons(
        "new nodes for parameters",
        "            p.data -= learning_rate * p.grad\n",
        "            p = p - learning_rate * p.grad\n",
        "nothing moved",
    ),
    moons(
        "no learning rate",
        "p.data -= learning_rate * p.grad",
        "p.data -= p.grad",
        "the learning rate is missing",
    ),
    moons(
        "losses after the step",
        "        history.append(total.data)",
        "        history.append(loss().data)",
        "after each step",
    ),
    moons("only the last loss", "    return history", "    return history[-1:]", "keep every loss"),
    moons("one step too many", "in range(steps)", "in range(steps + 1)", "one step too many"),
]

DOT = [
    neuron(
        "dot without a bias edge",
        "        slopes = 1.0, *x.numbers, *compress(w, x.are_nodes)\n"
        "        return Value(total, (bias, *",
        "        slopes = *x.numbers, *compress(w, x.are_nodes)\n        return Value(total, (*",
        "the bias is a parent too",
        "1.11",
    ),
    neuron(
        "dot without the bias",
        "x.numbers), bias.data)",
        "x.numbers))",
        "the bias is missing",
        "1.11",
    ),
    neuron(
        "dot with partials exchanged",
        "slopes = 1.0, *x.numbers,",
        "slopes = 1.0, *w,",
        "the partials are exchanged",
        "1.11",
    ),
    neuron(
        "dot without edges to inputs",
        "return Value(total, (bias, *weights, *x.nodes)",
        "return Value(total, (bias, *weights)",
        "inputs that are Values are parents too",
        "1.11",
    ),
    neuron(
        "dot of unequal lengths",
        "if len(weights) != len(inputs):",
        "if False:",
        "zip stops",
        "1.11",
    ),
    neuron(
        "dot as many nodes",
        "        w = [weight.data for weight in weights]\n",
        "        return sum((w * x for w, x in zip(weights, inputs)), bias)\n",
        "a single Value",
        "1.11",
    ),
]

DUAL = [
    dual(
        "the product of derivatives",
        "da * self.derivative + db * other.derivative)\n\n    def __rmul__",
        "self.derivative * other.derivative)\n\n    def __rmul__",
        "not the product of the derivatives",
    ),
    dual(
        "shares exchanged",
        "da, db = d_mul(self.value, other.value)",
        "db, da = d_mul(self.value, other.value)",
        "the shares are exchanged",
    ),
    dual(
        "/ with the rule of *",
        "da, db = d_div(self.value, other.value)",
        "da, db = d_mul(self.value, other.value)",
        "that is the rule of a product",
    ),
    dual(
        "** loses what came in",
        "d_pow(self.value, exponent) * self.derivative)",
        "d_pow(self.value, exponent))",
        "must be multiplied in",
    ),
    dual("exp loses what came in", "d_exp(y) * self.derivative", "d_exp(y)", "multiplied in"),
    dual("tanh loses what came in", "d_tanh(y) * self.derivative", "d_tanh(y)", "multiplied in"),
    dual(
        "+ keeps one derivative",
        "self.derivative + other.derivative)",
        "self.derivative)",
        "both derivatives are added",
    ),
    dual(
        "neg keeps the derivative",
        "Dual(-self.value, -self.derivative)",
        "Dual(-self.value, self.derivative)",
        "the derivative of -x is negative too",
    ),
    dual(
        "seed 0",
        "as_dual(f(Dual(x, 1.0))).derivative",
        "as_dual(f(Dual(x, 0.0))).derivative",
        "must start with derivative 1",
    ),
    dual(
        "the value, not the derivative",
        "as_dual(f(Dual(x, 1.0))).derivative",
        "as_dual(f(Dual(x, 1.0))).value",
        "this is the value",
    ),
    dual(
        "a constant has no derivative",
        "as_dual(f(Dual(x, 1.0))).derivative",
        "f(Dual(x, 1.0)).derivative",
        "A function may return a plain number",
        state="error",
    ),
    dual(
        "/ only with Duals",
        '"""self / other."""\n        other = as_dual(other)\n',
        '"""self / other."""\n',
        "An operand may be a plain number",
        state="error",
    ),
]

SECOND = [
    dual(
        "the first derivative",
        "    return leaf.grad\n",
        "    return slope.data\n",
        "this is the first derivative",
        "1.13",
    ),
    dual(
        "a straight line",
        "    if isinstance(slope, Value):",
        "    if True:",
        "A function may return a plain number",
        "1.13",
        state="error",
    ),
    dual(
        "another leaf",
        "slope = derivative(f, leaf)",
        "slope = derivative(f, Value(x))",
        "nothing arrived",
        "1.13",
    ),
]

MUTANTS = [
    *SLOPE_BY_RULER,
    *RULES,
    *OPERATORS,
    *DIVISION_AND_POWER,
    *ORDER,
    *BACKWARD,
    *FUNCTIONS,
    *GRADIENT_CHECK,
    *NETWORK,
    *TRAINING,
    *DOT,
    *DUAL,
    *SECOND,
]

# Rows that no test may look at, because docs/conventions.md leaves them open.
LEFT_OPEN = {"A29"}  # data may only be changed between steps, so late reading cannot be seen
