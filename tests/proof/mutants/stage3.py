"""Every known mistake of stage 3, each found by the tests of its own exercise.

The numbers C01 to C44 are the rows of docs/mistakes.md. Where a cause is given, the feedback must
name it.
"""

from course.authors.mutants import Edit, Mutant, in_file

module = in_file("module.py")
containers = in_file("containers.py")
linear = in_file("linear.py")
init = in_file("init.py")
activations = in_file("activations.py")
losses = in_file("losses.py")
embedding = in_file("embedding.py")
normalization = in_file("normalization.py")
dropout = in_file("dropout.py")
data = in_file("data.py")
checkpoint = in_file("checkpoint.py")
convolution = in_file("convolution.py")

WALK = "isinstance(part, list | tuple | dict)):\n        return\n"
TREE = [
    module("3.1", "C38 a shared parameter counts twice", "    seen.add(id(part))\n", "", "twice"),
    module(
        "3.1",
        "only Modules are remembered",
        "    seen.add(id(part))\n",
        "    if isinstance(part, Module):\n        seen.add(id(part))\n",
        "twice",
    ),
    module(
        "3.1",
        "C39 lists are not searched",
        WALK,
        "isinstance(part, tuple | dict)):\n        return\n",
        "look into a list too",
    ),
    module(
        "3.1",
        "dicts are not searched",
        WALK,
        "isinstance(part, list | tuple)):\n        return\n",
        "a container may hold containers",
    ),
    module(
        "3.1",
        "C40 constants count as parameters",
        "        return ((name, part) for name, part in walk(self) if isinstance(part, Parameter))",
        "        return ((name, part) for name, part in walk(self) if isinstance(part, Tensor))",
        "a Buffer is saved, not trained",
    ),
    module(
        "3.1",
        "names without the path",
        'f"{name}.{key}" if name else str(key)',
        "str(key)",
        "join the name of a Module and of its part with a dot",
    ),
    module(
        "3.1",
        "a dot before the first name",
        'f"{name}.{key}" if name else str(key)',
        'f"{name}.{key}"',
        "only Parameters count",
    ),
    module(
        "3.1",
        "self is not among the modules",
        "    if is_node:\n        yield name, part",
        "    if is_node and name:\n        yield name, part",
        'self is ""',
    ),
    module(
        "3.1",
        "equal numbers are one parameter",
        "        return [parameter for _, parameter in self.named_parameters()]",
        "        return list({p.data.tobytes(): p for _, p in self.named_parameters()}.values())",
        "tell them apart by identity",
    ),
]

STATE = [
    module(
        "3.2",
        "buffers are not saved",
        "        return {name: part.data.copy() for name, part in walk(self) "
        "if isinstance(part, Tensor)}",
        "        return {name: part.data.copy() for name, part in self.named_parameters()}",
        "every Parameter and every Buffer",
    ),
    module(
        "3.2",
        "C42 missing names are ignored",
        '        faults = [f"missing {name}" for name in mine if name not in state]',
        "        faults = []\n        mine = {name: part for name, part in mine.items() "
        "if name in state}",
        "names and shapes must agree exactly",
    ),
    module(
        "3.2",
        "text becomes numbers",
        '        state = read_arrays("load_state_dict", state)\n',
        "",
        "look at the kind of each dtype first",
    ),
    module(
        "3.2",
        "C42 unexpected names are ignored",
        '        faults += [f"unexpected {name}" for name in state if name not in mine]\n',
        "",
        "names and shapes must agree exactly",
    ),
    module(
        "3.2",
        "shapes may broadcast",
        "            if name in state and np.shape(state[name]) != part.shape\n",
        "            if name in state and np.size(state[name]) > part.size\n",
        "names and shapes must agree exactly",
    ),
    module(
        "3.2",
        "C43 loaded arrays are shared",
        "            part.data = np.array(state[name], part.dtype)",
        "            part.data = np.asarray(state[name], part.dtype)",
        "the loaded array is shared",
    ),
    module(
        "3.2",
        "C44 parameters are replaced",
        "            part.data = np.array(state[name], part.dtype)",
        "            *path, last = name.split('.')\n"
        "            owner = self\n"
        "            for key in path:\n"
        "                owner = dict(members(owner))[int(key) if key.isdigit() else key]\n"
        "            setattr(owner, last, type(part)(np.array(state[name], part.dtype)))",
        "who held it",
    ),
    module(
        "3.2",
        "the dtype changes",
        "            part.data = np.array(state[name], part.dtype)",
        "            part.data = np.array(state[name])",
        "still float32",
    ),
    module(
        "3.2",
        "half is loaded before the error",
        "        if faults:\n            raise ValueError(",
        "        for name, part in mine.items():\n"
        "            if np.shape(state.get(name)) == part.shape:\n"
        "                part.data = np.array(state[name], part.dtype)\n"
        "        if faults:\n            raise ValueError(",
        "check everything before the first copy",
    ),
]

MODES = [
    module(
        "3.3",
        "C41 only the children",
        "        for module in self.modules():\n            module.training = mode",
        "        self.training = mode\n"
        "        for child in vars(self).values():\n"
        "            if isinstance(child, Module):\n"
        "                child.training = mode",
        "lists and dicts hold Modules too",
    ),
    module(
        "3.3",
        "eval does nothing",
        "return self.train(False)",
        "return self",
        "eval() is train(False)",
    ),
    module(
        "3.3",
        "train ignores its argument",
        "            module.training = mode",
        "            module.training = True",
        "eval() is train(False), and train sets `training` to its",
    ),
    module(
        "3.3",
        "nothing comes back",
        "            module.training = mode\n        return self",
        "            module.training = mode",
        "return self",
    ),
    module(
        "3.3",
        "gradients stay",
        "            parameter.zero_grad()",
        "            pass",
        "expected  [0. 0.]",
    ),
]

