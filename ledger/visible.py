"""What strangers type, made safe to show: no text moves the cursor, turns the line around or hides itself.

A name may hold an escape sequence that clears a terminal, or a mark that shows a line from right to left.  Everything
that shows recorded text passes it through here.  Stored records keep every character.
"""

from __future__ import annotations

import re

BIDI = "\u202a-\u202e\u2066-\u2069"
"""Characters that show the text after them in the other direction, as a class of a regular expression."""
UNSEEN = "\u180e\u200b\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"
"""Characters that nobody sees, in the same way."""
_HALVES = "\ud800-\udfff"
_ONE_LINE = re.compile(f"[\x00-\x1f\x7f-\x9f{BIDI}{UNSEEN}{_HALVES}]")
_LINES = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{BIDI}{UNSEEN}{_HALVES}]")
_HYPHEN = re.compile(r"(?<=[0-9])-(?=[0-9]|-?[a-z]+-?[0-9])")
_UNIT = re.compile(r"\b([0-9]+|level|stack|tier|move) (?=[0-9]|tiles?\b|points?\b|cheats?\b|dominoes\b)")
_JSON = re.compile(f"[\x7f-\x9f{BIDI}{UNSEEN}]")
_MARKDOWN = re.compile(r"[\\`*_\[\]|~]")
_BEGINS_BLOCK = re.compile(r"^([#+=:-]|\d{1,9}(?=[.)]))")
_PLAIN_CODE = re.compile(r"[\w.:/ -]+")


def visible(text: str) -> str:
    """The text on one line, with a mark for each control character, line break and change of direction: ␛ ␊ ⟨U+202E⟩.

    The marks that join letters and emoji stay, because some scripts need them.
    """
    return text if text.isascii() and text.isprintable() else _ONE_LINE.sub(_mark, text)


def visible_lines(text: str) -> str:
    """The same for a text of several lines: its line ends and tabs stay."""
    return text if text.isascii() and text.isprintable() else _LINES.sub(_mark, text)


def unbroken(text: str) -> str:
    """The sentence for a page: no line ends within a tile, within two squares, or between a number and its unit."""
    return _UNIT.sub("\\1\u00a0", _HYPHEN.sub("\u2011", text))


def visible_json(text: str) -> str:
    r"""The same JSON, with an escape such as ``\u202e`` for each character that JSON allows and a terminal obeys."""
    return text if text.isascii() and "\x7f" not in text else _JSON.sub(_escape, text)


def markdown(text: str) -> str:
    """The text as part of a line of Markdown that shows just this text: no HTML, link, table cell or heading of it."""
    text = visible(text).strip()
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(character, entity)
    return _BEGINS_BLOCK.sub(_begin, _MARKDOWN.sub(r"\\\g<0>", text))


def markdown_code(text: str) -> str:
    """The text as code in Markdown; plain text where code could not hold it."""
    return f"`{text}`" if _PLAIN_CODE.fullmatch(text) else markdown(text)


def _begin(found: re.Match[str]) -> str:
    # A number keeps its digits; the point behind it is what makes a list.
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def _mark(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"⟨U+{code:04X}⟩"


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
