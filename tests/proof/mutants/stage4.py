"""Every known mistake of stage 4, each found by the tests of its own exercise.

The numbers D01 to D37 are the rows of docs/mistakes.md. Where a cause is given, the feedback must
name it.
"""

from course.authors.mutants import in_file

optimizer = in_file("optimizer.py")
sgd = in_file("sgd.py")
decay = in_file("decay.py")
adaptive = in_file("adaptive.py")
adam = in_file("adam.py")
clipping = in_file("clipping.py")
schedules = in_file("schedules.py")
loop = in_file("loop.py")
snapshot = in_file("snapshot.py")
averaging = in_file("averaging.py")

STEP = '        p.data -= np.multiply(v, options["lr"], out=self.scratch(p, 1))'
DOWNHILL = [
    sgd(
        "4.1",
        "D01 a local name is moved",
        STEP,
        '        p = p - options["lr"] * v',
        "gives a name to something new",
    ),
    sgd(
        "4.1",
        "D02 the update is an operation",
        STEP,
        '        new = p - Tensor(options["lr"] * v)\n'
        "        p.data, p.parents, p.vjps = new.data, new.parents, new.vjps",
        "the update is no operation",
    ),
    optimizer(
        "4.1",
        "D03 gradients are not forgotten",
        "            p.zero_grad()",
        "            pass",
        "zero_grad must forget",
    ),
    optimizer(
        "4.1",
        "D05 a missing gradient is a crash",
        "                if p.grad is not None:\n                    self.update",
        "                if True:\n                    self.update",
        "has the grad None: leave it out",
        state="error",
    ),
    sgd("4.1", "uphill", STEP, STEP.replace("-=", "+="), "uphill"),
    sgd("4.1", "no learning rate", STEP, "        p.data -= v", "lr is missing"),
    sgd(
        "4.1",
        "D36 float64 weights",
        STEP,
        '        p.data = p.data - np.float64(options["lr"]) * v',
        "must not widen it",
    ),
    sgd(
        "4.1",
        "the gradient is scaled in place",
        STEP,
        '        v *= options["lr"]\n        p.data -= v',
        "g *= lr changes it",
    ),
    optimizer(
        "4.1",
        "the options of the first group for all",
        "self.update(p, p.grad, self.state[p], group)",
        "self.update(p, p.grad, self.state[p], self.param_groups[0])",
        "each group has its own lr",
    ),
]

ROLLING = [
    sgd(
        "4.2",
        "D06 the damped form",
        '            v += np.multiply(g, 1 - options["dampening"], out=work)',
        "            v += (1 - mu) * g",
        "g is multiplied by 1 - mu",
    ),
    sgd(
        "4.2",
        "D06 damped from the first step",
        '            v = state["velocity"] = np.array(g)\n        else:',
        '            v = state["velocity"] = (1 - mu) * g\n        elif True:\n'
        '            v = state["velocity"]\n'
        "            v *= mu\n            v += (1 - mu) * g\n        else:",
        "that is the damped form",
    ),
    sgd(
        "4.2",
        "D07 the velocity contains lr",
        '        v = self.velocity(p, g, state, options) if options["momentum"] else g\n' + STEP,
        '        if options["momentum"]:\n'
        '            p.data -= self.velocity(p, options["lr"] * g, state, options)\n'
        "        else:\n"
        '            p.data -= options["lr"] * g',
        "v contains lr",
    ),
    sgd(
        "4.2",
        "D08 dampened from the first step",
        '            v = state["velocity"] = np.array(g)',
        '            v = state["velocity"] = (1 - options["dampening"]) * g',
        "not dampened",
    ),
    sgd(
        "4.2",
        "no dampening",
        'np.multiply(g, 1 - options["dampening"], out=work)',
        "g",
        "dampening is missing",
    ),
    sgd(
        "4.2",
        "D09 Nesterov is plain",
        '        if not options["nesterov"]:\n            return v',
        "        if True:\n            return v",
        "that is plain momentum",
    ),
    sgd(
        "4.2",
        "D09 Nesterov with the old velocity",
        '        mu, work = options["momentum"], self.scratch(p, 1)\n',
        '        mu, work = options["momentum"], self.scratch(p, 1)\n'
        '        old = mu * state.get("velocity", g) if options["nesterov"] else 0\n'
        '        if options["nesterov"]:\n'
        '            v = state["velocity"] = mu * state.get("velocity", 0 * g) + g\n'
        "            return g + old\n",
        "g + mu v needs the new v",
    ),
    sgd(
        "4.2",
        "Nesterov is kept",
        "        np.multiply(v, mu, out=work)\n        work += g\n        return work",
        "        v *= mu\n        v += g\n        return v",
        "v itself stays",
    ),
    sgd(
        "4.2",
        "the velocity is forgotten",
        '            v = state["velocity"] = np.array(g)',
        "            return g",
        "does update call velocity",
    ),
    sgd(
        "4.2",
        "one velocity for all",
        '        if "velocity" not in state:',
        '        state = self.__dict__.setdefault("shared", {})\n'
        '        if "velocity" not in state:',
        "they share one v",
    ),
    sgd(
        "4.2",
        "the gradient is not copied",
        'state["velocity"] = np.array(g)',
        'state["velocity"] = g',
        "v is the gradient's own array",
    ),
]