LAYERS = [
    linear(
        "3.4",
        "C01 the bias is added before the product",
        "        return linear(x, self.weight, self.bias)",
        "        x = x if self.bias is None else x + self.bias.data.sum()\n"
        "        return x @ self.weight",
        "the bias is added to the product x W",
    ),
    linear(
        "3.4",
        "C01 a square weight is transposed",
        "        return linear(x, self.weight, self.bias)",
        "        square = self.weight.shape[0] == self.weight.shape[1]\n"
        "        return linear(x, self.weight.T if square else self.weight, self.bias)",
        "x W with the weight as it is",
    ),
    linear(
        "3.4",
        "C02 the bias goes along the rows",
        "        return linear(x, self.weight, self.bias)",
        "        y = x @ self.weight\n"
        "        if self.bias is not None and y.ndim == 2 and len(y) == self.bias.size:\n"
        "            return y + self.bias.reshape(-1, 1)\n"
        "        return y if self.bias is None else y + self.bias",
        "the bias was added along the rows",
    ),
    linear(
        "3.4",
        "C03 two axes only",
        "        return linear(x, self.weight, self.bias)",
        "        N, D = x.shape\n        return linear(x, self.weight, self.bias)",
        "x may have any number of axes",
        state="error",
    ),
    linear(
        "3.4",
        "the weight is (out_features, in_features)",
        "        self.weight = Parameter(init.uniform((in_features, out_features), bound, rng))",
        "        self.weight = Parameter(init.uniform((out_features, in_features), bound, rng))",
        "the weight is (in_features, out_features)",
    ),
    linear(
        "3.4",
        "no bias",
        "linear(x, self.weight, self.bias)",
        "linear(x, self.weight)",
        "the bias is missing",
    ),
    linear(
        "3.4",
        "a bias in spite of bias=False",
        "if bias else None",
        "if True else None",
        "bias=False leaves self",
    ),
    linear(
        "3.4",
        "the weight is no parameter",
        "        self.weight = Parameter(init.uniform((in_features, out_features), bound, rng))",
        "        self.weight = Tensor(init.uniform((in_features, out_features), bound, rng))",
        "weight and bias are Parameters",
    ),
    linear(
        "3.4",
        "the bound is 1 / in_features",
        "1 / math.sqrt(in_features) if in_features else 0",
        "1 / in_features",
        "in_features is 400",
    ),
    linear(
        "3.4",
        "the bound is by out_features",
        "1 / math.sqrt(in_features) if in_features else 0",
        "1 / math.sqrt(out_features)",
        "in_features is 400",
    ),
    linear(
        "3.4",
        "C37 every layer starts alike",
        '        rng = generator("Linear", rng)',
        "        rng = np.random.default_rng(0)",
        "draw from rng",
    ),
    linear(
        "3.4",
        "the generator is ignored",
        '        rng = generator("Linear", rng)',
        "        rng = np.random.default_rng()",
        "draw from rng and from nothing else",
    ),
    linear(
        "3.4",
        "the graph is cut",
        "        return linear(x, self.weight, self.bias)",
        "        return linear(x, Tensor(self.weight.data), self.bias)",
        "None",
    ),
    linear(
        "3.4",
        "the weight is float64",
        "        self.weight = Parameter(init.uniform((in_features, out_features), bound, rng))",
        "        weight = init.uniform((in_features, out_features), bound, rng).astype(float)\n"
        "        self.weight = Parameter(weight)",
        "it is float64",
    ),
]

START = [
    init(
        "3.5",
        "C35 fans exchanged",
        "    if len(shape) == 2:\n        return shape",
        "    if len(shape) == 2:\n        return shape[::-1]",
        "our weights are (in_features, out_features)",
    ),
    init(
        "3.5",
        "fans of a filter exchanged",
        "        return in_channels * height * width, out_channels * height * width",
        "        return out_channels * height * width, in_channels * height * width",
        "a filter is (out_channels, in_channels, height, width)",
    ),
    init(
        "3.5",
        "the window is forgotten",
        "        return in_channels * height * width, out_channels * height * width",
        "        return in_channels, out_channels",
        "every place of the window counts",
    ),
    init(
        "3.5",
        "C36 the bound is the std",
        "gain * math.sqrt(6 / (fan_in + fan_out))",
        "gain * math.sqrt(2 / (fan_in + fan_out))",
        "the bound was set to the standard deviation",
    ),
    init(
        "3.5",
        "the bound of He is the std",
        "gain * math.sqrt(3 / fan_in)",
        "gain / math.sqrt(fan_in)",
        "the bound was set to the standard deviation",
    ),
    init(
        "3.5",
        "C35 He by fan_out",
        '    fan_in, _ = fans(shape)\n    check_gain("he_normal", gain, fan_in)\n',
        "    _, fan_in = fans(shape)\n",
        "fan_in and fan_out are exchanged",
    ),
    init(
        "3.5",
        "He without the root",
        "    return normal(shape, gain / math.sqrt(fan_in), rng)",
        "    return normal(shape, gain**2 / fan_in, rng)",
        "that is the variance",
    ),
    init(
        "3.5",
        "Glorot by fan_in only",
        "gain * math.sqrt(2 / (fan_in + fan_out))",
        "gain / math.sqrt(fan_in)",
        "fan_in and fan_out are added",
    ),
    init(
        "3.5",
        "no gain",
        "gain * math.sqrt(2 / (fan_in + fan_out))",
        "math.sqrt(2 / (fan_in + fan_out))",
        "the gain is not used",
    ),
    init(
        "3.5",
        "uniform instead of normal",
        "    return normal(shape, gain / math.sqrt(fan_in), rng)",
        "    return uniform(shape, gain * math.sqrt(3 / fan_in), rng)",
        "normal numbers reach further",
    ),
]

