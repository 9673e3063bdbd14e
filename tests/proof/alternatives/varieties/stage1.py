"""Exercises of stage 1, written otherwise and rightly."""

from course.authors.mutants import Variety

VARIETIES = [
    Variety(
        "1.3",
        "a difference is the sum with what is negated",
        "value.py",
        """
        class Value:
            def __sub__(self, other):
                return self + -as_value(other)

            def __neg__(self):
                return self * -1.0
        """,
    ),
    Variety(
        "1.4",
        "a quotient is the product with a power",
        "value.py",
        """
        class Value:
            def __truediv__(self, other):
                return self * as_value(other) ** -1.0
        """,
    ),
    Variety(
        "1.5",
        "Kahn's order: whose users have all come",
        "graph.py",
        """
        def topological_order(root):
            users = {root: 0}
            found = [root]
            for node in found:
                for parent in node.parents:
                    if parent not in users:
                        users[parent] = 0
                        found.append(parent)
                    users[parent] += 1
            order, ready = [], [root]
            while ready:
                node = ready.pop()
                order.append(node)
                for parent in node.parents:
                    users[parent] -= 1
                    if not users[parent]:
                        ready.append(parent)
            return order[::-1]
        """,
    ),
    Variety(
        "1.5",
        "a set of the ids of what was visited, and a stack of nodes and marks",
        "graph.py",
        """
        def topological_order(root):
            order, visited, stack = [], set(), [(root, False)]
            while stack:
                node, parents_are_done = stack.pop()
                if parents_are_done:
                    order.append(node)
                elif id(node) not in visited:
                    visited.add(id(node))
                    stack.append((node, True))
                    stack.extend((parent, False) for parent in reversed(node.parents))
            return order
        """,
    ),
    Variety(
        "1.5",
        "three colours",
        "graph.py",
        """
        def topological_order(root):
            white, grey, black = range(3)
            colour, order, stack = {}, [], [root]
            while stack:
                node = stack[-1]
                if colour.get(node, white) == white:
                    colour[node] = grey
                    stack += [p for p in node.parents if colour.get(p, white) == white]
                else:
                    stack.pop()
                    if colour[node] == grey:
                        colour[node] = black
                        order.append(node)
            return order
        """,
    ),
    Variety(
        "1.6",
        "the gradients of a walk in a dict",
        "graph.py",
        """
        def backward(root):
            order = topological_order(root)
            received = dict.fromkeys(order, 0.0)
            received[root] = 1.0
            for node in reversed(order):
                for parent, partial in zip(node.parents, node.partials):
                    received[parent] += partial * received[node]
            for node, g in received.items():
                node.grad = g if node.parents else node.grad + g
        """,
    ),
    Variety(
        "1.7",
        "exp catches the overflow, sigmoid is half of a tanh",
        "value.py",
        """
        class Value:
            def exp(self):
                try:
                    y = math.exp(self.data)
                except OverflowError:
                    y = math.inf
                return Value(y, (self,), (y,), "exp")

            def sigmoid(self):
                y = 0.5 * (1 + math.tanh(0.5 * self.data))
                return Value(y, (self,), (y * (1 - y),), "sigmoid")

            def relu(self):
                x = self.data
                return Value(max(x, 0.0), (self,), (float(x > 0),), "relu")
        """,
    ),
    Variety(
        "1.7",
        "sigmoid by the absolute value, tanh by exp",
        "value.py",
        """
        class Value:
            def sigmoid(self):
                small = math.exp(-abs(self.data))
                y = (1.0 if self.data >= 0 else small) / (1 + small)
                return Value(y, (self,), (y * (1 - y),), "sigmoid")

            def tanh(self):
                small = math.expm1(-2 * abs(self.data))
                y = math.copysign(-small / (2 + small), self.data)
                return Value(y, (self,), (1 - y * y,), "tanh")
        """,
    ),
    Variety(
        "1.8",
        "a copy of the list, changed at one place",
        "gradcheck.py",
        """
        def gradcheck(f, *inputs, tolerance=1e-6):
            leaves = [Value(x) for x in inputs]
            f(*leaves).backward()
            rows = []
            for i, leaf in enumerate(leaves):
                ends = []
                for step in (1e-5, -1e-5):
                    moved = list(inputs)
                    moved[i] += step
                    ends.append(f(*map(Value, moved)).data)
                rows.append(Row(leaf.grad, (ends[0] - ends[1]) / 2e-5))
            return GradCheck(rows, len(inputs), tolerance)
        """,
    ),
    Variety(
        "1.9",
        "a neuron of products and sums",
        "neuron.py",
        """
        class Neuron:
            def __call__(self, x):
                activation = self.b
                for w, number in zip(self.w, x, strict=True):
                    activation = activation + w * number
                return activation.relu() if self.nonlin else activation

            def parameters(self):
                return self.w + [self.b]

        class Layer:
            def parameters(self):
                return sum((neuron.parameters() for neuron in self.neurons), [])
        """,
    ),
    Variety(
        "1.10",
        "the costs are added up in a loop",
        "moons.py",
        """
        def hinge_loss(model, points, labels, alpha=1e-4):
            total = Value(0.0)
            for point, label in zip(points, labels):
                total = total + (1 - model(point) * label).relu()
            loss = total * (1 / len(points))
            for p in model.parameters():
                loss = loss + alpha * p**2
            return loss

        def train(model, loss, steps, learning_rate):
            history = []
            while len(history) < steps:
                for p in model.parameters():
                    p.grad = 0.0
                root = loss()
                history.append(root.data)
                root.backward()
                for p in model.parameters():
                    p.data = p.data - learning_rate * p.grad
            return history
        """,
    ),
    Variety(
        "1.11",
        "edges first, then the sum",
        "neuron.py",
        """
        def dot(weights, inputs, bias):
            if len(weights) != len(inputs):
                raise ValueError("as many weights as inputs")
            numbers = [as_value(x).data for x in inputs]
            edges = [(bias, 1.0), *zip(weights, numbers)]
            edges += [(x, w.data) for w, x in zip(weights, inputs) if isinstance(x, Value)]
            y = sum((w.data * x for w, x in zip(weights, numbers)), bias.data)
            return Value(y, tuple(p for p, _ in edges), tuple(d for _, d in edges), "dot")
        """,
    ),
    Variety(
        "1.12",
        "a quotient is the product with a power",
        "dual.py",
        """
        class Dual:
            def __truediv__(self, other):
                return self * as_dual(other) ** -1

            def sigmoid(self):
                return 0.5 * ((0.5 * self).tanh() + 1)
        """,
    ),
]
