"""Puts `startup.pth` into an editable installation too; a wheel has it from pyproject.toml."""

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class EditableStartup(BuildHookInterface):
    """Adds one file to what `pip install -e` writes."""

    def initialize(self, version: str, build_data: dict) -> None:
        """Name the file and its place in site-packages."""
        if version == "editable":
            build_data["force_include_editable"]["course/startup.pth"] = "glassbox_course.pth"
