"""The text of a file that somebody brings."""

from __future__ import annotations

from ledger.notation.refusals import refusal

_SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How the files of spreadsheet programs begin."""


def text_of(data: bytes) -> str:
    """The text: in UTF-8, or in UTF-16 if it begins with its mark.  Marks are no part of it.

    Raises NotARecord for another encoding and for a spreadsheet, with the place and what to do.
    """
    if data.startswith(_SPREADSHEETS):
        raise refusal("this is a spreadsheet in its program's own format: save it as CSV, and import that", 1, 1)
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        letter = data[error.start : error.start + 1].decode("cp1252", "replace")
        reason = f"this is not UTF-8 text: if it is meant as {letter!r}, save the file as UTF-8"
        raise refusal(reason, column, before.count(b"\n") + 1) from None
