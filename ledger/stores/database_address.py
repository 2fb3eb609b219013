"""Addresses of databases as messages may show them: without their passwords."""

from __future__ import annotations

import re

# A password may hold signs that belong elsewhere in an address, so it goes up to the last @.
_IN_ADDRESS = re.compile(r"(postgres(?:ql)?:/+[^\s:/@]*):\S*@", re.IGNORECASE)
_AS_SETTING = re.compile(r"(password\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&']+)", re.IGNORECASE)


def without_password(text: str) -> str:
    """The text, an address or a message that quotes one, without any password."""
    if ":/" not in text and "password" not in text.lower():
        return text
    return _AS_SETTING.sub(r"\1…", _IN_ADDRESS.sub(r"\1@", text))