PULLS = [
    sgd(
        "4.3",
        "D10 no decay without momentum",
        '        if options["weight_decay"]:',
        '        if options["weight_decay"] and options["momentum"]:',
        "decay was left out",
    ),
    sgd(
        "4.3",
        "D11 decay after momentum",
        '        if options["weight_decay"]:\n'
        '            g = l2_gradient(p, g, options["weight_decay"], out=self.scratch(p))\n'
        '        v = self.velocity(p, g, state, options) if options["momentum"] else g\n',
        '        v = self.velocity(p, g, state, options) if options["momentum"] else g\n'
        '        if options["weight_decay"]:\n'
        '            v = l2_gradient(p, v, options["weight_decay"], out=self.scratch(p, 2))\n',
        "decay was added after momentum",
    ),
    decay(
        "4.3",
        "half of it",
        "np.multiply(p.data, weight_decay, out=out)",
        "np.multiply(p.data, weight_decay / 2, out=out)",
        "without the half",
    ),
    decay(
        "4.3",
        "away from 0",
        "    out += g\n    return out",
        "    return g - out",
        "decay pulls to 0",
    ),
    decay(
        "4.3",
        "into the gradient",
        "    out += g\n    return out",
        "    g += out\n    return g",
        "it belongs to the Parameter",
    ),
    decay(
        "4.3",
        "shrink without lr",
        "    p.data *= 1 - lr * weight_decay",
        "    p.data *= 1 - weight_decay",
        "lr is missing",
    ),
    decay(
        "4.3",
        "shrink to almost nothing",
        "    p.data *= 1 - lr * weight_decay",
        "    p.data *= lr * weight_decay",
        "not p lr wd",
    ),
    decay(
        "4.3",
        "shrink moves a local name",
        "    p.data *= 1 - lr * weight_decay",
        "    p = p * (1 - lr * weight_decay)",
        "write into p.data",
    ),
]

BY_SIZE = [
    adaptive(
        "4.4",
        "the sum is not kept",
        '        state["square_sum"] += np.multiply(g, g, out=work)',
        '        state["square_sum"][...] = g * g',
        "is not kept from step to step",
    ),
    adaptive(
        "4.4",
        "no root",
        '        np.sqrt(state["square_sum"], out=work)',
        '        np.copyto(work, state["square_sum"])',
        "divide by the root",
    ),
    adaptive(
        "4.4",
        "lr_decay counts from 1",
        '        lr = options["lr"] / (1 + state["step"] * options["lr_decay"])\n'
        '        state["step"] += 1\n',
        '        state["step"] += 1\n'
        '        lr = options["lr"] / (1 + state["step"] * options["lr_decay"])\n',
        "the first step has the whole lr",
    ),
    adaptive(
        "4.4",
        "a sum in place of a mean",
        "running_mean(s, np.multiply(g, g, out=work), alpha, work)",
        "s += g * g",
        "that is a sum",
    ),
    adaptive(
        "4.4",
        "alpha exchanged",
        "running_mean(s, np.multiply(g, g, out=work), alpha, work)",
        "running_mean(s, np.multiply(g, g, out=work), 1 - alpha, work)",
        "alpha is the share of the old mean",
    ),
    adaptive(
        "4.4",
        "eps under the root",
        '        np.sqrt(s, out=work)\n        work += options["eps"]',
        '        np.sqrt(s + options["eps"], out=work)',
        "eps was added under the root",
    ),
    adaptive(
        "4.4",
        "centered is ignored",
        '        if options["centered"]:\n            m = state',
        "        if False:\n            m = state",
        "centered is ignored",
    ),
    adaptive(
        "4.4",
        "momentum is ignored",
        '        if options["momentum"]:\n            v = state',
        "        if False:\n            v = state",
        "momentum is ignored",
    ),
    adaptive(
        "4.4",
        "the velocity contains lr",
        "            v += step\n            step = v\n",
        "            v += step * options['lr']\n            step = v\n",
        "lr counts twice",
    ),
]

