"""Exercises of stage 5, written otherwise and rightly."""

from course.authors.mutants import Variety

VARIETIES = [
    Variety(
        "5.1",
        "padding by lists, symbols by index",
        "vocabulary.py",
        """
        class Vocabulary:
            def encode(self, sequence):
                known = list(self.symbols)
                return [known.index(s) if s in known else UNK for s in sequence]

            def decode(self, ids):
                ids = [int(i) for i in ids]
                if any(i not in range(len(self.symbols)) for i in ids):
                    raise IndexError(ids)
                if EOS in ids:
                    ids = ids[: ids.index(EOS)]
                return [self.symbols[i] for i in ids if i > BOS]

        def pad(rows):
            rows = [list(row) for row in rows]
            if any(not isinstance(i, (int, np.integer)) for row in rows for i in row):
                raise TypeError(rows)
            T = max([len(row) for row in rows] or [0])
            filled = [row + [PAD] * (T - len(row)) for row in rows]
            return np.array(filled, dtype=np.int64).reshape(len(rows), T)
        """,
    ),
    Variety(
        "5.1",
        "zip_longest",
        "vocabulary.py",
        """
        def pad(rows):
            from itertools import zip_longest

            if any(np.asarray(row).dtype.kind not in "iu" for row in rows if len(row)):
                raise TypeError(rows)
            columns = list(zip_longest(*rows, fillvalue=PAD))
            return np.array(columns, dtype=np.int64).reshape(len(columns), len(rows)).T
        """,
    ),
    Variety(
        "5.2",
        "a loop over the columns, and rows of the table",
        "positions.py",
        """
        def sinusoids(T, d_model, start=0):
            waves = np.zeros((T, d_model), np.float32)
            place = np.arange(start, start + T, dtype=float)
            for i in range(0, d_model, 2):
                angle = place * np.exp(-np.log(10000.0) * i / d_model)
                waves[:, i] = np.sin(angle)
                if i + 1 < d_model:
                    waves[:, i + 1] = np.cos(angle)
            return waves

        class SinusoidalPositions:
            def forward(self, x, start=0):
                *_, T, D = x.shape
                return Tensor(sinusoids(start + T, D)[start:]) + x

        class LearnedPositions:
            def forward(self, x, start=0):
                weight = self.table.weight
                end = start + x.shape[-2]
                if end > len(weight) or x.shape[-1] != weight.shape[1]:
                    raise ValueError(x.shape)
                return x + weight[start:end]
        """,
    ),
    Variety(
        "5.3",
        "np.tri, and all masks at once",
        "masks.py",
        """
        def padding_mask(ids):
            check_ids("padding_mask", ids)
            B, S = ids.shape
            return np.not_equal(ids, PAD).reshape(B, 1, 1, S)

        def causal_mask(T, S=None):
            S = T if S is None else S
            check_sizes("causal_mask", T=T, S=S)
            if S < T:
                raise ValueError((T, S))
            return np.tri(T, S, S - T, dtype=bool)

        def combined(*masks):
            from functools import reduce

            given = [mask for mask in masks if mask is not None]
            if any(np.asarray(mask).dtype != bool for mask in given):
                raise TypeError("numbers")
            return reduce(np.logical_and, given) if given else None
        """,
    ),
    Variety(
        "5.4",
        "a loop over the queries",
        "attention.py",
        """
        def attention(q, k, v, mask=None):
            from stage2_tensor import stack

            *lead, T, D = q.shape
            S = k.shape[-2]
            if mask is not None:
                if np.asarray(mask).dtype != bool:
                    raise TypeError("numbers")
                mask = np.broadcast_to(mask, (*lead, T, S))
            rows = []
            for t in range(T):
                scores = (k * q[..., t : t + 1, :]).sum(-1) * D**-0.5  # (..., S)
                if mask is not None:
                    scores = where(mask[..., t, :], scores, -np.inf)
                rows.append(softmax(scores))
            weights = stack(rows, axis=-2)
            return weights @ v, weights
        """,
    ),
    Variety(
        "5.4",
        "softmax by hand, the mask as a factor",
        "attention.py",
        """
        def attention(q, k, v, mask=None):
            scores = (q * q.shape[-1] ** -0.5) @ k.swapaxes(-2, -1)
            if mask is None:
                e = (scores - scores.max(-1, keepdims=True).detach()).exp()
            else:
                if np.asarray(mask).dtype != bool:
                    raise TypeError("numbers")
                seen = where(mask, scores, -1e30)
                largest = seen.data.max(-1, keepdims=True)
                e = (seen - largest).exp() * np.broadcast_to(mask, scores.shape)
            total = e.sum(-1, keepdims=True)
            weights = e / where(total.data == 0, 1.0, total)
            return weights @ v, weights
        """,
    ),
    Variety(
        "5.5",
        "heads by slices",
        "attention.py",
        """
        class MultiHeadAttention:
            def split(self, x):
                from stage2_tensor import stack

                D = x.shape[-1] // self.heads
                return stack([x[..., h * D : (h + 1) * D] for h in range(self.heads)], axis=1)

            def merge(self, x):
                return concatenate([x[:, h] for h in range(x.shape[1])], axis=-1)
        """,
    ),
    Variety(
        "5.5",
        "heads by a transposition of the columns",
        "attention.py",
        """
        class MultiHeadAttention:
            def split(self, x):
                B, T, embed_dim = x.shape
                D = embed_dim // self.heads
                return x.swapaxes(1, 2).reshape(B, self.heads, D, T).swapaxes(2, 3)

            def merge(self, x):
                B, H, T, D = x.shape
                return x.transpose(0, 2, 1, 3).reshape(B, T, -1)
        """,
    ),
    Variety(
        "5.6",
        "each part by its name",
        "layers.py",
        """
        class EncoderLayer:
            def forward(self, x, mask=None, cache=None):
                looked = self.self_attention(self.norm1(x), None, mask, cache)
                y = self.dropout(looked) + x
                thought = self.feed_forward(self.norm2(y))
                return self.dropout(thought) + y
        """,
    ),
    Variety(
        "5.10",
        "samples one by one",
        "decoding.py",
        """
        def greedy(state, B, max_len, start=BOS):
            said = [[] for _ in range(B)]
            ended, last = [False] * B, np.full(B, start)
            for _ in range(max_len):
                if all(ended):
                    break
                logits = state.next(last)
                last = np.array([np.argmax(row) for row in logits])
                for b, symbol in enumerate(last.tolist()):
                    ended[b] = ended[b] or symbol == EOS
                    if not ended[b]:
                        said[b].append(symbol)
            return said
        """,
    ),
    Variety(
        "5.11",
        "a sorted list of all candidates",
        "decoding.py",
        """
        class Beam:
            def step(self, logp):
                candidates = [
                    (-(score + float(logp[parent, symbol])), parent, symbol)
                    for parent, (_, score) in enumerate(self.running)
                    for symbol in range(logp.shape[1])
                ]
                candidates.sort()
                running, origins = [], []
                for negative, parent, symbol in candidates[: self.width - len(self.ended)]:
                    ids = self.running[parent][0]
                    if symbol == EOS:
                        self.end(ids, -negative, len(ids) + 1)
                    elif len(ids) + 1 == self.max_len:
                        self.end((*ids, symbol), -negative, self.max_len)
                    else:
                        running.append(((*ids, symbol), -negative))
                        origins.append((parent, symbol))
                self.running = running
                if self.is_done():
                    self.running, origins = [], []
                return origins
        """,
    ),
    Variety(
        "5.12",
        "keys and values in one list of blocks, rows by take",
        "attention.py",
        """
        class KeyValueCache:
            def extend(self, k, v):
                self.k = k if self.k is None else concatenate((self.k, k), 2)
                self.v = v if self.v is None else concatenate((self.v, v), 2)
                return self.k, self.v

            def select(self, rows):
                if self.k is None:
                    return
                self.k, self.v = self.k.take(np.asarray(rows)), self.v.take(np.asarray(rows))
        """,
    ),
    Variety(
        "5.13",
        "a whole table",
        "scoring.py",
        """
        def edit_distance(a, b):
            table = [[i + j for j in range(len(b) + 1)] for i in range(len(a) + 1)]
            for i in range(len(a)):
                for j in range(len(b)):
                    kept = table[i][j] + (0 if a[i] == b[j] else 1)
                    table[i + 1][j + 1] = min(kept, table[i][j + 1] + 1, table[i + 1][j] + 1)
            return table[len(a)][len(b)]

        def score(answers, examples):
            if len(answers) != len(examples):
                raise ValueError((len(answers), len(examples)))
            edits, lengths = [], []
            for answer, example in zip(answers, examples):
                closest = min(edit_distance(answer, t) for t in example.targets)
                equal = [t for t in example.targets if edit_distance(answer, t) == closest]
                edits.append(closest)
                lengths.append(max(map(len, equal)))
            return Scores(sum(edits), sum(lengths), sum(e > 0 for e in edits), len(edits))
        """,
    ),
    Variety(
        "5.15",
        "row by row, with np.sort and a running sum",
        "decoding.py",
        """
        def probabilities(logits, top_k=None, top_p=1.0):
            result = np.zeros(logits.shape)
            for row, found in zip(np.asarray(logits, float), result):
                p = np.exp(row - np.sort(row)[-1])
                p /= p.sum()
                total = 0.0
                for i in sorted(range(len(p)), key=lambda i: -p[i])[:top_k]:
                    if total >= top_p:
                        break
                    found[i] = p[i]
                    total += p[i]
            return result / result.sum(axis=1, keepdims=True)
        """,
    ),
    Variety(
        "5.16",
        "x and what is a quarter turn ahead",
        "positions.py",
        """
        def rotate(x, start=0):
            if x.ndim < 2 or x.shape[-1] % 2:
                raise ValueError(x.shape)
            T, D = x.shape[-2:]
            speed = 10000.0 ** (-np.arange(0, D, 2) / D)
            angles = np.outer(np.arange(T) + start, np.tile(speed, 2))
            turned = concatenate([-x[..., D // 2 :], x[..., : D // 2]], axis=-1)
            cos, sin = np.cos(angles), np.sin(angles)
            return x * cos.astype(x.dtype) + turned * sin.astype(x.dtype)
        """,
    ),
]
