"""The tasks, by name."""

from stage5_transformer.tasks import dates, pronounce, reverse
from stage5_transformer.tasks.task import Data, Example, Task

TASKS = {module.TASK.name: module.TASK for module in (reverse, dates, pronounce)}

__all__ = ["TASKS", "Data", "Example", "Task"]
