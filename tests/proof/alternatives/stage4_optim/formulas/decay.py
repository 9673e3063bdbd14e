"""Decay by its formulas."""


def l2_gradient(p, g, weight_decay, out):
    return g + (weight_decay * p.data).astype(g.dtype)


def shrink(p, lr, weight_decay):
    p.data = p.data - (lr * weight_decay * p.data).astype(p.dtype)


def decay_groups(model, weight_decay):
    plain, decayed = [], []
    for p in model.parameters():
        (decayed if len(p.shape) >= 2 else plain).append(p)
    return [{"params": plain, "weight_decay": 0}, {"params": decayed, "weight_decay": weight_decay}]
