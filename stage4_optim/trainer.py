"""A training loop that can be watched, stopped, killed and resumed to the same numbers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

from stage3_nn import DataLoader, Module, check_sizes, evaluating, save_checked
from stage4_optim.averaging import ExponentialMovingAverage
from stage4_optim.interrupt import ctrl_c_waits
from stage4_optim.loop import Loop, LossFunction, Position
from stage4_optim.optimizer import Optimizer
from stage4_optim.parts import in_parts
from stage4_optim.progress import Display
from stage4_optim.run_folder import RunFolder
from stage4_optim.schedules import Schedule
from stage4_optim.snapshot import capture, restore
from stage4_optim.training_inputs import check_limits, check_patience, check_settings, not_this_run


class Trainer(Loop):
    """Trains a model, one step after the other, for as long as it is told to.

    evaluate        evaluate(model): a dict of figures; the first one decides, the lower the better
    evaluate_every  steps between two evaluations; by default one after every epoch
    patience        stop after so many evaluations without a better one
    folder          where checkpoints and logs go; without it nothing is written
    save_every      steps between two checkpoints
    show            a bar in a terminal, lines elsewhere
    settings        what a resumed run must have in common with its beginning: {"preset": "small"}
    unit            what the loss is a mean over, as "tokens": their number per second is shown
    parts           each batch is cut into so many: the same gradient from smaller graphs

    `schedule`, `max_norm`, `accumulate` and `average` are those of a Loop. `at` says where the run
    stands, `history` holds a row for every step. An `average` is what is evaluated and kept.
    """

    def __init__(
        self,
        model: Module,
        optimizer: Optimizer,
        loss: LossFunction,
        data: DataLoader | Sequence,
        *,
        evaluate: Callable[[Module], dict[str, float]] | None = None,
        evaluate_every: int | None = None,
        patience: int | None = None,
        folder: str | Path | None = None,
        save_every: int = 100,
        show: bool = True,
        settings: dict[str, Any] | None = None,
        unit: str = "",
        schedule: Schedule | None = None,
        max_norm: float = math.inf,
        accumulate: int = 1,
        parts: int = 1,
        average: ExponentialMovingAverage | None = None,
    ) -> None:
        check_patience(patience, evaluate)
        check_settings(settings)
        counts = {"evaluate_every": evaluate_every, "patience": patience, "save_every": save_every}
        counts = {name: n for name, n in counts.items() if n is not None}
        check_sizes("Trainer", 1, parts=parts, **counts)
        super().__init__(
            model,
            optimizer,
            loss,
            in_parts(data, parts),
            schedule=schedule,
            max_norm=max_norm,
            accumulate=accumulate * parts,
            average=average,
        )
        self.evaluate, self.evaluate_every, self.patience = evaluate, evaluate_every, patience
        self.folder, self.save_every = folder, save_every
        self.show, self.settings, self.unit = show, settings or {}, unit
        self.history: list[dict[str, Any]] = []

    def fit(
        self,
        *,
        epochs: int | None = None,
        steps: int | None = None,
        minutes: float | None = None,
        resume: bool = False,
    ) -> str:
        """Train up to so many epochs or steps in all, or for so many minutes from now.

        With resume=True the run in the folder goes on, with the same numbers as if it had never
        stopped. Ctrl-C ends it after the step at hand, and saves. Returns why it ended: "steps",
        "epochs", "minutes", "patience" or "Ctrl-C".

        Raises:    ValueError: if there is no limit or one that is never reached, nothing to resume
                   from, or a run that was not to be resumed. RuntimeError: if another process
                   trains in the folder. FloatingPointError: if a loss or gradient is not finite;
                   the last checkpoint stays.
        """
        limits = {"steps": steps, "epochs": epochs, "minutes": minutes, "patience": self.patience}
        if all(limit is None for limit in limits.values()):
            raise ValueError(f"fit: expected a limit, got none; set one of {', '.join(limits)}")
        check_limits(steps, epochs, minutes)
        if resume and not self.folder:
            raise ValueError("fit: expected a folder to resume from, got none; pass folder=")
        folder = RunFolder(self.folder) if self.folder else None
        try:
            if folder:
                self.begin(folder, resume)
            return self.run(folder, limits)
        finally:
            if folder:
                folder.close()

    def run(self, folder: RunFolder | None, limits: dict[str, Any]) -> str:
        """Step after step, until a limit is reached."""
        started, batches, count = time.monotonic(), self.batches(), 0.0
        total = limits["steps"] or (limits["epochs"] or 0) * len(self.data) // self.accumulate
        self.model.train()
        shown = Display(self.at.step, total or None, self.show)
        with ctrl_c_waits() as interrupted, shown as display:
            while not (ended := self.ended(limits, time.monotonic() - started)):
                epoch = self.at.epoch
                row = self.train_step(batches)
                seconds = time.monotonic() - started
                row["seconds"] = round(seconds, 2)
                self.history.append(row)
                count += row["count"]
                rate = {f"{self.unit}/s": round(count / seconds)} if self.unit else {}
                display.step(self.at.step, loss=row["loss"], lr=row["lr"], **rate)
                if folder:
                    folder.log("log", row)
                if self.comes(self.evaluate_every, self.at.epoch > epoch):
                    self.judge(folder, display)
                if interrupted():
                    ended = "Ctrl-C"
                    onward = "resume the run" if folder else "fit again"
                    display.say(f"stopped after step {self.at.step}; {onward} to go on from here")
                    break
                if folder and self.comes(self.save_every):
                    self.save(folder)
            if folder:
                self.save(folder)
        return ended

    def ended(self, limits: dict[str, Any], seconds: float) -> str:
        """The limit that is reached, or nothing."""
        at = self.at
        stand = {
            "steps": at.step,
            "epochs": at.epoch,
            "minutes": seconds / 60,
            "patience": at.worse,
        }
        for name, limit in limits.items():
            if limit is not None and stand[name] >= limit:
                return name
        return ""

    def comes(self, every: int | None, otherwise: bool = False) -> bool:
        """True in every `every`-th step; without `every`, what `otherwise` says."""
        return self.at.step % every == 0 if every else otherwise

    def judge(self, folder: RunFolder | None, display: Display) -> None:
        """Evaluate the model, or the average of its weights; keep the best, the last of equals."""
        if self.evaluate is None:
            return
        averaged = self.average.applied() if self.average else nullcontext()
        with averaged, evaluating(self.model):
            figures = self.evaluate(self.model)
            weights = self.model.state_dict()
        if not isinstance(figures, dict) or not figures:
            raise TypeError(
                f"Trainer: expected a dict of figures from evaluate, got {figures!r}; "
                'return {"loss": ...}'
            )
        self.history[-1].update(figures)
        first = next(iter(figures.values()))
        is_best = first <= self.at.best
        self.at.worse = 0 if first < self.at.best else self.at.worse + 1
        self.at.best = min(first, self.at.best)
        told = "  ".join(f"{name} {value:.4g}" for name, value in figures.items())
        display.say(f"step {self.at.step}  {told}{'  (best)' if is_best else ''}")
        if folder:
            folder.log("evaluations", {"step": self.at.step, **figures})
            if is_best:
                save_checked(folder.best, weights, {"step": str(self.at.step)})

    def begin(self, folder: RunFolder, resume: bool) -> None:
        """Go on from the checkpoint of the folder, or make the first one.

        Raises:    ValueError: if there is a run in the folder, and it was not to be resumed, or
                   logs without a run.
        """
        if not folder.checkpoint.exists():
            folder.check_no_logs()
            self.save(folder)
        elif resume:
            self.load(folder)
        else:
            raise ValueError(
                f"fit: expected a new run folder, got {folder.path} with a run in it; "
                "go on with resume=True, or choose another folder"
            )

    def save(self, folder: RunFolder) -> None:
        """Write everything that the next step depends on."""
        arrays, rest = capture(self.model, self.optimizer, self.generators)
        if self.average:
            arrays |= {f"average.{name}": a for name, a in self.average.average.items()}
        folder.save(arrays, rest | {"position": asdict(self.at), "settings": self.settings})

    def load(self, folder: RunFolder) -> None:
        """Stand where the last checkpoint stood; where that fails, everything is as it was."""
        arrays, rest = folder.load()
        for name, value in rest["settings"].items():
            if self.settings.get(name, value) != value:
                raise ValueError(
                    f"resume: expected {name} {value}, with which the run in {folder.path} began, "
                    f"got {self.settings[name]}; take that, or another folder"
                )
        if self.average and not any(name.startswith("average.") for name in arrays):
            raise ValueError(
                "resume: expected a checkpoint with an average, got one without; leave average out"
            )
        before = capture(self.model, self.optimizer, self.generators)
        try:
            restore(arrays, rest, self.model, self.optimizer, self.generators)
            at = Position(**rest["position"])
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            restore(*before, self.model, self.optimizer, self.generators)
            raise not_this_run(folder.checkpoint, error) from error
        if self.average:
            kept = self.average.average
            self.average.average = {name: arrays[f"average.{name}"] for name in kept}
        self.at = at
        folder.forget_after(self.at.step)