ADAM = [
    adam(
        "4.5",
        "D12 no correction",
        "correction = math.sqrt(1 - beta2**t)",
        "correction = 1",
        "v is not corrected",
    ),
    adam(
        "4.5",
        "D12 no correction at all",
        '        work *= options["lr"] * correction / (1 - beta1**t)',
        '        work *= options["lr"]',
        "no correction",
    ),
    adam(
        "4.5",
        "D13 t starts at 0",
        '        state["step"] += 1\n        t, m, v, work = state["step"],',
        '        state["step"] += 1\n        t, m, v, work = state["step"] - 1,',
        "Steps count from 1 in the corrections",
        state="error",
    ),
    adam(
        "4.5",
        "D14 corrected moments are kept",
        "        correction = math.sqrt(1 - beta2**t)",
        "        m /= 1 - beta1**t\n        v /= 1 - beta2**t\n        beta1 = beta2 = 0.0\n"
        "        correction = math.sqrt(1 - beta2**t)",
        "keep them uncorrected",
    ),
    adam(
        "4.5",
        "D15 eps under the root",
        '        np.sqrt(v, out=work)\n        work += options["eps"] * correction\n',
        '        np.sqrt(v + options["eps"] * correction**2, out=work)\n',
        "under the root",
    ),
    adam(
        "4.5",
        "D16 eps before the correction",
        'options["eps"] * correction',
        'options["eps"]',
        "eps is added to the root of the corrected v",
    ),
    adam(
        "4.5",
        "D17 moments are not kept",
        "        if not state:\n            state.update(",
        "        if True:\n            state.update(",
        "keep them in state",
    ),
    adam(
        "4.5",
        "the betas are exchanged",
        '        beta1, beta2 = options["betas"]',
        '        beta2, beta1 = options["betas"]',
        "the betas are exchanged",
    ),
    adam(
        "4.5",
        "v is a mean of |g|",
        "np.multiply(g, g, out=work), beta2",
        "np.abs(g, out=work), beta2",
        "v is a running mean of g^2",
    ),
    adam(
        "4.5",
        "D21 one counter for all",
        '        state["step"] += 1\n        t, m, v, work = state["step"],',
        '        if p is self.parameters()[0]:\n            self.t = getattr(self, "t", 0) + 1\n'
        "        t, m, v, work = self.t,",
        "t is counted per Parameter",
    ),
    adam(
        "4.5",
        "no decay",
        '        if options["weight_decay"]:\n            g = l2_gradient',
        "        if False:\n            g = l2_gradient",
        "weight_decay is ignored",
    ),
    adam(
        "4.5",
        "decay as in AdamW",
        '            g = l2_gradient(p, g, options["weight_decay"], out=self.scratch(p))\n'
        "        self.adam_step(p, g, state, options)\n\n    def adam_step",
        '            shrink(p, options["lr"], options["weight_decay"])\n'
        "        self.adam_step(p, g, state, options)\n\n    def adam_step",
        "that is AdamW: in Adam the decay is a part of the gradient",
    ),
    adam(
        "4.5",
        "float64 weights",
        "        p.data -= work",
        "        p.data = p.data - np.float64(1) * work",
        "must not widen it",
    ),
    adam(
        "4.5",
        "the gradient is used up",
        "        running_mean(m, g, beta1, work)\n"
        "        running_mean(v, np.multiply(g, g, out=work), beta2, work)\n",
        "        running_mean(v, np.multiply(g, g, out=work), beta2, work)\n"
        "        running_mean(m, g, beta1, g)\n",
        "it belongs to the Parameter",
    ),
]

