"""Puts the runtime into a wheel.  Where it cannot be built, the wheel is made without it and the build says why."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class RuntimeHook(BuildHookInterface[Any]):
    """The hook of Hatchling; an editable install serves the files of the checkout, so it needs none."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds the runtime unless it is there, and adds its files to the wheel."""
        if version == "editable":
            return
        build = runpy.run_path(str(Path(__file__).with_name("build.py")))
        try:
            build["build"]()
        except build["CannotBuildError"] as error:
            self.app.display_warning(f"a wheel without the rules for browsers: {error}")
        else:
            build_data["artifacts"].append("/viewer/in_browser/built/**")
