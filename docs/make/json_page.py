"""The page `docs/json.md`, made from the types that the commands print.

`tests/test_made_pages.py` fails where the page differs from the code, and writes it anew with ``--golden-update``.
"""

from __future__ import annotations

import re
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from ledger.audit.auditor import Report
from ledger.cli.json_shapes import SHAPES
from ledger.record.events import EVENTS
from ledger.record.tiles import Tile

BEFORE = """# The JSON of the commands

With `--json` these commands print one JSON object per line, for programs. This page is made from the types that they
print. `domino-ledger schema COMMAND` prints the same as a JSON Schema. All fields are always there, except those of a
report, a finding and an event, which are left out where they have nothing to say. Ids of players are those of the
record. `export --json` prints [the record itself](record-format.md).
"""
EVENT = "[event](record-format.md#the-events)"
SIMPLE = {str: "text", int: "whole number", float: "number", bool: "true or false", Any: "any value",
          type(None): "null", Tile: "tile, such as `2-5`"}  # fmt: skip


def page() -> str:
    """The whole page."""
    parts, shared = [BEFORE], dict[str, type[Struct]]()
    for shape, type_ in SHAPES.items():
        words, _, more = shape.partition(",")
        parts.append(f"## `{words}`{',' + more if more else ''}\n\n{_described(type_, shared)}")
    parts.append("## Parts of these")
    done = set[str]()
    while waiting := [name for name in shared if name not in done]:
        for name in waiting:
            done.add(name)
            parts.append(f"### {name}\n\n{_described(shared[name], shared)}")
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _described(type_: type[Struct], shared: dict[str, type[Struct]]) -> str:
    """What a type is, in the words of its docstring, and the table of its fields."""
    doc = re.sub(r"\n\s*\n\s*", "\n\n", re.sub(r"(?<!\n)\n[ ]+(?!\n)", " ", type_.__doc__ or "")).strip()
    doc = re.sub(r" {2,}", " ", doc).replace("`ledger.audit.causes`", "causes")
    hints = get_type_hints(type_)
    config = type_.__struct_config__
    rows = [f"| `{config.tag_field}` | `{config.tag}` |"] if config.tag else []
    names = zip(type_.__struct_encode_fields__, type_.__struct_fields__, strict=True)
    rows += [f"| `{written}` | {_said(hints[name], shared)} |" for written, name in names]
    return "\n".join([doc, "", "| field | holds |", "| --- | --- |", *rows])


def _said(hint: Any, shared: dict[str, type[Struct]]) -> str:
    """A type in words."""
    if hint in SIMPLE:
        return SIMPLE[hint]
    arguments, origin = get_args(hint), get_origin(hint)
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in arguments)
    if origin is tuple and arguments[-1] is ...:
        return f"list of {_said(arguments[0], shared)}"
    if origin is tuple:
        return f"list: {', '.join(_said(one, shared) for one in arguments)}"
    if origin is not None and isinstance(origin, type) and issubclass(origin, dict):
        return f"object: {_said(arguments[1], shared)} by {_said(arguments[0], shared)}"
    if isinstance(hint, type) and issubclass(hint, Struct):
        if hint is Report:
            return "[report](#audit)"
        shared.setdefault(hint.__name__, hint)
        return f"[{hint.__name__}](#{hint.__name__.lower()})"
    if origin is not None and hasattr(hint, "__metadata__"):
        return _said(arguments[0], shared)
    if origin is Union or origin.__class__.__name__ == "type":
        events = {one for one in arguments if one in EVENTS}
        others = [one for one in arguments if one not in events]
        if str in others:  # any text includes the known ones
            others = [one for one in others if get_origin(one) is not Literal]
        return " or ".join([*([EVENT] if events else []), *dict.fromkeys(_said(one, shared) for one in others)])
    raise TypeError(f"no words for {hint}")