BESIDE = [
    adam(
        "4.6",
        "D18 decay in the gradient",
        '        shrink(p, options["lr"], options["weight_decay"])\n',
        '        g = l2_gradient(p, g, options["weight_decay"], out=self.scratch(p))\n',
        "as L2",
    ),
    adam(
        "4.6",
        "D19 decay after the step",
        '        shrink(p, options["lr"], options["weight_decay"])\n'
        "        self.adam_step(p, g, state, options)\n",
        "        self.adam_step(p, g, state, options)\n"
        '        shrink(p, options["lr"], options["weight_decay"])\n',
        "decay came after the step",
    ),
    adam(
        "4.6",
        "D20 decay without lr",
        'shrink(p, options["lr"], options["weight_decay"])',
        'shrink(p, 1.0, options["weight_decay"])',
        "decay is multiplied by lr",
    ),
    adam(
        "4.6",
        "no decay",
        '        shrink(p, options["lr"], options["weight_decay"])\n',
        "",
        "decay was left out",
    ),
    decay(
        "4.6",
        "everything decays",
        'p.ndim <= 1], "weight_decay": 0.0',
        'p.ndim <= 1], "weight_decay": weight_decay',
        "does not decay",
    ),
    decay(
        "4.6",
        "matrices are left out",
        "[p for p in parameters if p.ndim > 1]",
        "[p for p in parameters if p.ndim > 2]",
        "the matrices are in no group",
    ),
]

LIMITS = [
    clipping(
        "4.7",
        "D22 each tensor by itself",
        "            g *= max_norm / before\n",
        "            g *= max_norm / np.sqrt((g * g).sum())\n",
        "one factor for all",
    ),
    clipping(
        "4.7",
        "D23 small gradients grow",
        "    if before > max_norm:",
        "    if before:",
        "small gradients were scaled up",
    ),
    clipping(
        "4.7",
        "D24 zeros are divided by 0",
        "    if before > max_norm:",
        "    if before > max_norm or not any(g.any() for g in gradients.values()):",
        "What is divided by may be 0",
        state="error",
    ),
    clipping(
        "4.7",
        "D25 the infinity norm without abs",
        "float(np.abs(g).max())",
        "float(g.max())",
        "take absolute values first",
    ),
    clipping(
        "4.7",
        "D25 the infinity norm as a power",
        "    if norm_type == math.inf:",
        "    if False:",
        "use max for this norm",
    ),
    clipping(
        "4.7",
        "D26 NaN scales everything",
        "    if not finite(before):",
        "    if False:",
        "would spoil every weight",
    ),
    clipping(
        "4.7",
        "D27 large numbers are not scaled well",
        "    if not finite(before):",
        "    if 1e19 < before < math.inf:\n"
        "        for p in params:\n"
        "            p.grad = p.grad * np.float32(1e-30)\n"
        "        return before\n"
        "    if not finite(before):",
        "sum the squares in float64",
    ),
    clipping(
        "4.7",
        "D28 a tied parameter counts twice",
        '    params = dict.fromkeys(read_parameters("clip_grad_norm", parameters))',
        '    params = read_parameters("clip_grad_norm", parameters)',
        "it was counted twice",
    ),
    clipping(
        "4.7",
        "the norm after clipping",
        "    return before\n",
        "    return min(before, max_norm)\n",
        "return the norm before",
    ),
    clipping(
        "4.7",
        "a generator is used up",
        '    params = dict.fromkeys(read_parameters("clip_grad_norm", parameters))',
        "    params = parameters",
        "a generator is empty after one walk",
    ),
    clipping(
        "4.7",
        "float64 gradients",
        "            g *= max_norm / before\n",
        "            g = g * np.float64(max_norm / before)\n",
        "scale it in place",
    ),
    clipping(
        "4.7",
        "values above only",
        "np.clip(p.grad, -clip_value, clip_value)",
        "np.minimum(p.grad, clip_value)",
        "the lower bound is missing",
    ),
]