BENDS = [
    activations(
        "3.6",
        "C04 relu as a product with a mask",
        "        return x.relu()",
        "        import numpy as np\n"
        '        with np.errstate(invalid="ignore"):\n'
        "            return x * (x.data > 0)",
        "-inf times 0 is NaN",
    ),
    activations(
        "3.6",
        "C05 relu writes into its input",
        "        return x.relu()",
        "        y = x.relu()\n        x.data[x.data < 0] = 0\n        return y",
        "ReLU",
    ),
    activations(
        "3.6",
        "the graph is cut",
        "        p = x.sigmoid().data\n"
        "        y = x.data * p\n"
        "        slope = (1 - p) * y + p\n"
        '        return x.from_op(y, (x, lambda g: g * slope), op="silu")\n',
        "        return x * x.sigmoid().data\n",
        ".data cuts the graph",
    ),
    activations(
        "3.6",
        "SiLU forgets x",
        "        y = x.data * p\n        slope = (1 - p) * y + p\n",
        "        y = p\n        slope = p * (1 - p)\n",
        "x times that",
    ),
    activations(
        "3.6", "the axis is ignored", "softmax(x, self.axis)", "softmax(x)", "use self.axis"
    ),
    activations(
        "3.6",
        "a sigmoid for a tanh",
        "        return x.tanh()",
        "        return x.sigmoid()",
        "that is the sigmoid",
    ),
    activations(
        "3.6",
        "sigmoid by its formula",
        "        return x.sigmoid()\n\n\nclass Tanh",
        "        return 1 / (1 + (-x).exp())\n\n\nclass Tanh",
        "use a form in which it gets no positive number",
        state="error",
    ),
    activations(
        "3.6",
        "GELU by the sigmoid",
        "stage2_tensor.gelu(x)",
        "x * (1.702 * x).sigmoid()",
        "that is the sigmoid form",
    ),
]

ROWS = [
    containers(
        "3.7",
        "each gets the first input",
        "            x = module(x)\n        return x",
        "            y = module(x)\n        return y",
        "hand on the output",
        state="wrong",
    ),
    containers(
        "3.7",
        "in reverse",
        "        for module in self:\n",
        "        for module in reversed(list(self)):\n",
        "in reverse order",
    ),
    containers(
        "3.7",
        "the list is no part of the tree",
        "        vars(self)[str(len(self))] = module",
        '        vars(self).setdefault("_hidden", []).append(module)',
        "no Module was found",
    ),
    containers(
        "3.7",
        "every Module is named 0",
        "        vars(self)[str(len(self))] = module",
        '        vars(self)["0"] = module',
        "the last Module alone",
    ),
    containers(
        "3.7",
        "anything goes in",
        "        if not isinstance(module, Module):",
        "        if False:",
        "it holds Modules",
    ),
]

HUBER = """    target = x.operand(target)
    d = x.data - target.data
    slope = np.clip(d, -delta, delta)
    losses = (-0.5 * slope + d) * slope
    return reduce(of_distance("huber", x, target, losses, slope), reduction)
"""
COMPOSED_HUBER = """    distance = (x - target).abs()
    bowl = 0.5 * distance * distance
    line = delta * (distance - 0.5 * delta)
    return reduce(where(distance <= delta, bowl, line), reduction)
"""
YES_OR_NO = """    target = x.operand(target)
    z, t, p = x.data, target.data, x.sigmoid().data
    losses = np.maximum(z, 0) - z * t - np.log(np.maximum(p, 1 - p))
    edges = (x, lambda g: g * (p - t)), (target, lambda g: -g * z)
    return reduce(x.from_op(losses, *edges, op="binary_cross_entropy"), reduction)
"""

DISTANCES = [
    losses(
        "3.8",
        "C06 shapes may broadcast",
        "    if shape != x.shape:",
        "    if False:",
        "compare every prediction with every target",
    ),
    losses(
        "3.8",
        "C07 equal sizes are enough",
        "    if shape != x.shape:",
        "    if np.prod(shape) != x.size:",
        "compare every prediction with every target",
    ),
    losses(
        "3.8",
        "C08 the mean over the batch only",
        '    if reduction == "mean":\n        return losses.mean()',
        '    if reduction == "mean":\n        return losses.sum() / len(losses)',
        "divided by the batch only",
    ),
    losses(
        "3.8",
        "the sum is the default",
        '    if reduction == "mean":\n        return losses.mean()',
        '    if reduction == "mean":\n        return losses.sum()',
        "that is the sum",
    ),
    losses(
        "3.8",
        "an unknown reduction means none",
        "    check_reduction(op, reduction)\n",
        "",
        '"mean", "sum" or "none"',
    ),
    losses(
        "3.8",
        "the square is half",
        "d * d, 2 * d)",
        "0.5 * d * d, d)",
        "the square",
    ),
    losses(
        "3.8",
        "the absolute value is forgotten",
        "    return reduce((x - target).abs(), reduction)",
        "    return reduce(x - target, reduction)",
        "absolute values are missing",
    ),
    losses(
        "3.8",
        "the line does not meet the bowl",
        HUBER,
        COMPOSED_HUBER.replace("(distance - 0.5 * delta)", "(distance - 0.5)"),
        "the line must meet the bowl",
    ),
    losses(
        "3.8",
        "delta is ignored",
        HUBER,
        COMPOSED_HUBER.replace("distance <= delta", "distance <= 1"),
        "the bowl ends at delta",
    ),
    losses(
        "3.8",
        "the slope ignores delta",
        "slope = np.clip(d, -delta, delta)",
        "slope = np.clip(d, -1, 1)",
        "delta is ignored",
    ),
    losses(
        "3.8",
        "C09 sigmoid, then the log",
        YES_OR_NO,
        "    p = x.sigmoid()\n"
        '    with np.errstate(divide="ignore", invalid="ignore"):\n'
        "        losses = -(p.log() * target) - (1 - p).log() * (1 - target)\n"
        "        return reduce(losses, reduction)",
        "sigmoid was rounded to 0 or 1 before the log",
    ),
    losses(
        "3.8",
        "C10 a small number against the log of 0",
        YES_OR_NO,
        "    p = x.sigmoid()\n"
        "    losses = -((p + 1e-12).log() * target) - (1 - p + 1e-12).log() * (1 - target)\n"
        "    return reduce(losses, reduction)",
        "a small number inside of the log caps the loss",
    ),
    losses(
        "3.8",
        "a formula with kinks",
        YES_OR_NO,
        "    losses = x.relu() - x * target + (1 + (-x.abs()).exp()).log()\n"
        "    return reduce(losses, reduction)\n",
        "kinks at 0, and the loss has none",
    ),
]

