"""The templates and how they show values, with a web server or without one."""

import re
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, pass_environment
from markupsafe import Markup

from ledger.record.visible import isolated, unbroken, visible_lines
from viewer.every_page.dates import day_and_time
from viewer.pictures.tile_symbols import DEFS

VIEWER = Path(__file__).parents[1]
"""The folder of all rooms.  The address of a static file is its path in it."""

CLUB_ROOT = ContextVar("club_root", default="")
"""What the addresses of this request's club begin with: `/north`, or nothing where a server has one ledger."""


def equip(environment: Environment) -> None:
    """Adds to an environment what our templates use."""
    environment.finalize = show
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.filters.update(day=day, unbroken=unbroken, plain=plain, code=code, isolated=isolated, initials=initials)
    environment.globals["club_root"] = CLUB_ROOT.get
    environment.globals["defs"] = Markup(DEFS)  # noqa: S704  our own symbols


def show(value: Any) -> Any:
    """A value as templates show it: a text has visible marks for control characters and marks of direction."""
    return visible_lines(value) if type(value) is str else value


def plain(text: str) -> str:
    """A sentence whose tiles, squares, scores and numbers with their unit do not break."""
    return _SCORE.sub("\u00a0", unbroken(text).replace(" : ", "\u00a0:\u00a0"))


_SCORE = re.compile(r" (?=-?\d+(?:,|$))")
"""The space before a score at the end of a part of a sentence: ``Ana 45, Ben 54`` and ``137 : 118``."""


def initials(name: str) -> str:
    """The first letters of a name's first and last words, or of its only word: ``TO``, ``AN``."""
    words = name.split() or ["?"]
    return (words[0][:1] + words[-1][:1] if words[1:] else words[0][:2]).upper()


@pass_environment
def code(environment: Environment, text: str) -> Markup:
    """A text in which words between backticks are code."""
    return Markup(environment.get_template("words_in_code.html").render(parts=text.split("`")))  # noqa: S704  our own template


@pass_environment
def day(environment: Environment, moment: str | None) -> Markup:
    """A day or a time as an element that a script may write in the reader's way: ``today, 03:44``."""
    if not moment:
        return Markup()
    words = day_and_time(moment)
    return Markup(environment.get_template("day.html").render(moment=moment, words=words))  # noqa: S704  our own template


def loader() -> FileSystemLoader:
    """Finds a template in the rooms by its name, which no other template has."""
    return FileSystemLoader(sorted(VIEWER.glob("*/templates")))


@cache
def environment() -> Environment:
    """The templates for a page that no server renders: it has no links to other pages."""
    templates = Environment(autoescape=True, loader=loader())
    equip(templates)
    return templates


def filled(name: str, /, **values: Any) -> str:
    """A template, filled in for such a page."""
    return environment().get_template(name).render(values)


def style(*more: str) -> str:
    """The style sheets of all pages, and `more` that only some pages need, as one text."""
    sheets = (
        "pictures/static/colours.css",
        "every_page/static/shared.css",
        "pictures/static/drawing.css",
        "pictures/static/table.css",
        *more,
    )
    return "".join((VIEWER / name).read_text("utf-8") for name in sheets)
