"""An average that mixes, and that swaps lists of arrays."""

from contextlib import contextmanager


class ExponentialMovingAverage:
    def __init__(self, model, decay=0.999):
        self.model, self.decay = model, decay
        self.average = {name: p.data + 0 for name, p in model.named_parameters()}

    def update(self):
        d = self.decay
        for name, p in self.model.named_parameters():
            self.average[name] = d * self.average[name] + (1 - d) * p.data

    @contextmanager
    def applied(self):
        parameters = dict(self.model.named_parameters())
        kept = [p.data for p in parameters.values()]
        for name, p in parameters.items():
            p.data = self.average[name] + 0
        try:
            yield self.model
        finally:
            for p, data in zip(parameters.values(), kept):
                p.data = data
