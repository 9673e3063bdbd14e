"""Exercises of stage 4, written otherwise and rightly."""

from course.authors.mutants import Variety

VARIETIES = [
    Variety(
        "4.1",
        "new numbers put into the old array, zeros in place of None",
        "sgd.py",
        """
        class SGD:
            def update(self, p, g, state, options):
                v = self.velocity(p, g, state, options) if options["momentum"] else g
                p.data[...] = p.data - options["lr"] * v
        """,
    ),
    Variety(
        "4.1",
        "np.add into the array, gradients of zeros",
        "optimizer.py",
        """
        class Optimizer:
            def step(self):
                for options in self.param_groups:
                    moving = [p for p in options["params"] if p.grad is not None]
                    for p in moving:
                        self.update(p, p.grad, self.state[p], options)

            def zero_grad(self):
                for p in self.parameters():
                    if p.grad is not None:
                        p.grad = np.zeros_like(p.data)
        """,
    ),
    Variety(
        "4.2",
        "a new velocity in every step",
        "sgd.py",
        """
        class SGD:
            def velocity(self, p, g, state, options):
                mu, share = options["momentum"], 1 - options["dampening"]
                old = state.get("velocity")
                v = g.copy() if old is None else (mu * old + share * g).astype(p.dtype)
                state["velocity"] = v
                return (g + mu * v).astype(p.dtype) if options["nesterov"] else v
        """,
    ),
    Variety(
        "4.3",
        "out of place",
        "decay.py",
        """
        def l2_gradient(p, g, weight_decay, out):
            return (g + weight_decay * p.data).astype(p.dtype)

        def shrink(p, lr, weight_decay):
            p.data = (p.data - lr * weight_decay * p.data).astype(p.dtype)
        """,
    ),
    Variety(
        "4.4",
        "out of place, in the order of the formula",
        "adaptive.py",
        """
        class Adagrad:
            def update(self, p, g, state, options):
                g = g + options["weight_decay"] * p.data
                state["square_sum"] = state["square_sum"] + g**2
                lr = options["lr"] / (1 + options["lr_decay"] * state["step"])
                state["step"] += 1
                step = lr * g / (state["square_sum"] ** 0.5 + options["eps"])
                p.data[...] = p.data - step

        class RMSprop:
            def update(self, p, g, state, options):
                alpha, mu = options["alpha"], options["momentum"]
                g = g + options["weight_decay"] * p.data
                state["s"] = alpha * state.get("s", 0.0) + (1 - alpha) * g * g
                state["m"] = alpha * state.get("m", 0.0) + (1 - alpha) * g
                s = state["s"]
                if options["centered"]:
                    s = np.maximum(s - state["m"] ** 2, 0)
                state["v"] = mu * state.get("v", 0.0) + g / (np.sqrt(s) + options["eps"])
                p.data[...] = p.data - options["lr"] * state["v"]
        """,
    ),
    Variety(
        "4.5",
        "both corrections in the learning rate and in eps",
        "adam.py",
        """
        class Adam:
            def adam_step(self, p, g, state, options):
                beta1, beta2 = options["betas"]
                t = state["t"] = state.get("t", 0) + 1
                m = state["m"] = beta1 * state.get("m", 0.0) + (1 - beta1) * g
                v = state["v"] = beta2 * state.get("v", 0.0) + (1 - beta2) * g**2
                root = math.sqrt(1 - beta2**t)
                lr = options["lr"] * root / (1 - beta1**t)
                p.data[...] = p.data - lr * m / (np.sqrt(v) + options["eps"] * root)
        """,
    ),
    Variety(
        "4.6",
        "the decay of the old weight, taken off last",
        "adam.py",
        """
        class AdamW:
            def update(self, p, g, state, options):
                pull = (options["lr"] * options["weight_decay"] * p.data).astype(p.dtype)
                self.adam_step(p, g, state, options)
                p.data -= pull
        """,
    ),
    Variety(
        "4.6",
        "two lists that are filled in one walk",
        "decay.py",
        """
        def decay_groups(model, weight_decay):
            decayed, bare = [], []
            for _, p in model.named_parameters():
                (decayed if len(p.shape) >= 2 else bare).append(p)
            return [
                {"params": bare, "weight_decay": 0.0},
                {"params": decayed, "weight_decay": weight_decay},
            ]
        """,
    ),
    Variety(
        "4.7",
        "the norm of all gradients in one row, a little added to it",
        "clipping.py",
        """
        def grad_norm(params, norm_type=2.0):
            rows = [np.ravel(p.grad).astype(np.float64) for p in params if p.grad is not None]
            return float(np.linalg.norm(np.concatenate([*rows, np.zeros(1)]), norm_type))

        def clip_grad_norm(parameters, max_norm, norm_type=2.0):
            if not max_norm >= 0 or not norm_type > 0:
                raise ValueError((max_norm, norm_type))
            listed = [parameters] if isinstance(parameters, Tensor) else list(parameters)
            params = {id(p): p for p in listed if p.grad is not None}.values()
            before = grad_norm(params, norm_type)
            if not math.isfinite(before):
                raise FloatingPointError(before)
            factor = min(1.0, max_norm / (before + 1e-6))
            for p in params:
                p.grad = (p.grad * factor).astype(p.dtype)
            return before

        def clip_grad_value(parameters, clip_value):
            if clip_value < 0:
                raise ValueError(clip_value)
            for p in [parameters] if isinstance(parameters, Tensor) else parameters:
                if p.grad is not None:
                    p.grad = np.minimum(np.maximum(p.grad, -clip_value), clip_value)
        """,
    ),
    Variety(
        "4.8",
        "a cosine by the square of half the angle, turns by their ends",
        "schedules.py",
        """
        def step_decay(lr, every, gamma=0.1):
            if not isinstance(every, int) or every < 1:
                raise ValueError(every)
            return lambda step: lr * math.prod([gamma] * (step // every))

        def exponential(lr, gamma):
            return lambda step: lr * math.exp(step * math.log(gamma))

        def linear_warmup(peak, warmup):
            return lambda step: peak if step + 1 >= warmup else peak * (step + 1) / warmup

        def cosine(peak, steps, floor=0.0):
            def schedule(step):
                if step >= steps:
                    return floor
                return floor + (peak - floor) * math.cos(math.pi / 2 * step / steps) ** 2

            return schedule

        def inverse_sqrt(d_model, warmup):
            def schedule(step):
                n, rise = step + 1, max(warmup, 1)
                return (d_model * n) ** -0.5 if n >= rise else n / (d_model * rise**3) ** 0.5

            return schedule

        def in_turn(*parts, then):
            def schedule(step):
                start = 0
                for steps, part in parts:
                    if step < start + steps:
                        return part(step - start)
                    start += steps
                return then(step - start)

            return schedule
        """,
    ),
    Variety(
        "4.9",
        "all losses first, then one walk back from their mean",
        "loop.py",
        """
        class Loop:
            def train_step(self, batches):
                found = []
                for batch in islice(batches, self.accumulate):
                    loss = self.loss(self.model, batch)
                    mean, n = loss if isinstance(loss, tuple) else (loss, 1)
                    self.check(mean)
                    found.append((mean, n))
                count = sum(n for _, n in found)
                whole = sum(mean * (n / count) for mean, n in found)
                parameters = self.optimizer.parameters()
                self.optimizer.zero_grad()
                whole.backward()
                norm = clip_grad_norm(parameters, self.max_norm)
                if self.schedule is not None:
                    self.optimizer.lr = self.schedule(self.at.step)
                self.optimizer.step()
                if self.average is not None:
                    self.average.update()
                self.at.step += 1
                row = {"step": self.at.step, "loss": whole.item(), "lr": self.optimizer.lr}
                return row | {"grad_norm": norm, "count": count}
        """,
    ),
    Variety(
        "4.10",
        "deep copies",
        "optimizer.py",
        """
        class Optimizer:
            def state_dict(self):
                from copy import deepcopy

                params = self.parameters()
                groups = []
                for group in self.param_groups:
                    options = {k: v for k, v in group.items() if k != "params"}
                    places = [i for i, p in enumerate(params) for q in group["params"] if p is q]
                    groups.append({**deepcopy(options), "params": places})
                state = {i: deepcopy(self.state[p]) for i, p in enumerate(params)}
                return {"state": state, "param_groups": groups}

            def load_state_dict(self, saved):
                from copy import deepcopy

                check_saved(self.param_groups, saved)
                for group, other in zip(self.param_groups, saved["param_groups"]):
                    for key in group:
                        if key != "params":
                            group[key] = other[key]
                for i, p in enumerate(self.parameters()):
                    self.state[p] = deepcopy(saved["state"][i])
        """,
    ),
    Variety(
        "4.11",
        "both shares by their names",
        "averaging.py",
        """
        class ExponentialMovingAverage:
            def update(self):
                for name, p in self.model.named_parameters():
                    kept, new = self.decay * self.average[name], (1 - self.decay) * p.data
                    self.average[name] = (kept + new).astype(p.dtype)

            @contextmanager
            def applied(self):
                parameters = dict(self.model.named_parameters())
                own = self.model.state_dict()
                for name, p in parameters.items():
                    p.data = self.average[name].copy()
                try:
                    yield self.model
                finally:
                    for name, p in parameters.items():
                        p.data[...] = own[name]
        """,
    ),
]
