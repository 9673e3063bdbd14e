"""Right calls of stage 3: losses and layers, the wider ones among them."""

from __future__ import annotations

import numpy as np

import stage3_nn as nn
import stage3_nn.more as m
from tests.proof.fuzz import formulas
from tests.proof.fuzz.drawing import a_flag, apart, layer, of_one, shaped

REDUCTIONS = ["mean", "sum", "none"]


def loss(course, reference, low=-2.0, high=2.0):
    """A case of a loss of x and a target of its shape, which is differentiated too if it may be."""

    def case(rng):
        shape, reduction = shaped(rng, smallest=1), REDUCTIONS[rng.integers(3)]
        target = apart(rng, shape, low, high) + 0.007  # x and target are never equal
        return (
            lambda x: course(x, target, reduction=reduction),
            lambda x: formulas.reduced(reference(x, target), reduction),
            [apart(rng, shape)],
        )

    return case


def as_layer(Loss):
    """The call of a loss that is a Module, like that of its function."""
    return lambda x, target, **options: Loss(**options)(x, target)


def squared(x, target):
    return (x - target) ** 2


def absolute(x, target):
    return np.abs(x - target)


def huber(x, target, delta=1.0):
    d = np.abs(x - target)
    return np.where(d <= delta, d * d / 2, delta * (d - delta / 2))


def binary(x, target, weight=1.0):
    return -weight * target * np.log(formulas.sigmoid(x)) - (1 - target) * np.log(
        formulas.sigmoid(-x)
    )


def binary_with_weight(course):
    """A case of the binary cross-entropy with a weight for the answer yes."""

    def case(rng):
        shape = shaped(rng, 1, 1)
        target, weight = rng.random(shape), rng.uniform(0.5, 3, shape[-1:])
        return (
            lambda x: course(x, target, pos_weight=weight),
            lambda x: binary(x, target, weight).mean(),
            [apart(rng, shape)],
        )

    return case


def cross_entropy(course):
    """A case of the cross-entropy of class ids, with every option."""

    def case(rng):
        shape = shaped(rng, 1, 1)
        K, reduction = shape[-1], REDUCTIONS[rng.integers(3)]
        ids = rng.integers(0, K, shape[:-1])
        counts = rng.random(shape[:-1]) < 0.8
        weight = rng.uniform(0.5, 2, K) if a_flag(rng) else None
        s = float(rng.choice([0.0, 0.1]))

        def reference(x):
            shares, w = np.eye(K)[ids], np.ones(K) if weight is None else weight
            found = formulas.cross_entropy(x, (1 - s) * shares + s / K, counts, w)
            if reduction != "mean":
                return formulas.reduced(found, reduction)
            return found.sum() / max((w[ids] * counts).sum(), 1e-300)

        options = {"weight": weight, "reduction": reduction, "label_smoothing": s}
        targets = np.where(counts, ids, -100)
        return (lambda x: course(x, targets, **options)), reference, [apart(rng, shape, -4, 4)]

    return case


def of_ids_or_shares(course):
    """A case of the cross-entropy that takes class ids, or a share for every class."""

    def case(rng):
        if a_flag(rng):
            return cross_entropy(course)(rng)
        shape = shaped(rng, 1, 1)
        return (
            course,
            lambda x, p: formulas.cross_entropy(x, p).mean(),
            [apart(rng, shape, -4, 4), formulas.softmax(apart(rng, shape))],
        )

    return case


def pictures(rng):
    """The shape of a few pictures of three channels."""
    return (int(rng.integers(1, 3)), 3, *(int(n) for n in rng.integers(4, 6, 2)))


def pair(rng, low, high):
    return tuple(int(n) for n in rng.integers(low, high, 2))


