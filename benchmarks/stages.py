"""Every target, by stage."""

from __future__ import annotations

from benchmarks import scaling, stage1, stage2, stage3, stage4_mlp, stage4_optimizers, stage5
from benchmarks.target import Target

STAGES = {
    "stage1": [stage1.targets],
    "stage2": [stage2.targets],
    "stage3": [stage3.targets],
    "stage4": [stage4_optimizers.targets, stage4_mlp.targets],
    "stage5": [stage5.targets, scaling.targets],
}


def targets(stage: str) -> list[Target]:
    """The targets of a stage, in the order of the table."""
    return [target for part in STAGES[stage] for target in part()]
