"""The design tokens: the two places of the night's values agree."""

import re
from pathlib import Path

import viewer

TOKENS = (Path(viewer.__file__).parent / "static" / "tokens.css").read_text(encoding="utf-8")


def values(selector: str) -> dict[str, str]:
    """The custom properties that a selector's block sets."""
    block = TOKENS.split(selector + "{", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([a-z0-9-]+):([^;]+);", block))


def test_the_dark_device_and_the_dark_setting_have_the_same_values():
    assert values(":root:not([data-theme=light])") == values(":root[data-theme=dark]")


def test_the_night_gives_new_values_only_to_what_the_day_has():
    assert values(":root[data-theme=dark]").keys() <= values(":root").keys()