def convolution(rng):
    groups, kernel = int(rng.choice([1, 3])), pair(rng, 1, 3)
    stride, padding, dilation = pair(rng, 1, 3), pair(rng, 0, 2), pair(rng, 1, 3)
    arrays = [apart(rng, pictures(rng)), apart(rng, (3, 3 // groups, *kernel)), apart(rng, (3,))]
    return (
        lambda x, w, b: m.conv2d(x, w, b, stride, padding, dilation, groups),
        lambda *xs: formulas.convolution(*xs, stride, padding, dilation, groups),
        arrays,
    )


def filtered(x, p):
    return formulas.convolution(x, p["weight"], p["bias"], (2, 2), (1, 1))


def pooled(course, mean):
    """A case of pooling; the course's call takes x, a kernel, a stride and a padding."""

    def case(rng):
        kernel, stride = pair(rng, 1, 4), pair(rng, 1, 3)
        padding = tuple(int(rng.integers(k // 2 + 1)) for k in kernel)
        ceil, counted = a_flag(rng), a_flag(rng)

        def windows(x, *fills):
            return formulas.windows(x, kernel, stride, padding, (1, 1), ceil, fills)

        def reference(x):
            if not mean:
                return windows(x, -np.inf, -np.inf).max((-2, -1))
            counts = windows(np.ones_like(x), float(counted), 0.0).sum((-2, -1))
            return windows(x, 0.0, 0.0).sum((-2, -1)) / counts

        options = {"ceil_mode": ceil, **({"count_include_pad": counted} if mean else {})}
        return (
            lambda x: course(x, kernel, stride, padding, **options),
            reference,
            [apart(rng, pictures(rng))],
        )

    return case


def called(Layer):
    """The call of a layer that is made with what follows x."""
    return lambda x, *given, **options: Layer(*given, **options)(x)


def looked_up(padding_idx):
    """A case of an embedding: its table is the only input."""

    def case(rng):
        table, ids = nn.Embedding(4, 3, padding_idx), rng.integers(0, 4, shaped(rng)[:2])
        fixed = np.zeros(4) if padding_idx is None else np.eye(4)[padding_idx]

        def course(weight):
            table.weight = weight
            return table(ids)

        start = apart(rng, (4, 3))
        return course, lambda w: np.where(fixed[:, None], start, w)[ids], [start]

    return case


def batch_norm(make, shape, axes):
    """A case of a batch norm, in training or behind it."""

    def case(rng):
        training = a_flag(rng)

        def module():
            made = make().train(training)
            made.running_mean.data, made.running_var.data = mean, var  # in float64
            return made

        C = 3
        mean, var = rng.standard_normal(C), rng.uniform(0.5, 2, C)
        wide = [1] * len(shape)
        wide[1] = C

        def reference(x, p):
            w, b = (p.get(n, d) for n, d in (("weight", np.ones(C)), ("bias", np.zeros(C))))
            m, v = (x.mean(axes), x.var(axes)) if training else (mean, var)
            m, v, w, b = (a.reshape(wide) for a in (m, v, w, b))
            return (x - m) / np.sqrt(v + 1e-5) * w + b

        return layer(module, reference, shape)(rng)

    return case


def straight(x, p):
    return x @ p["weight"] + p["bias"]


def kept(rng):
    x = apart(rng, shaped(rng))
    return nn.Dropout(0.5).eval(), (lambda x: x), [x]


CASES = {
    "stage3_nn.mse_loss": loss(nn.mse_loss, squared),
    "stage3_nn.l1_loss": loss(nn.l1_loss, absolute),
    "stage3_nn.huber_loss": loss(nn.huber_loss, huber),
    "stage3_nn.binary_cross_entropy_with_logits": loss(
        nn.binary_cross_entropy_with_logits, binary, 0, 1
    ),
    "stage3_nn.cross_entropy": cross_entropy(nn.cross_entropy),
    "stage3_nn.MSELoss": loss(as_layer(nn.MSELoss), squared),
    "stage3_nn.L1Loss": loss(as_layer(nn.L1Loss), absolute),
    "stage3_nn.HuberLoss": loss(as_layer(nn.HuberLoss), huber),
    "stage3_nn.BCEWithLogitsLoss": loss(as_layer(nn.BCEWithLogitsLoss), binary, 0, 1),
    "stage3_nn.CrossEntropyLoss": cross_entropy(as_layer(nn.CrossEntropyLoss)),
    "stage3_nn.more.cross_entropy": of_ids_or_shares(m.cross_entropy),
    "stage3_nn.more.CrossEntropyLoss": of_ids_or_shares(as_layer(m.CrossEntropyLoss)),
    "stage3_nn.more.binary_cross_entropy_with_logits": binary_with_weight(
        m.binary_cross_entropy_with_logits
    ),
    "stage3_nn.more.BCEWithLogitsLoss": binary_with_weight(as_layer(m.BCEWithLogitsLoss)),
    "stage3_nn.ReLU": of_one(nn.ReLU(), formulas.relu),
    "stage3_nn.Sigmoid": of_one(nn.Sigmoid(), formulas.sigmoid),
    "stage3_nn.Tanh": of_one(nn.Tanh(), np.tanh),
    "stage3_nn.GELU": of_one(nn.GELU(), formulas.gelu_tanh),
    "stage3_nn.SiLU": of_one(nn.SiLU(), formulas.silu),
    "stage3_nn.Softmax": of_one(nn.Softmax(), formulas.softmax, least=1, smallest=1),
    "stage3_nn.more.LeakyReLU": of_one(m.LeakyReLU(), formulas.leaky_relu),
    "stage3_nn.more.ELU": of_one(m.ELU(), formulas.elu),
    "stage3_nn.more.Softplus": of_one(m.Softplus(), formulas.softplus),
    "stage3_nn.more.GELU": of_one(m.GELU(), formulas.gelu),
    "stage3_nn.Sequential": of_one(
        nn.Sequential(nn.Tanh(), nn.ReLU()), lambda x: formulas.relu(np.tanh(x))
    ),
    "stage3_nn.Dropout": kept,
    "stage3_nn.Linear": layer(lambda: nn.Linear(3, 2), straight, lambda rng: (*shaped(rng)[:2], 3)),
    "stage3_nn.Embedding": looked_up(None),
    "stage3_nn.Embedding with padding": looked_up(1),
    "stage3_nn.LayerNorm": layer(
        lambda: nn.LayerNorm(3),
        lambda x, p: formulas.normalised(x, -1) * p["weight"] + p["bias"],
        (2, 4, 3),
    ),
    "stage3_nn.RMSNorm": layer(
        lambda: nn.RMSNorm(3),
        lambda x, p: formulas.by_root_mean_square(x, -1) * p["weight"],
        (2, 4, 3),
    ),
    "stage3_nn.more.LayerNorm": layer(
        lambda: m.LayerNorm((4, 3)),
        lambda x, p: formulas.normalised(x, (-2, -1)) * p["weight"] + p["bias"],
        (2, 4, 3),
    ),
    "stage3_nn.more.RMSNorm": layer(
        lambda: m.RMSNorm((4, 3)),
        lambda x, p: formulas.by_root_mean_square(x, (-2, -1)) * p["weight"],
        (2, 4, 3),
    ),
    "stage3_nn.BatchNorm1d": batch_norm(lambda: nn.BatchNorm1d(3), (4, 3), 0),
    "stage3_nn.more.BatchNorm1d": batch_norm(
        lambda: m.BatchNorm1d(3, affine=False), (4, 3, 2), (0, 2)
    ),
    "stage3_nn.more.BatchNorm2d": batch_norm(lambda: m.BatchNorm2d(3), (2, 3, 2, 4), (0, 2, 3)),
    "stage3_nn.Conv2d": layer(lambda: nn.Conv2d(3, 2, 3, stride=2, padding=1), filtered, pictures),
    "stage3_nn.more.Conv2d": layer(
        lambda: m.Conv2d(3, 2, (2, 3), stride=2, padding=1), filtered, pictures
    ),
    "stage3_nn.more.conv2d": convolution,
    "stage3_nn.MaxPool2d": layer(
        lambda: nn.MaxPool2d(2, 1),
        lambda x, _: formulas.windows(x, (2, 2), (1, 1)).max((-2, -1)),
        pictures,
    ),
    "stage3_nn.more.max_pool2d": pooled(m.max_pool2d, mean=False),
    "stage3_nn.more.avg_pool2d": pooled(m.avg_pool2d, mean=True),
    "stage3_nn.more.MaxPool2d": pooled(called(m.MaxPool2d), mean=False),
    "stage3_nn.more.AvgPool2d": pooled(called(m.AvgPool2d), mean=True),
}
