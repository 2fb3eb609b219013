"""The design tokens: both places with the values of the dark theme agree."""

import re
from pathlib import Path

import viewer

TOKENS = (Path(viewer.__file__).parent / "pictures" / "static" / "colours.css").read_text(encoding="utf-8")


def values(selector: str) -> dict[str, str]:
    """The custom properties that a selector's block sets."""
    block = TOKENS.split(selector + "{", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([a-z0-9-]+):([^;]+);", block))


def test_the_dark_device_and_the_dark_setting_have_the_same_values():
    assert values(":root:not([data-theme=light])") == values(":root[data-theme=dark]")


def test_the_dark_theme_only_changes_values_of_the_light_one():
    assert values(":root[data-theme=dark]").keys() <= values(":root").keys()
