"""Addresses of databases as messages may show them: without their passwords."""

from __future__ import annotations

import re

# A password may hold signs that belong elsewhere in an address, so it goes up to the last @.
_IN_ADDRESS = r"(?i)(postgres(?:ql)?:/+[^\s:/@]*):\S*@"
_AS_SETTING = r"(?i)(password\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&']+)"


def without_password(text: str) -> str:
    """The text, an address or a message that quotes one, without any password."""
    if ":/" not in text and "password" not in text.lower():
        return text
    return re.sub(_AS_SETTING, r"\1…", re.sub(_IN_ADDRESS, r"\1@", text))
