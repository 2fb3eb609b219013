"""Gives a package the addresses of its project: those of the repository from which its source was cloned.

They stand nowhere else, so a copy of the repository at another host gets its own.  Without such a repository (a source
archive, a clone from a disk) the package names none, or those that the archive already had.
"""

from __future__ import annotations

import re
import subprocess
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PUBLIC = re.compile(
    r"(?:https://(?:[^@/]+@)?|ssh://git@|git@)([\w.-]+\.[a-z]{2,})(?::\d+)?[:/]([\w./~-]+?)(?:\.git)?/?"
)
"""The address of a clone: its host and its path, without a user or a password."""


def addresses(clone: str) -> dict[str, str]:
    """The addresses of a project by their names, from the address of a clone; empty for one that is not public."""
    match = PUBLIC.fullmatch(clone.strip())
    if match is None:
        return {}
    home = f"https://{match[1]}/{match[2]}"
    return {"Repository": home, "Issues": f"{home}/issues", "Changelog": f"{home}/blob/HEAD/CHANGELOG.md"}


def addresses_of(source: Path) -> dict[str, str]:
    """The addresses for the source in this folder."""
    archive = source / "PKG-INFO"
    if archive.exists():
        lines = HeaderParser().parsestr(archive.read_text("utf-8")).get_all("Project-URL", [])
        return dict(line.split(", ", 1) for line in lines)
    if not (source / ".git").exists():
        return {}
    command = ["git", "-C", str(source), "config", "--get", "remote.origin.url"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  our own command
    except FileNotFoundError:  # no git
        return {}
    return addresses(answer.stdout)


class AddressesHook(MetadataHookInterface):
    """The hook of Hatchling."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Adds the addresses to the metadata."""
        metadata["urls"] = addresses_of(Path(self.root))
