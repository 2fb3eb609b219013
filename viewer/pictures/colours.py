"""The colours of the drawings, from static/colours.css and static/drawing.css, the same on pages and in pictures.

A picture file cannot use the page's tokens, so its rules get the values of one theme.
"""

import re
from functools import cache
from pathlib import Path

_STATIC = Path(__file__).parent / "static"
_VARIABLE = re.compile(r"var\(--([a-z0-9-]+)\)")


@cache
def tokens(theme: str) -> dict[str, str]:
    """The value of every token by day (``light``) or night (``dark``)."""
    text = (_STATIC / "colours.css").read_text("utf-8")
    values = _block(text, ":root")
    if theme == "dark":
        values |= _block(text, ":root[data-theme=dark]")
    return {name: _VARIABLE.sub(lambda match: values[match[1]], value) for name, value in values.items()}


def _block(text: str, selector: str) -> dict[str, str]:
    block = text.split(f"{selector}{{", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([a-z0-9-]+):([^;]+);", block))


@cache
def _rules(theme: str) -> dict[str, str]:
    return {rule[0]: f".{rule[0]}{{{rule[1]}}}" for rule in re.findall(r"\.(t-[a-z0-9-]+)\{([^}]*)\}", paint(theme))}


def paint_of(body: str, theme: str) -> str:
    """The rules that a drawing and its symbols use, for a picture that should be small."""
    rules = _rules(theme)
    names = sorted({name for text in re.findall(r'class="([^"]+)"', body) for name in text.split()})
    return "".join(rules[name] for name in names if name in rules)


@cache
def paint(theme: str) -> str:
    """The rules of static/drawing.css in the values of a theme."""
    text = re.sub(r"/\*.*?\*/|\n", "", (_STATIC / "drawing.css").read_text("utf-8"), flags=re.DOTALL)
    values = tokens(theme)
    return _VARIABLE.sub(lambda match: values[match[1]], text)