CLASSES = [
    losses(
        "3.9",
        "C11 softmax twice",
        "    unweighted = cross_entropy_with_logits(logits, ids)",
        "    from stage2_tensor import softmax\n\n"
        "    unweighted = cross_entropy_with_logits(softmax(logits), ids)",
        "softmax was applied before the loss",
    ),
    losses(
        "3.9",
        "C12 the gradient is not divided by n",
        "        return losses.sum() / max(shares.sum(), np.finfo(logits.dtype).tiny)",
        "        total = losses.sum()\n"
        "        n = max(shares.sum(), np.finfo(logits.dtype).tiny)\n"
        "        return total + (total.data / n - total.data)",
        "not divided by the number of rows",
    ),
    losses(
        "3.9",
        "C13 every pair of row and target",
        "    unweighted = cross_entropy_with_logits(logits, ids)",
        "    from stage2_tensor import log_softmax\n\n"
        "    unweighted = -log_softmax(logits)[..., ids].mean(-1) if logits.ndim == 2 else "
        "cross_entropy_with_logits(logits, ids)",
        "pick one per row",
    ),
    losses(
        "3.9",
        "C14 flattened after a wrong transpose",
        "    unweighted = cross_entropy_with_logits(logits, ids)",
        "    K = logits.shape[-1]\n"
        "    rows = logits.swapaxes(-1, -2) if logits.ndim > 2 else logits\n"
        "    unweighted = cross_entropy_with_logits(rows.reshape(-1, K), ids.reshape(-1))\n"
        "    unweighted = unweighted.reshape(*ids.shape)",
        "the classes are the last axis already",
    ),
    losses(
        "3.9",
        "C15 ignored rows count in the mean",
        "max(shares.sum(), np.finfo(logits.dtype).tiny)",
        "losses.size",
        "the ignored row is counted in the mean",
    ),
    losses(
        "3.9",
        "C16 -1 picks the last class",
        "    counts = ids != ignore_index\n    ids = np.where(counts, ids, 0)",
        "    counts = (ids != ignore_index) | (ids == -1)\n"
        "    ids = np.where(counts, ids, 0) % logits.shape[-1]",
        "-1 picked the last class",
    ),
    losses(
        "3.9",
        "C17 nothing left is 0 / 0",
        '    if reduction == "mean":\n        return losses.sum() / max(',
        '    if reduction == "mean" and not counts.any():\n'
        "        return losses.sum() * np.nan\n"
        '    if reduction == "mean":\n        return losses.sum() / max(',
        "0 / 0: the number of rows that count may be 0",
    ),
    losses(
        "3.9",
        "C18 ids wrap around",
        "    ids = np.where(counts, ids, 0)\n",
        "    ids = np.where(counts, ids, 0) % logits.shape[-1]\n",
        "it is neither a class nor the ignore_index",
    ),
    losses(
        "3.9",
        "C19 smoothing over the other classes",
        "        losses = (1 - label_smoothing)",
        "        K = logits.shape[-1]\n"
        "        smooth = (K * smooth - losses) / (K - 1)\n"
        "        losses = (1 - label_smoothing)",
        "it goes to all K",
    ),
    losses(
        "3.9",
        "no smoothing",
        "    if label_smoothing:",
        "    if False:",
        "there is no smoothing in it",
    ),
    losses(
        "3.9",
        "the classes get nothing",
        "(1 - label_smoothing) * losses + label_smoothing * smooth",
        "(1 - label_smoothing) * losses",
        "nothing went to the classes",
    ),
    losses(
        "3.9",
        "C20 smoothing keeps ignored rows",
        "    losses = where(counts, losses, 0)\n",
        "    if not label_smoothing:\n        losses = where(counts, losses, 0)\n",
        "with label smoothing too it counts as 0",
    ),
    losses(
        "3.9",
        "C21 the mean of the sequences' means",
        '    if reduction == "mean":\n        return losses.sum() / max(',
        '    if reduction == "mean" and ids.ndim == 2:\n'
        "        return (losses.sum(-1) / np.maximum(shares.sum(-1), 1)).mean()\n"
        '    if reduction == "mean":\n        return losses.sum() / max(',
        "every token counts the same",
    ),
    losses(
        "3.9",
        "weights do not count in the mean",
        "shares = counts * class_weight[ids]",
        "shares = counts.astype(logits.dtype)",
        "divided by the sum of the weights",
    ),
    losses(
        "3.9",
        "negative weights count",
        '    check_class_weight("cross_entropy", class_weight, logits.shape[-1:])\n',
        "",
        "a weight says how much a class counts",
    ),
    losses(
        "3.9",
        "float64 weights",
        "    losses = where(counts, losses, 0)\n",
        "    losses = where(counts, losses, 0) * Tensor(np.ones(1))\n",
        "it is float64",
    ),
]