RATES = [
    schedules(
        "4.8",
        "D29 the first step does not move",
        "(step + 1) / max(warmup, 1)",
        "step / max(warmup, 1)",
        "the first step would not move",
    ),
    schedules(
        "4.8",
        "warm-up without an end",
        "peak * min(1.0, (step + 1) / max(warmup, 1))",
        "peak * (step + 1) / max(warmup, 1)",
        "it stays at the peak",
    ),
    schedules(
        "4.8",
        "D30 the root of 0",
        "        n = step + 1\n",
        "        n = step\n",
        "n = step + 1",
        state="error",
    ),
    schedules(
        "4.8",
        "D30 the first step counts as 0",
        "        n = step + 1\n",
        "        n = max(step, 1e-9)\n",
        "step 0 is the first one",
        state="wrong",
    ),
    schedules(
        "4.8",
        "D31 multiplied again and again",
        "lr * gamma ** (step // every)",
        "lr * gamma ** max(0, step - every + 1)",
        "multiplied again",
    ),
    schedules(
        "4.8",
        "steps count from 1",
        "lr * gamma ** (step // every)",
        "lr * gamma ** ((step + 1) // every)",
        "the first step is 0",
    ),
    schedules(
        "4.8",
        "D32 the floor cuts the curve",
        "floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2",
        "max(floor, peak * (1 + math.cos(math.pi * done)) / 2)",
        "not a bound that cuts it",
    ),
    schedules(
        "4.8",
        "D33 it rises again",
        "min(1.0, step / steps) if steps else 1.0",
        "step / steps if steps else 1.0",
        "it rises again",
    ),
    schedules(
        "4.8",
        "D34 a cosine of no steps",
        "min(1.0, step / steps) if steps else 1.0",
        "min(1.0, step / steps)",
        "The first step is step 0",
        state="error",
    ),
    schedules(
        "4.8",
        "D34 no warm-up",
        "(step + 1) / max(warmup, 1))",
        "(step + 1) / warmup)",
        "The first step is step 0",
        state="error",
    ),
    schedules(
        "4.8",
        "parts do not count from 0",
        "            step -= steps\n",
        "",
        "counts its steps from 0",
    ),
    schedules(
        "4.8",
        "a schedule that remembers",
        "        return lr * gamma**step",
        "        nonlocal lr\n        lr *= gamma\n        return lr / gamma",
        "a schedule depends on the step alone",
    ),
]

LOOPS = [
    loop(
        "4.9",
        "D03 gradients are not forgotten",
        "        self.optimizer.zero_grad()\n",
        "",
        "zero_grad",
    ),
    loop(
        "4.9",
        "zero_grad for every batch",
        "            self.check(mean)\n",
        "            self.check(mean)\n            self.optimizer.zero_grad()\n",
        "only the last batch is left",
    ),
    loop(
        "4.9",
        "D37 the mean of the means",
        "        for batch in islice(batches, self.accumulate):\n"
        "            loss = self.loss(self.model, batch)\n"
        "            mean, n = loss if isinstance(loss, tuple) else (loss, 1)\n",
        "        for batch in islice(batches, self.accumulate):\n"
        "            loss = self.loss(self.model, batch)\n"
        "            mean, n = (loss[0] if isinstance(loss, tuple) else loss), 1\n",
        "weigh each by its count",
    ),
    loop(
        "4.9",
        "gradients are added and not divided",
        "                p.grad /= count\n",
        "                pass\n",
        "divide the gradients by the count",
    ),
    loop(
        "4.9",
        "accumulate is ignored",
        "islice(batches, self.accumulate)",
        "islice(batches, 1)",
        "accumulate is ignored",
    ),
    loop(
        "4.9",
        "no clipping",
        "        norm = clip_grad_norm(parameters, self.max_norm)",
        "        norm = clip_grad_norm(parameters, math.inf)",
        "was not clipped",
    ),
    loop(
        "4.9",
        "clipped before the division",
        "        for p in parameters:\n"
        "            if p.grad is not None:\n                p.grad /= count\n"
        "        norm = clip_grad_norm(parameters, self.max_norm)\n",
        "        norm = clip_grad_norm(parameters, self.max_norm)\n"
        "        for p in parameters:\n"
        "            if p.grad is not None:\n                p.grad /= count\n",
        "the sum of the gradients was clipped",
    ),
    loop(
        "4.9",
        "the schedule comes late",
        "        if self.schedule:\n            self.optimizer.lr = self.schedule(self.at.step)\n"
        "        self.optimizer.step()\n",
        "        self.optimizer.step()\n"
        "        if self.schedule:\n            self.optimizer.lr = self.schedule(self.at.step)\n",
        "the learning rate was set after the update",
    ),
    loop(
        "4.9",
        "the step counts before the schedule",
        "            self.optimizer.lr = self.schedule(self.at.step)",
        "            self.optimizer.lr = self.schedule(self.at.step + 1)",
        "the first is step 0",
    ),
    loop(
        "4.9",
        "NaN is not seen",
        "        if not math.isfinite(loss.item()):",
        "        if False:",
        "sees it too late",
    ),
    loop(
        "4.9",
        "no microscope",
        '                f"the microscope says: {find_break(loss)}"\n',
        '                ""\n',
        "add what find_break(loss) says",
    ),
    loop(
        "4.9",
        "the average comes early",
        "        self.optimizer.step()\n"
        "        if self.average:\n            self.average.update()\n",
        "        if self.average:\n"
        "            self.average.update()\n        self.optimizer.step()\n",
        "after the update",
    ),
    loop("4.9", "steps are not counted", "        self.at.step += 1\n", "", "set optimizer"),
]

