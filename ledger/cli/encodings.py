"""Writes any text to any stream: a character that its encoding lacks is written as one that looks like it.

What goes to a file or a pipe is encoded as the machine is set up: on Windows in Western Europe in cp1252, which has
neither flags nor the letters of most languages.
"""

# ruff: noqa: RUF001  characters that look like others are what this file is about

from __future__ import annotations

import codecs
import io
import sys

ERRORS = "domino-ledger"
"""The name of the rule for characters that an encoding lacks."""
PLAIN = "domino-ledger-ascii"
"""ASCII by a name of its own: click takes a stream in ASCII for a mistake, and would write UTF-8 to it."""
_ALIKE = {
    "⚑": "!", "⚐": "?", "\u0338": "/", "✓": "+", "·": ".", "▸": ">", "×": "x", "±": "+/-",
    "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-", "…": "...", "\u00a0": " ",
    "“": '"', "”": '"', "‘": "'", "’": "'", "⟨": "<", "⟩": ">",
    "\u2068": "", "\u2069": "",
    "←": "<-", "→": "->", "↑": "^", "↓": "v",
    "¼": " 1/4", "½": " 1/2", "¾": " 3/4", "⅓": " 1/3", "⅔": " 2/3",
    **dict.fromkeys(map(chr, range(0x2500, 0x2580)), "+"),
    **dict.fromkeys("─━╌╍═╴╶╸╺", "-"), **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys(map(chr, range(0x2580, 0x25A0)), "#"),
    **{chr(0x2400 + code): f"^{chr(code ^ 0x40)}" for code in range(0x20)}, "\u2421": "^?",
}  # fmt: skip
"""Characters that the program writes, each with what looks like it; at the end the marks for control characters."""


def admit_any_text() -> None:
    """From now on, nothing that is printed or typed can fail because of its characters.

    What stdin cannot decode is refused later, with its place in the line.
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=PLAIN if is_ascii else None, errors=ERRORS)


def can_write(text: str) -> bool:
    """Whether stdout has all these characters, and needs no others in their place."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _alike(error: UnicodeError) -> tuple[str | bytes, int]:
    """What is written instead of missing characters: what looks like them, or else escapes such as ``\\u4e2d``."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    written = "".join(_ALIKE[character] if character in _ALIKE else _escaped(character) for character in missing)
    return written, error.end


def _escaped(character: str) -> str:
    return character.encode("ascii", "backslashreplace").decode("ascii")


def _plain(name: str) -> codecs.CodecInfo | None:
    # Python asks with the name in small letters, and with underscores since 3.9.
    if name.replace("_", "-") != PLAIN:
        return None
    plain = codecs.lookup("ascii")
    return codecs.CodecInfo(
        plain.encode, plain.decode, plain.streamreader, plain.streamwriter,
        plain.incrementalencoder, plain.incrementaldecoder, PLAIN,
    )  # fmt: skip


codecs.register_error(ERRORS, _alike)
codecs.register(_plain)