TABLES = [
    embedding(
        "3.10",
        "C33 repeats are lost",
        "        return table.take(ids)  # (..., D)",
        "        from stage2_tensor import where as choose\n\n"
        "        flat, first = ids.reshape(-1), np.zeros(ids.size, bool)\n"
        "        first[np.unique(flat, return_index=True)[1]] = True\n"
        "        first = first.reshape(ids.shape)[..., None]\n"
        "        rows = table.take(ids)\n"
        "        return choose(first, rows, rows.detach())",
        "repeated ids overwrote each other",
    ),
    embedding(
        "3.10",
        "C34 padding learns",
        "            table = where(is_padding[:, None], table.detach(), table)\n",
        "",
        "the row of the padding must not learn",
    ),
    embedding(
        "3.10",
        "C34 padding does not start as zeros",
        "            self.weight.data[padding_idx] = 0",
        "            pass",
        "set the row to 0",
    ),
    embedding(
        "3.10",
        "C34 a negative padding index",
        "None if padding_idx is None else padding_idx % num_embeddings",
        "padding_idx",
        "bring padding_idx to 0..num_embeddings-1",
    ),
    embedding(
        "3.10",
        "ids are not checked",
        "table.take(ids)",
        "table[ids]",
        "negative ids would pick from the end",
    ),
    embedding(
        "3.10",
        "the table is no parameter",
        "        self.weight = Parameter(init.normal((num_embeddings, embedding_dim), 1.0, rng))",
        "        self.weight = Tensor(init.normal((num_embeddings, embedding_dim), 1.0, rng))",
        "one weight of shape",
    ),
    embedding(
        "3.10",
        "a small start",
        "init.normal((num_embeddings, embedding_dim), 1.0, rng)",
        "init.normal((num_embeddings, embedding_dim), 0.02, rng)",
        "from N(0, 1)",
    ),
]

NORMS = [
    normalization(
        "3.11",
        "C22 the unbiased variance",
        "        return layer_norm(x, self.weight, self.bias, self.eps)",
        "        D = x.shape[-1]\n"
        "        n = x - x.mean(-1, keepdims=True)\n"
        "        v = (n * n).sum(-1, keepdims=True) / max(D - 1, 1)\n"
        "        return n / (v + self.eps).sqrt() * self.weight + self.bias",
        "it is the biased one",
    ),
    normalization(
        "3.11",
        "C23 the columns",
        "        return layer_norm(x, self.weight, self.bias, self.eps)",
        "        n = x - x.mean(0, keepdims=True)\n"
        "        v = x.var(0, keepdims=True)\n"
        "        return n / (v + self.eps).sqrt() * self.weight + self.bias",
        "every column was normalised",
    ),
    normalization(
        "3.11",
        "C24 no eps",
        "        return layer_norm(x, self.weight, self.bias, self.eps)",
        "        n = x - x.mean(-1, keepdims=True)\n"
        '        with np.errstate(invalid="ignore", divide="ignore"):\n'
        "            return n / x.var(-1, keepdims=True).sqrt() * self.weight + self.bias",
        "eps",
    ),
    normalization(
        "3.11",
        "C25 mean of squares less square of mean",
        "        return layer_norm(x, self.weight, self.bias, self.eps)",
        "        m = x.mean(-1, keepdims=True)\n"
        "        v = (x * x).mean(-1, keepdims=True) - m * m\n"
        '        with np.errstate(invalid="ignore"):\n'
        "            return (x - m) / (v + self.eps).sqrt() * self.weight + self.bias",
        "mean(x^2) - mean(x)^2 loses every digit: subtract the mean",
    ),
    normalization(
        "3.11",
        "C26 mean and variance are constants",
        "        return layer_norm(x, self.weight, self.bias, self.eps)",
        "        m, v = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)\n"
        "        n = (x - m.data) / np.sqrt(v.data + self.eps)\n"
        "        return n * self.weight + self.bias",
        "mean and variance were taken as constants",
    ),
    normalization(
        "3.11",
        "the variance is a constant",
        "        return layer_norm(x, self.weight, self.bias, self.eps)",
        "        m, v = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)\n"
        "        n = (x - m) / np.sqrt(v.data + self.eps)\n"
        "        return n * self.weight + self.bias",
        "the variance was taken as a constant",
    ),
    normalization(
        "3.11",
        "eps outside the root",
        "        return layer_norm(x, self.weight, self.bias, self.eps)",
        "        n = x - x.mean(-1, keepdims=True)\n"
        "        return n / (x.var(-1, keepdims=True).sqrt() + self.eps) * self.weight + self.bias",
        "take the root",
    ),
    normalization(
        "3.11",
        "C27 weight and bias are no parameters",
        "        self.weight = Parameter(np.ones(normalized_shape, np.float32))\n"
        "        self.bias = Parameter(np.zeros(normalized_shape, np.float32))\n"
        "        self.eps = eps\n\n    def forward(self, x: Tensor) -> Tensor:\n"
        '        """The normalised rows.',
        "        self.weight = Tensor(np.ones(normalized_shape, np.float32))\n"
        "        self.bias = Tensor(np.zeros(normalized_shape, np.float32))\n"
        "        self.eps = eps\n\n    def forward(self, x: Tensor) -> Tensor:\n"
        '        """The normalised rows.',
        "make them Parameters",
    ),
    normalization(
        "3.11",
        "the bias is forgotten",
        "layer_norm(x, self.weight, self.bias, self.eps)",
        "layer_norm(x, self.weight, None, self.eps)",
        "the bias is left out",
    ),
    normalization(
        "3.11",
        "any number of features",
        "        check_last_axis(self, x, self.weight.size)\n        mean_square",
        "        mean_square",
        "would broadcast in silence",
    ),
    normalization(
        "3.11",
        "the mean is subtracted in RMSNorm",
        "        mean_square = (x * x).mean(-1, keepdims=True)  # (..., 1)",
        "        x = x - x.mean(-1, keepdims=True)\n"
        "        mean_square = (x * x).mean(-1, keepdims=True)",
        "RMSNorm leaves the mean in",
    ),
    normalization(
        "3.11",
        "eps of RMSNorm outside the root",
        "(mean_square + self.eps).sqrt()",
        "(mean_square.sqrt() + self.eps)",
        "take the root",
    ),
]