RESUMED = [
    optimizer(
        "4.10",
        "D35 no state is saved",
        "                for p, remembered in self.state.items()\n            },",
        "                for p, remembered in {}.items()\n            },",
        "what is missing from state_dict",
    ),
    optimizer(
        "4.10",
        "D35 the counter starts again",
        "                key: np.array(value) if isinstance(value, np.ndarray) else value\n",
        "                key: np.array(value) if isinstance(value, np.ndarray) else 1\n",
        "what is missing from state_dict",
    ),
    optimizer(
        "4.10",
        "the state is live",
        "value.copy() if isinstance(value, np.ndarray) else value",
        "value",
        "copy them",
    ),
    optimizer(
        "4.10",
        "loaded arrays are shared",
        "key: np.array(value) if isinstance(value, np.ndarray) else value",
        "key: value",
        "copy them on the way in",
    ),
    optimizer(
        "4.10",
        "learning rates are not loaded",
        '            group.update({**options, "params": group["params"]})\n',
        "            pass\n",
        "the options of the groups belong to the state",
    ),
    optimizer(
        "4.10",
        "parameters are numbers now",
        'group.update({**options, "params": group["params"]})',
        "group.update(options)",
        "The groups hold numbers now",
        state="error",
    ),
    optimizer(
        "4.10",
        "any number of parameters",
        "        check_saved(self.param_groups, saved)\n",
        "",
        "compare the groups",
    ),
    optimizer(
        "4.10",
        "any shape",
        "        check_saved(self.param_groups, saved)\n",
        '        check_saved(self.param_groups, {**saved, "state": {}})\n',
        "compare the groups",
    ),
    snapshot(
        "4.10",
        "generators are forgotten",
        '        "generators": generator_states(generators),\n',
        '        "generators": generator_states({}),\n',
        "Nothing was saved of the generators",
        state="error",
    ),
    snapshot(
        "4.10",
        "generators are not restored",
        '    set_generator_states(generators, rest["generators"])\n',
        "",
        "the generators are part of the state",
    ),
    snapshot(
        "4.10",
        "weights are not restored",
        "    model.load_state_dict(weights)\n",
        "",
        "after restore",
    ),
    loop(
        "4.10",
        "an epoch begins again",
        "            for _ in range(used):\n                next(batches)\n",
        "",
        "an epoch must go on in the middle",
    ),
    loop(
        "4.10",
        "another order after the break",
        "                set_generator_states(self.generators, self.at.epoch_start)\n",
        "                pass\n",
        "an epoch must go on in the middle",
    ),
    loop(
        "4.10",
        "generators stay behind",
        "            if used:\n                set_generator_states(self.generators, now)\n",
        "",
        "an epoch must go on in the middle",
    ),
    loop(
        "4.10",
        "one epoch only",
        "        while True:\n            used",
        "        for _ in range(1):\n            used",
        "The iterator is at its end",
        state="error",
    ),
    loop(
        "4.10",
        "epochs are not counted",
        "                    self.at.epoch, self.at.batch = self.at.epoch + 1, 0\n",
        "                    self.at.batch = 0\n",
        "add 1 to self.at.epoch",
    ),
]

