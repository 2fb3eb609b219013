"""Makes text that strangers typed safe to show: it cannot move the cursor, reverse the line or hide.

A name may hold an escape sequence that clears a terminal, or a mark that shows a line from right to left.  Everything
that shows recorded text passes it through here.  Stored records keep every character.
"""

import re
from unicodedata import category, east_asian_width

BIDI = "\u202a-\u202e\u2066-\u2069"
"""Characters that show the text after them in the other direction, as a class of a regular expression."""
UNSEEN = "\u180e\u200b\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"
"""Invisible characters, as such a class, too."""
_SURROGATES = "\ud800-\udfff"
_BAD = f"[\x00-\x1f\x7f-\x9f{BIDI}{UNSEEN}{_SURROGATES}]"
_BAD_IN_LINES = f"[\x00-\x08\x0b-\x1f\x7f-\x9f{BIDI}{UNSEEN}{_SURROGATES}]"
_LEFTWARDS = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""Letters that are written from right to left, as such a class."""
_ISOLATE = f"\u2068(?=[^\u2068\u2069]*[{_LEFTWARDS}])(?:(?!{_BAD}).)*\u2069"
"""A text as `isolated` returns it."""

# `re` compiles a pattern when it is first used and keeps it: plain text, which most is, needs none of them.
_READS_LEFTWARDS = f"[{_LEFTWARDS}]"
_ALONE = _BAD
_ONE_LINE = f"{_ISOLATE}|{_BAD}"
_LINES = f"{_ISOLATE}|{_BAD_IN_LINES}"
_HYPHEN = r"(?<=[0-9])-(?=[0-9]|-?[a-z]+-?[0-9])"
_UNIT = r"\b([0-9]+|level|stack|tier|move) (?=[0-9]|tiles?\b|points?\b|cheats?\b|dominoes\b)"
_TIMES = r"(?<=[0-9]) × (?=[0-9])"
_JSON = f"[\x7f-\x9f{BIDI}{UNSEEN}]"
_MARKDOWN = r"[\\`*_\[\]|~]"
_BEGINS_BLOCK = r"^([#+=:-]|\d{1,9}(?=[.)]))"
_PLAIN_CODE = r"[\w.:/ -]+"


def visible(text: str) -> str:
    """The text on one line, with a mark such as ␛ ␊ ⟨U+202E⟩ for each control character, line break or direction mark.

    The marks that join letters and emoji stay, because some scripts need them, and so do those of `isolated`.
    """
    return text if text.isascii() and text.isprintable() else re.sub(_ONE_LINE, _mark, text)


def visible_name(name: str) -> str:
    """A name, safe to show: the same as `visible`, but it cannot isolate a part of itself either."""
    return name if name.isascii() and name.isprintable() else re.sub(_ALONE, _mark, name)


def isolated(name: str) -> str:
    """A name in a sentence: one from right to left is kept apart, so that it moves no score or word beside it.

    Such a name stands between the marks U+2068 and U+2069, which nobody sees; any other name is returned as it is.
    """
    if name.isascii() or not re.search(_READS_LEFTWARDS, name) or "\u2068" in name:
        return name
    return f"\u2068{name}\u2069"


def without_isolates(text: str) -> str:
    """The text without the marks of `isolated`, for programs."""
    return text if text.isascii() else text.replace("\u2068", "").replace("\u2069", "")


def cells(text: str) -> int:
    """How many columns of a terminal a text takes: two for a wide letter, none for a mark or an isolate."""
    if text.isascii():
        return len(text)
    return sum(
        0 if category(letter) in {"Mn", "Me", "Cf"} else 2 if east_asian_width(letter) in "WF" else 1 for letter in text
    )


def padded(text: str, columns: int) -> str:
    """The text with spaces after it, until it takes this number of columns of a terminal."""
    return text + " " * (columns - cells(text))


def visible_lines(text: str) -> str:
    """The same for a text of several lines: line breaks and tabs stay."""
    return text if text.isascii() and text.isprintable() else re.sub(_LINES, _mark, text)


def unbroken(text: str) -> str:
    """The sentence for a page, without line breaks inside tiles, pairs of squares, ``4 × 4``, or numbers with units."""
    return re.sub(_TIMES, "\u00a0×\u00a0", re.sub(_UNIT, "\\1\u00a0", re.sub(_HYPHEN, "\u2011", text)))


def visible_json(text: str) -> str:
    r"""The same JSON, with escapes such as ``\u202e`` for the characters that a terminal would obey."""
    if text.isascii() and "\x7f" not in text:
        return text
    return re.sub(_JSON, lambda match: f"\\u{ord(match[0]):04x}", text)


def markdown(text: str) -> str:
    """The text escaped for a line of Markdown: no part of it becomes HTML, a link, a table cell or a heading."""
    text = visible(text).strip()
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(character, entity)
    return re.sub(_BEGINS_BLOCK, _begin, re.sub(_MARKDOWN, r"\\\g<0>", text))


def markdown_code(text: str) -> str:
    """The text as code in Markdown, or as plain text if code cannot hold it."""
    return f"`{text}`" if re.fullmatch(_PLAIN_CODE, text) else markdown(text)


def _begin(match: re.Match[str]) -> str:
    # A number needs no escape, but the point after it would begin a list.
    return f"{match[0]}\\" if match[0].isdigit() else f"\\{match[0]}"


def _mark(match: re.Match[str]) -> str:
    if len(match[0]) > 1:
        return match[0]
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"⟨U+{code:04X}⟩"