NOISE = [
    dropout(
        "3.12",
        "C28 survivors are not scaled",
        "scale = 1 / (1 - self.p) if self.p < 1 else 0",
        "scale = 1",
        "so that the mean stays",
    ),
    dropout(
        "3.12",
        "C29 p is the probability to keep",
        "kept = self.rng.random(x.shape, np.float32) >= self.p",
        "kept = self.rng.random(x.shape, np.float32) < self.p",
        "p is the probability to drop",
    ),
    dropout(
        "3.12",
        "C29 divided by p",
        "1 / (1 - self.p) if self.p < 1 else 0",
        "1 / self.p",
        "divide by the probability to survive",
    ),
    dropout(
        "3.12",
        "C30 active in evaluation",
        "        if not self.training or self.p == 0:",
        "        if self.p == 0:",
        "in evaluation nothing is dropped and nothing scaled",
    ),
    dropout(
        "3.12",
        "C30 scaled in evaluation",
        "        if not self.training or self.p == 0:\n            return x",
        "        if not self.training:\n            return x * (1 - self.p)",
        "nothing is scaled in evaluation",
    ),
    dropout(
        "3.12",
        "C31 evaluation forgets p",
        "        if not self.training or self.p == 0:\n",
        "        if not self.training:\n            self.p = 0\n"
        "        if not self.training or self.p == 0:\n",
        "evaluation must not change p",
    ),
    dropout(
        "3.12",
        "C32 p = 1 divides by 0",
        "1 / (1 - self.p) if self.p < 1 else 0",
        "1 / (1 - self.p)",
        "What is divided by may be 0",
        state="error",
    ),
    dropout(
        "3.12",
        "the same choice every time",
        "kept = self.rng.random(",
        "kept = np.random.default_rng(0).random(",
        "draw from self.rng at every call",
    ),
    dropout(
        "3.12",
        "any p",
        '        check_share("Dropout", p=p)\n',
        "",
        "p lies between 0 and 1",
    ),
    dropout(
        "3.12",
        "float64 comes out",
        "x.dtype.type(scale)",
        "np.float64(scale))  * Tensor(np.ones(1)",
        "it is float64",
    ),
]

BATCHES = [
    data(
        "3.13",
        "the last batch is lost",
        "        return whole + bool(rest and not self.drop_last)",
        "        return whole",
        "the last batch holds what is left",
    ),
    data(
        "3.13",
        "drop_last is ignored",
        "        return whole + bool(rest and not self.drop_last)",
        "        return whole + bool(rest)",
        "not full",
    ),
    data(
        "3.13",
        "drop_last drops a full batch",
        "        return whole + bool(rest and not self.drop_last)",
        "        return whole + bool(rest) - self.drop_last",
        "6 is two times 3",
    ),
    data(
        "3.13",
        "drawn with replacement",
        "self.rng.permutation(n) if self.shuffle",
        "self.rng.integers(n, size=n) if self.shuffle",
        "not a draw with replacement",
    ),
    data(
        "3.13",
        "one order for ever",
        "        order = self.rng.permutation(n) if self.shuffle else np.arange(n)",
        "        self.order = vars(self).get('order', self.rng.permutation(n))\n"
        "        order = self.order if self.shuffle else np.arange(n)",
        "two epochs have different orders",
    ),
    data(
        "3.13",
        "a generator of its own",
        "        order = self.rng.permutation(n)",
        "        order = np.random.default_rng().permutation(n)",
        "use self.rng only",
    ),
    data(
        "3.13",
        "length is ignored",
        "        if self.length:\n",
        "        if False:\n",
        "sort by length before cutting",
    ),
    data(
        "3.13",
        "short batches come first",
        "        if self.length and self.shuffle:",
        "        if False:",
        "shuffle the batches",
    ),
    data(
        "3.13",
        "sorted before it is shuffled",
        "            lengths = np.array([self.length(self.dataset[int(i)]) for i in order])\n",
        "            order = np.arange(n)\n"
        "            lengths = np.array([self.length(self.dataset[int(i)]) for i in order])\n",
        "shuffle first",
    ),
    data(
        "3.13",
        "examples are not stacked",
        "        return tuple(np.stack(column) for column in zip(*examples))",
        "        return tuple(zip(*examples))",
        "examples are stacked column by column",
        state="error",
    ),
]

FILES = [
    checkpoint(
        "3.14",
        "the file is written in place",
        '    beside = path.with_name(f".{path.name}.{os.getpid()}")',
        "    beside = path",
        "write beside it",
    ),
    checkpoint(
        "3.14",
        "litter after Ctrl-C",
        "    except BaseException:  # Ctrl-C too",
        "    except Exception:",
        "except BaseException",
    ),
    checkpoint(
        "3.14",
        "no fsync",
        "            os.fsync(file.fileno())  # on the disk before the name points to it\n",
        "",
        "os.fsync before the rename",
    ),
    checkpoint(
        "3.14",
        "nothing is renamed",
        "        beside.replace(path)\n",
        "",
        "gives it the name at the end",
        state="error",
    ),
    checkpoint(
        "3.14",
        "the metadata is lost",
        "file.metadata() or {}",
        "{}",
        "hand the metadata over",
    ),
    checkpoint(
        "3.14",
        "no metadata is None",
        "            names, metadata = sorted(file.keys()), file.metadata() or {}\n",
        "            if file.metadata() is None:\n"
        "                return {n: file.get_tensor(n) for n in file.keys()}, None\n"
        "            names, metadata = sorted(file.keys()), file.metadata()\n",
        "None is not a dict",
    ),
    checkpoint(
        "3.14",
        "the library's error leaks",
        "    except (SafetensorError, TypeError, AttributeError)",
        "    except (TypeError, AttributeError)",
        "turn the SafetensorError into a ValueError",
    ),
    checkpoint(
        "3.14",
        "numbers get an axis",
        'np.asarray(array, order="C")',
        "np.ascontiguousarray(array)",
        "shape ()",
    ),
    checkpoint(
        "3.14",
        "everything becomes float32",
        'np.asarray(array, order="C")',
        'np.asarray(array, np.float32, order="C")',
        "keep the dtype",
    ),
]