AVERAGES = [
    averaging(
        "4.11",
        "decay exchanged",
        "(1 - self.decay) * (p.data - average)",
        "self.decay * (p.data - average)",
        "decay is the share that is kept",
    ),
    averaging(
        "4.11",
        "the weights do not come back",
        "            for name, p in self.model.named_parameters():\n"
        "                p.data = own[name]",
        "            pass",
        "put the weights back",
    ),
    averaging(
        "4.11",
        "the average is handed out",
        "p.data = self.average[name].copy()",
        "p.data = self.average[name]",
        "copy it",
    ),
    averaging(
        "4.11",
        "an error keeps the average",
        "        finally:\n",
        "        except OSError:\n",
        "put the weights back",
    ),
]

LEARNERS = [  # what came up when the exercises were solved badly on purpose
    optimizer(
        "4.1",
        "the first missing gradient ends the step",
        "                if p.grad is not None:\n                    self.update",
        "                if p.grad is None:\n                    return\n"
        "                else:\n                    self.update",
        "not all that come behind it",
    ),
    optimizer(
        "4.1",
        "zero_grad of the first group",
        "        for p in self.parameters():\n            p.zero_grad()",
        '        for p in self.param_groups[0]["params"]:\n            p.zero_grad()',
        "go through every group",
    ),
    sgd(
        "4.1",
        "a Tensor as data",
        STEP,
        '        p.data = p - options["lr"] * v',
        "put an array into .data",
    ),
    optimizer(
        "4.3",
        "no gradient is a gradient of 0",
        "                if p.grad is not None:\n"
        "                    self.update(p, p.grad, self.state[p], group)",
        "                g = np.zeros_like(p.data) if p.grad is None else p.grad\n"
        "                self.update(p, g, self.state[p], group)",
        "no gradient is not a gradient of 0",
    ),
    adam("4.5", "beta times t", "(1 - beta1**t)", "(1 - beta1 * t)", "not 1 - beta * t"),
    adam(
        "4.5",
        "t is always 1",
        '        state["step"] += 1\n',
        '        state["step"] = 1\n',
        "t is 1 in every step",
    ),
    adam(
        "4.5",
        "what running_mean returns",
        "        running_mean(m, g, beta1, work)",
        "        m = running_mean(m, g, beta1, work)",
        "that has no `return` gives None",
        "error",
    ),
    decay(
        "4.6",
        "filters do not decay",
        "[p for p in parameters if p.ndim > 1]",
        "[p for p in parameters if p.ndim == 2]",
        "filters are in no group",
    ),
    loop(
        "4.9",
        "a missing gradient is a crash",
        "            if p.grad is not None:\n                p.grad /= count",
        "            p.grad /= count",
        "A .grad is None at first",
        "error",
    ),
    loop(
        "4.9",
        "the loss keeps its graph",
        "            total += mean.item() * n",
        "            total = total + mean * n",
        "keep the whole graph",
    ),
    loop(
        "4.9",
        "checked after backward",
        "            self.check(mean)\n            (mean * n).backward()",
        "            (mean * n).backward()\n            self.check(mean)",
        "check(loss) comes before backward: no gradient has been",
    ),
    loop(
        "4.9",
        "the schedule sets one group",
        "            self.optimizer.lr = self.schedule(self.at.step)",
        '            self.optimizer.param_groups[0]["lr"] = self.schedule(self.at.step)',
        "sets every group",
    ),
    optimizer(
        "4.10",
        "learning rates before the shapes are looked at",
        "        check_saved(self.param_groups, saved)\n",
        '        for group, options in zip(self.param_groups, saved["param_groups"]):\n'
        '            group.update({**options, "params": group["params"]})\n'
        "        check_saved(self.param_groups, saved)\n",
        "before anything is loaded",
    ),
    optimizer(
        "4.10",
        "the old state stays beside the new one",
        "            self.state[parameters[i]] = {",
        "            self.state[parameters[i]] |= {",
        "takes the place of the old one",
    ),
    loop(
        "4.10",
        "one epoch and an end",
        "        while True:",
        "        for _ in range(1):",
        "the next epoch",
        "error",
    ),
    averaging(
        "4.11",
        "a local average",
        "            average += (1",
        "            average = average + (1",
        "it did not move",
    ),
]

