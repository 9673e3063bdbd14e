"""Exercises of stage 3, written otherwise and rightly."""

from course.authors.mutants import Variety

VARIETIES = [
    Variety(
        "3.1",
        "a stack in place of recursion, and a list of what was seen",
        "module.py",
        """
        def walk(part, name="", seen=None):
            found, seen, stack = [], [], [(name, part)]
            while stack:
                name, part = stack.pop()
                is_node = isinstance(part, (Module, Parameter, Buffer))
                if not (is_node or isinstance(part, (list, tuple, dict))):
                    continue
                if any(part is other for other in seen):
                    continue
                seen.append(part)
                if is_node:
                    found.append((name, part))
                below = [(f"{name}.{key}" if name else str(key), x) for key, x in members(part)]
                stack += reversed(below)
            return iter(found)
        """,
    ),
    Variety(
        "3.1",
        "a set of objects, and lists of what is found",
        "module.py",
        """
        class Module:
            def named_modules(self):
                return [(name, part) for name, part in walk(self) if isinstance(part, Module)]

            def named_parameters(self):
                return [(name, part) for name, part in walk(self) if type(part) is Parameter]

            def parameters(self):
                return (p for _, p in self.named_parameters())

        def walk(part, name="", seen=None):
            seen = set() if seen is None else seen
            if isinstance(part, (Module, Parameter, Buffer)):
                if part in seen:
                    return
                seen.add(part)
                yield name, part
            for key, member in members(part):
                yield from walk(member, f"{name}.{key}".lstrip("."), seen)
        """,
    ),
    Variety(
        "3.2",
        "live arrays go out, and numbers are copied into the arrays that are there",
        "module.py",
        """
        class Module:
            def state_dict(self):
                return {name: part.data for name, part in walk(self) if isinstance(part, Tensor)}

            def load_state_dict(self, state):
                mine = self.state_dict()
                arrays = {name: np.asarray(getattr(x, "data", x)) for name, x in state.items()}
                if mine.keys() != arrays.keys():
                    raise KeyError(f"expected {sorted(mine)}, got {sorted(arrays)}")
                for name, array in arrays.items():
                    if array.shape != mine[name].shape or array.dtype.kind not in "biuf":
                        raise ValueError(name)
                for name, array in arrays.items():
                    mine[name][...] = array
        """,
    ),
    Variety(
        "3.3",
        "down the tree by hand",
        "module.py",
        """
        class Module:
            def train(self, mode=True):
                self.training = mode
                for module in self.modules():
                    if module is not self:
                        module.training = mode
                return self

            def eval(self):
                for module in self.modules():
                    module.training = False
                return self

            def zero_grad(self):
                for p in self.parameters():
                    p.grad = None
        """,
    ),
    Variety(
        "3.4",
        "composed of @ and +, its start drawn from the generator itself",
        "linear.py",
        """
        class Linear:
            def __init__(self, in_features, out_features, bias=True, rng=None):
                check_sizes("Linear", in_features=in_features, out_features=out_features)
                rng = np.random.default_rng() if rng is None else rng
                bound = max(in_features, 1) ** -0.5
                weight = rng.uniform(-bound, bound, (in_features, out_features))
                self.weight = Parameter(weight.astype(np.float32))
                self.bias = None
                if bias:
                    self.bias = Parameter(np.float32(bound * (2 * rng.random(out_features) - 1)))

            def forward(self, x):
                if x.shape[-1] != self.weight.shape[0]:
                    raise ValueError(x.shape)
                y = x @ self.weight
                return y if self.bias is None else self.bias + y
        """,
    ),
    Variety(
        "3.5",
        "bounds and widths from the variance",
        "init.py",
        """
        def fans(shape):
            if len(shape) not in (2, 4):
                raise ValueError(shape)
            window = math.prod(shape[2:])
            into, out = (shape[0], shape[1]) if len(shape) == 2 else (shape[1], shape[0])
            return into * window, out * window

        def glorot_normal(shape, gain=1.0, rng=None):
            variance = gain**2 / np.mean(fans(shape))
            return rng.normal(0, math.sqrt(variance), shape).astype(np.float32)

        def glorot_uniform(shape, gain=1.0, rng=None):
            bound = math.sqrt(3 * gain**2 / np.mean(fans(shape)))
            return np.float32(bound) * (2 * rng.random(shape, np.float32) - 1)

        def he_uniform(shape, gain=math.sqrt(2), rng=None):
            bound = math.sqrt(3) * gain * fans(shape)[0] ** -0.5
            return np.float32(rng.uniform(-bound, bound, shape))
        """,
    ),
    Variety(
        "3.6",
        "SiLU as one node, Softmax by logsumexp, GELU composed",
        "activations.py",
        """
        class SiLU:
            def forward(self, x):
                s = x.sigmoid().data
                slope = s * (1 + x.data * (1 - s))
                return x.from_op(x.data * s, (x, lambda g: g * slope), op="silu")

        class Softmax:
            def forward(self, x):
                return (x - x.logsumexp(self.axis, keepdims=True)).exp()

        class GELU:
            def forward(self, x):
                inner = (2 / 3.141592653589793) ** 0.5 * (x + 0.044715 * x * x * x)
                return x * (2 * inner).sigmoid()

        class ReLU:
            def forward(self, x):
                return stage2_tensor.maximum(x, 0.0)
        """,
    ),
    Variety(
        "3.7",
        "setattr, and an iterator that is named",
        "containers.py",
        """
        class ModuleList:
            def append(self, module):
                assert isinstance(module, Module)
                setattr(self, f"{len(self)}", module)

        class Sequential:
            def forward(self, x):
                from functools import reduce

                return reduce(lambda x, module: module(x), self, x)
        """,
    ),
    Variety(
        "3.8",
        "yes or no as one node, whose target is an array",
        "losses.py",
        """
        def binary_cross_entropy_with_logits(x, target, reduction="mean"):
            check_loss("binary_cross_entropy_with_logits", x, target, reduction)
            t = np.asarray(getattr(target, "data", target), x.dtype)
            y = np.maximum(x.data, 0) - x.data * t + np.log1p(np.exp(-np.abs(x.data)))
            p = x.sigmoid().data
            return reduce(x.from_op(y, (x, lambda g: g * (p - t)), op="bce"), reduction)
        """,
    ),
    Variety(
        "3.8",
        "Huber by clip, squares by a power, absolute values by maximum",
        "losses.py",
        """
        def mse_loss(x, target, reduction="mean"):
            check_loss("mse_loss", x, target, reduction)
            return reduce((target - x) ** 2, reduction)

        def l1_loss(x, target, reduction="mean"):
            check_loss("l1_loss", x, target, reduction)
            d = x - target
            return reduce(d * np.sign(d.data), reduction)

        def huber_loss(x, target, reduction="mean", delta=1.0):
            check_loss("huber_loss", x, target, reduction)
            check_positive("huber_loss", delta=delta)
            d = x - target
            near = d.clip(-delta, delta)
            return reduce(near * (d - near / 2), reduction)

        def reduce(losses, reduction):
            if reduction == "none":
                return losses
            total = losses.sum()
            return total if reduction == "sum" else total / losses.size
        """,
    ),
    Variety(
        "3.9",
        "gathered from log_softmax, the smoothing in the target",
        "losses.py",
        """
        def cross_entropy(logits, targets, weight=None, ignore_index=-100,
                          reduction="mean", label_smoothing=0.0):
            from stage2_tensor import log_softmax

            check_reduction("cross_entropy", reduction)
            check_share("cross_entropy", label_smoothing=label_smoothing)
            ids = np.asarray(getattr(targets, "data", targets))
            K = logits.shape[-1]
            if ids.dtype.kind not in "iu" or ids.shape != logits.shape[:-1]:
                raise ValueError((ids.dtype, ids.shape))
            counts = ids != ignore_index
            if ((ids < 0) | (ids >= K))[counts].any():
                raise IndexError("no class")
            w = np.ones(K) if weight is None else np.asarray(getattr(weight, "data", weight))
            check_class_weight("cross_entropy", w, (K,))
            wanted = np.eye(K)[np.where(counts, ids, 0)]  # (..., K)
            mixed = (1 - label_smoothing) * wanted + label_smoothing / K
            shares = (mixed * w * counts[..., None]).astype(logits.dtype)
            used = shares != 0
            losses = -(where(used, log_softmax(logits), 0) * shares).sum(-1)
            if reduction != "mean":
                return losses.sum() if reduction == "sum" else losses
            n = float((wanted @ w)[counts].sum())
            return losses.sum() / n if n else losses.sum() * 0.0
        """,
    ),
    Variety(
        "3.9",
        "one node for each row that counts",
        "losses.py",
        """
        def cross_entropy(logits, targets, weight=None, ignore_index=-100,
                          reduction="mean", label_smoothing=0.0):
            from stage2_tensor import stack

            check_reduction("cross_entropy", reduction)
            check_share("cross_entropy", label_smoothing=label_smoothing)
            ids = np.asarray(getattr(targets, "data", targets))
            *lead, K = logits.shape
            if ids.dtype.kind not in "iu" or ids.shape != tuple(lead):
                raise ValueError((ids.dtype, ids.shape))
            w = np.ones(K) if weight is None else np.asarray(getattr(weight, "data", weight))
            check_class_weight("cross_entropy", w, (K,))
            losses, total = [], 0.0
            rows = logits.reshape(ids.size, K)
            for i, target in enumerate(ids.reshape(-1)):
                if target == ignore_index:
                    losses.append(where(False, rows[i, 0], 0.0))
                    continue
                if not 0 <= target < K:
                    raise IndexError(target)
                negative_log = (rows[i].logsumexp() - rows[i]) * w
                smooth = label_smoothing * negative_log.mean() if label_smoothing else 0.0
                losses.append((1 - label_smoothing) * negative_log[int(target)] + smooth)
                total += float(w[target])
            if not losses:
                each = rows.sum(-1)
            else:
                each = stack(losses)
            if reduction == "none":
                return each.reshape(ids.shape)
            return each.sum() / total if reduction == "mean" and total else each.sum()
        """,
    ),
    Variety(
        "3.10",
        "one-hot rows times the table",
        "embedding.py",
        """
        class Embedding:
            def forward(self, ids):
                ids = np.asarray(getattr(ids, "data", ids))
                rows = len(self.weight)
                if ids.dtype.kind not in "iu":
                    raise TypeError(ids.dtype)
                if ids.size and not (0 <= ids.min() and ids.max() < rows):
                    raise IndexError(ids)
                one_hot = (ids[..., None] == np.arange(rows)).astype(self.weight.dtype)
                if self.padding_idx is None:
                    return Tensor(one_hot) @ self.weight
                learned, fixed = one_hot.copy(), np.zeros_like(one_hot)
                learned[..., self.padding_idx] = 0
                fixed[..., self.padding_idx] = one_hot[..., self.padding_idx]
                return Tensor(learned) @ self.weight + fixed @ self.weight.data
        """,
    ),
    Variety(
        "3.10",
        "indexed, with a node that hides the padding",
        "embedding.py",
        """
        class Embedding:
            def forward(self, ids):
                ids = np.asarray(getattr(ids, "data", ids))
                if ids.dtype.kind not in "iu" or (ids < 0).any():
                    raise IndexError(ids)
                rows = self.weight[ids]
                keep = ids != self.padding_idx
                vjp = lambda g: np.where(keep[..., None], g, 0)
                return rows.from_op(rows.data, (rows, vjp), op="embedding")
        """,
    ),
    Variety(
        "3.11",
        "composed of mean, var and a power",
        "normalization.py",
        """
        class LayerNorm:
            def forward(self, x):
                check_last_axis(self, x, self.weight.size)
                scale = (x.var(-1, keepdims=True) + self.eps) ** -0.5
                return (x - x.mean(-1, keepdims=True)) * scale * self.weight + self.bias

        class RMSNorm:
            def forward(self, x):
                check_last_axis(self, x, self.weight.size)
                return self.weight * x * ((x**2).mean(-1, keepdims=True) + self.eps) ** -0.5
        """,
    ),
    Variety(
        "3.11",
        "one node each",
        "normalization.py",
        """
        class LayerNorm:
            def forward(self, x):
                check_last_axis(self, x, self.weight.size)
                w = self.weight.data
                centred = x.data - x.data.mean(-1, keepdims=True)
                root = np.sqrt((centred**2).mean(-1, keepdims=True) + self.eps)
                n = centred / root

                def vjp(g):
                    h = g * w
                    along = (h * n).mean(-1, keepdims=True)
                    return (h - h.mean(-1, keepdims=True) - n * along) / root

                edges = (x, vjp), (self.weight, lambda g: g * n), (self.bias, lambda g: g)
                return x.from_op(n * w + self.bias.data, *edges, op="norm")

        class RMSNorm:
            def forward(self, x):
                check_last_axis(self, x, self.weight.size)
                w = self.weight.data
                root = np.sqrt(np.square(x.data).mean(-1, keepdims=True) + self.eps)
                n = x.data / root

                def vjp(g):
                    h = g * w
                    return (h - n * (h * n).mean(-1, keepdims=True)) / root

                return x.from_op(n * w, (x, vjp), (self.weight, lambda g: g * n), op="norm")
        """,
    ),
    Variety(
        "3.12",
        "a coin of the generator's own, and where",
        "dropout.py",
        """
        class Dropout:
            def forward(self, x):
                if not self.training:
                    return x
                from stage2_tensor import where

                kept = self.rng.binomial(1, 1 - self.p, x.shape) == 1
                return where(kept, x / (1 - self.p) if self.p < 1 else x * 0, 0.0)
        """,
    ),
    Variety(
        "3.12",
        "random numbers below the share that stays, as one node",
        "dropout.py",
        """
        class Dropout:
            def __init__(self, p=0.5, rng=None):
                if not 0 <= p <= 1:
                    raise ValueError(p)
                self.p = p
                self.rng = np.random.default_rng() if rng is None else rng

            def forward(self, x):
                if not self.training or self.p == 0:
                    return x
                stays = 1 - self.p
                factor = (self.rng.random(x.shape) < stays) / max(stays, 1e-9)
                factor = factor.astype(x.dtype)
                return x.from_op(x.data * factor, (x, lambda g: g * factor), op="dropout")
        """,
    ),
    Variety(
        "3.13",
        "np.split at the ends of the batches",
        "data.py",
        """
        class DataLoader:
            def __len__(self):
                n = len(self.dataset)
                return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

            def batches(self):
                order = np.arange(len(self.dataset))
                if self.shuffle:
                    self.rng.shuffle(order)
                if self.length:
                    key = lambda i: self.length(self.dataset[int(i)])
                    order = np.array(sorted(order, key=key), dtype=int)
                parts = np.split(order, range(self.batch_size, len(order), self.batch_size))
                parts = parts[: len(self)]
                if self.length and self.shuffle:
                    parts = [parts[i] for i in self.rng.permutation(len(parts))]
                return parts
        """,
    ),
    Variety(
        "3.13",
        "np.array_split of what is whole, and the rest",
        "data.py",
        """
        class DataLoader:
            def batches(self):
                n, size = len(self.dataset), self.batch_size
                order = self.rng.permutation(n) if self.shuffle else np.arange(n)
                if self.length:
                    lengths = [self.length(self.dataset[int(i)]) for i in order]
                    order = order[np.argsort(lengths, kind="stable")]
                whole = n // size
                parts = np.array_split(order[: whole * size], whole) if whole else []
                if n % size and not self.drop_last:
                    parts.append(order[whole * size :])
                if self.length and self.shuffle:
                    self.rng.shuffle(parts)
                return parts

        def stack_examples(examples):
            if not isinstance(examples[0], tuple):
                return np.array(examples)
            return tuple(np.array([e[i] for e in examples]) for i in range(len(examples[0])))
        """,
    ),
    Variety(
        "3.14",
        "a temporary file with a name of the system's choice",
        "checkpoint.py",
        """
        def write_atomically(path, content):
            import tempfile

            path = path.resolve()
            handle, name = tempfile.mkstemp(dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(name, path)
            except BaseException:
                os.unlink(name)
                raise
        """,
    ),
    Variety(
        "3.15",
        "windows as a view with strides, one node",
        "convolution.py",
        """
        def windows(x, size, stride):
            N, C, H, W = x.shape
            view = np.lib.stride_tricks.sliding_window_view(x.data, (size, size), (2, 3))
            view = view[:, :, ::stride, ::stride]  # (N, C, H_out, W_out, size, size)
            h, w = view.shape[2:4]
            y = np.moveaxis(view.reshape(N, C, h, w, size * size), -1, 2)

            def vjp(g):
                whole = np.zeros((N, C, H, W), x.dtype)
                for number in range(size * size):
                    i, j = divmod(number, size)
                    rows = slice(i, i + stride * h, stride)
                    whole[:, :, rows, j : j + stride * w : stride] += g[:, :, number]
                return whole

            return x.from_op(y.copy(), (x, vjp), op="windows")
        """,
    ),
    Variety(
        "3.15",
        "a convolution that adds up the places of its filter",
        "convolution.py",
        """
        class Conv2d:
            def forward(self, x):
                C_out, C_in, k, _ = self.weight.shape
                p, s = self.padding, self.stride
                if x.ndim != 4 or x.shape[1] != C_in or min(x.shape[2:]) + 2 * p < k:
                    raise ValueError(x.shape)
                x = x.pad(((0, 0), (0, 0), (p, p), (p, p)))
                h, w = ((n - k) // s + 1 for n in x.shape[2:])
                y = 0.0
                for i in range(k):
                    for j in range(k):
                        part = x[:, :, i : i + s * h : s, j : j + s * w : s]
                        part = part.transpose(0, 2, 3, 1) @ self.weight[:, :, i, j].T
                        y = part + y  # (N, h, w, C_out)
                if self.bias is not None:
                    y = y + self.bias
                return y.transpose(0, 3, 1, 2)
        """,
    ),
]