PICTURES = [
    convolution(
        "3.15",
        "the stride is ignored",
        "    slices = [x[:, :, i : i + h_end : stride, j : j + w_end : stride] for i, j in places]",
        "    slices = [x[:, :, i : i + h_end, j : j + w_end] for i, j in places]",
        "the stride is ignored",
    ),
    convolution(
        "3.15",
        "rows and columns of a window exchanged",
        "places = [(i, j) for i in range(size) for j in range(size)]",
        "places = [(j, i) for i in range(size) for j in range(size)]",
        "rows and columns are exchanged",
    ),
    convolution(
        "3.15", "no padding", "        if p:\n", "        if False:\n", "the padding is left out"
    ),
    convolution(
        "3.15",
        "padding on one side",
        "((0, 0), (0, 0), (p, p), (p, p))",
        "((0, 0), (0, 0), (2 * p, 0), (p, p))",
        "padding p stands on every side",
    ),
    convolution(
        "3.15",
        "the bias goes along the width",
        "y + self.bias.reshape(C_out, 1, 1)",
        "y + self.bias",
        "reshape it to (C_out, 1, 1)",
        state="error",
    ),
    convolution(
        "3.15",
        "one bias for all channels",
        "y + self.bias.reshape(C_out, 1, 1)",
        "y + self.bias.data.mean()",
        "every output channel has a bias of its own",
    ),
    convolution(
        "3.15",
        "height and width exchanged",
        "        y = y.reshape(N, C_out, h, w)",
        "        y = y.reshape(N, C_out, w, h)",
        "height and width are exchanged",
    ),
    convolution(
        "3.15",
        "the mean of a window",
        "windows(x, k, self.stride).max(axis=2)",
        "windows(x, k, self.stride).mean(axis=2)",
        "this is the mean of a window",
    ),
    convolution(
        "3.15",
        "any picture will do",
        '        check_images("Conv2d", x, smallest=k - 2 * p, channels=C_in)\n',
        "",
        "a side is shorter than a window",
    ),
]

LEARNERS = [  # what came up when the exercises were solved badly on purpose
    module(
        "3.1",
        "one set of seen parts for all walks",
        "    seen = set() if seen is None else seen\n",
        '    seen = vars(walk).setdefault("seen", set()) if seen is None else seen\n',
        "a `seen` of its own",
    ),
    module(
        "3.1",
        "the walk below is not handed on",
        "yield from walk(member",
        "walk(member",
        "hand on what the walk below finds",
    ),
    module(
        "3.1",
        "a generator is handed on",
        "yield from walk(member",
        "yield walk(member",
        "`yield from` hands on pairs",
        "error",
    ),
    module(
        "3.2",
        "nothing is returned",
        "        return {name: part.data.copy()",
        "        _ = {name: part.data.copy()",
        "gives a dict; it gives a NoneType",
    ),
    module(
        "3.2",
        "a local name is loaded",
        "            part.data = np.array(state[name], part.dtype)",
        "            part = np.array(state[name], part.dtype)",
        "nothing was loaded",
    ),
    module(
        "3.3",
        "the class is switched",
        "            module.training = mode",
        "            Module.training = mode",
        "a class is shared by all models",
    ),
    module(
        "3.3",
        "a missing gradient is a crash",
        "            parameter.zero_grad()",
        "            parameter.grad[...] = 0",
        "A .grad is None at first",
        "error",
    ),
    containers(
        "3.7",
        "what a part holds is applied once more",
        "        for module in self:\n            x",
        "        for module in self.modules()[1:]:\n            x",
        "applied once more",
    ),
    containers(
        "3.7",
        "forward instead of a call",
        "x = module(x)",
        "x = module.forward(x)",
        "tells no observer",
    ),
    losses(
        "3.8",
        "huber is exchanged",
        HUBER,
        COMPOSED_HUBER.replace("bowl, line)", "line, bowl)"),
        "exchanged",
    ),
    losses(
        "3.8",
        "huber asks with if",
        HUBER,
        COMPOSED_HUBER.replace(
            "where(distance <= delta, bowl, line)", "bowl if distance.data <= delta else line"
        ),
        "where(condition, a, b) chooses",
        "error",
    ),
    losses(
        "3.9",
        "the weights are at least 1",
        "max(shares.sum(), np.finfo(logits.dtype).tiny)",
        "max(shares.sum(), 1)",
        "may be below 1",
    ),
    losses(
        "3.9",
        "no weights in the smooth part",
        "smooth = log_total * class_weight.mean() - weighted.mean(-1)",
        "smooth = log_total - logits.mean(-1)",
        "every class has its weight too",
    ),
    losses(
        "3.9",
        "any reduction",
        '    check_reduction("cross_entropy", reduction)\n',
        "",
        "check_reduction",
    ),
    losses(
        "3.9",
        "targets in a Tensor",
        'read_array("cross_entropy", targets)\n    counts',
        "np.asarray(targets)\n    counts",
        "read_array makes an array of each",
        "error",
    ),
    losses(
        "3.9",
        "the targets are changed",
        "    ids = np.where(counts, ids, 0)\n",
        "    ids[~counts] = 0\n",
        "the targets were changed",
    ),
    losses(
        "3.9",
        "ids are rounded down",
        "ids = np.where(counts, ids, 0)",
        "ids = np.where(counts, ids, 0).astype(int)",
        "ids are integers",
    ),
    embedding(
        "3.10",
        "padding 0 is no padding",
        "        if padding_idx is not None:\n            self.weight",
        "        if padding_idx:\n            self.weight",
        "leaves row 0 out",
    ),
    embedding(
        "3.10",
        "padding is always zeros",
        "where(is_padding[:, None], table.detach(), table)",
        "where(is_padding[:, None], 0, table)",
        "looked up like any other",
    ),
    embedding(
        "3.10",
        "a Tensor is compared",
        '        ids = read_array("Embedding", ids)\n        table = self.weight\n',
        "        rows = self.weight.take(ids)\n        if self.padding_idx is None:\n"
        "            return rows\n        is_padding = ids == self.padding_idx\n"
        "        return where(is_padding[..., None], rows.detach(), rows)\n"
        "        table = self.weight\n",
        "read_array makes an array of each",
        "error",
    ),
    normalization(
        "3.11", "another eps", "self.bias, self.eps)", "self.bias, 1e-5)", "use self.eps"
    ),
    normalization(
        "3.11", "the sum of the squares", "(x * x).mean(-1", "(x * x).sum(-1", "not their sum"
    ),
    normalization(
        "3.11",
        "x itself is centred",
        "        return layer_norm(x,",
        "        x.data -= x.data.mean(-1, keepdims=True)\n        return layer_norm(x,",
        "wrote into its input",
    ),
    dropout(
        "3.12",
        "one draw for a column",
        "self.rng.random(x.shape, np.float32)",
        "self.rng.random(x.shape[-1:], np.float32)",
        "for each number of x",
    ),
    dropout(
        "3.12",
        "one draw for all",
        "self.rng.random(x.shape, np.float32)",
        "self.rng.random()",
        "a draw for each number",
    ),
    dropout(
        "3.12",
        "a fixed seed",
        'generator("Dropout", rng)',
        "rng or np.random.default_rng(0)",
        "do not fix a seed",
    ),
    data(
        "3.13",
        "a fixed seed",
        'generator("DataLoader", rng)',
        "rng or np.random.default_rng(0)",
        "do not fix a seed",
    ),
    data(
        "3.13",
        "sorted by length only if shuffled",
        "        if self.length:\n",
        "        if self.length and self.shuffle:\n",
        "with or without shuffle",
    ),
    data(
        "3.13",
        "a list is no iterator",
        "        for batch in self.batches():\n            yield self.collate("
        "[self.dataset[int(i)] for i in batch])",
        "        return [self.collate([self.dataset[int(i)] for i in batch])"
        " for batch in self.batches()]",
        "__iter__ gives an iterator",
        "error",
    ),
    checkpoint(
        "3.14", "fsync before the flush", "            file.flush()\n", "", "in Python's buffer"
    ),
    checkpoint(
        "3.14",
        "beside means in another folder",
        "    beside = path.with_name(",
        '    beside = Path("/tmp").joinpath(',
        "in another folder",
    ),
    checkpoint(
        "3.14",
        "the old file is removed first",
        "        beside.replace(path)",
        "        path.unlink(missing_ok=True)\n        beside.rename(path)",
        "rename at the end",
    ),
]