FIRST = "these are the options of the first group"
UNSEEN = [  # these had full points once
    sgd(
        "4.2",
        "momentum of the first group",
        'mu, work = options["momentum"]',
        'mu, work = self.param_groups[0]["momentum"]',
        FIRST,
    ),
    sgd(
        "4.2",
        "dampening of the first group",
        '1 - options["dampening"]',
        '1 - self.param_groups[0]["dampening"]',
        FIRST,
    ),
    sgd(
        "4.2",
        "Nesterov as the first group",
        'if not options["nesterov"]',
        'if not self.param_groups[0]["nesterov"]',
        FIRST,
    ),
    adaptive(
        "4.4",
        "the rate of the first group for Adagrad",
        'lr = options["lr"] /',
        "lr = self.lr /",
        FIRST,
    ),
    adaptive(
        "4.4",
        "the rate of the first group for RMSprop",
        'np.multiply(step, options["lr"], out=work)',
        "np.multiply(step, self.lr, out=work)",
        FIRST,
    ),
    adaptive(
        "4.4",
        "alpha of the first group",
        'alpha, work = options["alpha"]',
        'alpha, work = self.param_groups[0]["alpha"]',
        FIRST,
    ),
    adaptive(
        "4.4",
        "centered as the first group",
        '        if options["centered"]:\n            m =',
        '        if self.param_groups[0]["centered"]:\n            m =',
        FIRST,
    ),
    adam(
        "4.5",
        "the rate of the first group",
        'work *= options["lr"] * correction',
        "work *= self.lr * correction",
        FIRST,
    ),
    adam(
        "4.5",
        "betas of the first group",
        'beta1, beta2 = options["betas"]',
        'beta1, beta2 = self.param_groups[0]["betas"]',
        FIRST,
    ),
    adam(
        "4.5",
        "eps of the first group",
        'work += options["eps"]',
        'work += self.param_groups[0]["eps"]',
        FIRST,
    ),
    adam(
        "4.6",
        "the decay by the rate of the first group",
        'shrink(p, options["lr"], options["weight_decay"])',
        'shrink(p, self.lr, options["weight_decay"])',
        FIRST,
    ),
    adam(
        "4.6",
        "the decay of the first group",
        'shrink(p, options["lr"], options["weight_decay"])',
        'shrink(p, options["lr"], self.param_groups[0]["weight_decay"])',
        FIRST,
    ),
    clipping(
        "4.7",
        "a single Tensor is its rows",
        'dict.fromkeys(read_parameters("clip_grad_norm", parameters))',
        "dict.fromkeys(parameters)",
        "a Tensor alone is a list of one",
    ),
    clipping(
        "4.7",
        "the smallest of the largest",
        "return max((float(np.abs(g).max())",
        "return min((float(np.abs(g).max())",
        "then the smallest of those",
    ),
    clipping(
        "4.7",
        "three kinds of norms and no other",
        "    if norm_type == 2:",
        "    if norm_type not in (1, math.inf):",
        "norm_type is ignored",
    ),
    clipping(
        "4.7",
        "any kind of norm",
        "    check_norm_type(norm_type)\n",
        "",
        "check the limit",
    ),
    schedules(
        "4.8",
        "a warm-up of two steps at least",
        "n * max(warmup, 1) ** -1.5",
        "n * max(warmup, 2) ** -1.5",
        "a warm-up may have one step",
    ),
]

MUTANTS = [
    *DOWNHILL,
    *ROLLING,
    *PULLS,
    *BY_SIZE,
    *ADAM,
    *BESIDE,
    *LIMITS,
    *RATES,
    *LOOPS,
    *RESUMED,
    *AVERAGES,
    *LEARNERS,
    *UNSEEN,
]

LEFT_OPEN = {"D04"}  # backward of stage 2 never adds in place, so shared zeros do no harm there