MEMBERS = "    for key, member in members(part):\n"
UNSEEN = [  # these had full points once
    module(
        "3.1",
        "lists in lists are not searched",
        MEMBERS,
        MEMBERS + "        if isinstance(part, list) and isinstance(member, list):\n"
        "            continue\n",
        "a container may hold containers",
    ),
    module(
        "3.1",
        "dicts in lists are not searched",
        MEMBERS,
        MEMBERS + "        if isinstance(part, list) and isinstance(member, dict):\n"
        "            continue\n",
        "a container may hold containers",
    ),
    module(
        "3.1",
        "names with an underscore are private",
        MEMBERS,
        MEMBERS + '        if str(key).startswith("_"):\n            continue\n',
        "_w among them",
    ),
    Mutant(
        "a Tensor that wants a gradient is a Parameter",
        "3.1",
        (
            Edit(
                "module.py",
                "is_node = isinstance(part, Module | Parameter | Buffer)",
                "is_node = isinstance(part, Module | Tensor)",
            ),
            Edit(
                "module.py",
                "for name, part in walk(self) if isinstance(part, Parameter))",
                "for name, part in walk(self) if getattr(part, 'requires_grad', False))",
            ),
        ),
        "only if it says so",
    ),
    module(
        "3.3",
        "eval is a switch",
        "        return self.train(False)",
        "        return self.train(not self.training)",
        "no switch to be pressed",
    ),
    activations(
        "3.6",
        "one maximum for all rows",
        "        return stage2_tensor.softmax(x, self.axis)",
        "        e = (x - float(x.data.max())).exp()\n"
        "        return e / (e.sum(self.axis, keepdims=True) + 1e-30)",
        "every row needs its own maximum",
    ),
    losses(
        "3.8",
        "any delta",
        '    check_positive("huber_loss", delta=delta)\n',
        "",
        "falls with the distance",
    ),
    losses(
        "3.9",
        "any smoothing",
        '    check_share("cross_entropy", label_smoothing=label_smoothing)\n',
        "",
        "below 0 or above 1",
    ),
    losses(
        "3.9",
        "the leading axes are lost",
        "    losses = where(counts, losses, 0)\n    if reduction",
        "    losses = where(counts, losses, 0).reshape(-1)\n    if reduction",
        "the leading axes were lost",
    ),
    losses(
        "3.9",
        "ignored rows point to class 1",
        "    ids = np.where(counts, ids, 0)",
        "    ids = np.where(counts, ids, 1)",
        "An ignored row needs some id",
        state="error",
    ),
    data(
        "3.13",
        "batches of any length are shuffled",
        "        if self.length and self.shuffle:",
        "        if self.shuffle:",
        "shuffle the examples",
    ),
    checkpoint(
        "3.14",
        "copied over the old file",
        "        beside.replace(path)",
        "        path.write_bytes(content)\n        beside.unlink()",
        "write beside it and rename",
    ),
    convolution(
        "3.15",
        "the maximum begins at 0",
        "windows(x, k, self.stride).max(axis=2)",
        "windows(x, k, self.stride).max(axis=2).relu()",
        "not at 0",
    ),
    convolution(
        "3.15",
        "the room around a picture does not count",
        "smallest=k - 2 * p",
        "smallest=k",
        "The zeros around a picture count",
        state="error",
    ),
    convolution(
        "3.15",
        "the room around a picture counts three times",
        "smallest=k - 2 * p",
        "smallest=k - 3 * p",
        "2 + 2 is below k",
    ),
]

MUTANTS = [
    *TREE,
    *STATE,
    *MODES,
    *LAYERS,
    *START,
    *BENDS,
    *ROWS,
    *DISTANCES,
    *CLASSES,
    *TABLES,
    *NORMS,
    *NOISE,
    *BATCHES,
    *FILES,
    *PICTURES,
    *LEARNERS,
    *UNSEEN,
]

LEFT_OPEN: set[str] = set()
