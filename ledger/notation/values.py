"""The smallest parts of a line: texts, numbers, tiles, players."""

from __future__ import annotations

import re

from ledger.notation.refusals import guess, nearest, quote, refusal
from ledger.notation.seats import Letters
from ledger.notation.tree import Token
from ledger.record.squares import STEPS, At, Squares
from ledger.record.tiles import NAMED

MOST = 1000
"""How far from 0 a column or a row of a record may be."""
PAIR = re.compile("(-?[a-z]{1,3}-?[0-9]{1,4})-(-?[a-z]{1,3}-?[0-9]{1,4})", re.IGNORECASE)
"""Two squares, without blanks."""
_DIRECTIONS = {step: direction for direction, step in STEPS.items()}
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2013\u2212", "-"))
"""Characters that phones and word processors use for a hyphen or a minus."""


def text_of(token: Token, line: int | None) -> str:
    """The text of a token: bare text is literal, quoted text is JSON.  Raises NotARecord."""
    if token.type != "QUOTED":
        return str(token)
    import json  # noqa: PLC0415  few sheets have texts in quotes

    try:
        text = json.loads(token, strict=False)
        text.encode()  # half a surrogate pair is not a character
    except ValueError:
        reason = r"in a quoted text, \ is allowed only in \" \\ \n \t and the other escapes of JSON"
        raise refusal(reason, token.column, line) from None
    return str(text)


def words(word_tokens: list[Token], line: int | None) -> str:
    """Some words joined by blanks."""
    return " ".join(text_of(token, line) for token in word_tokens)


def number(digits: str, token: Token, line: int | None) -> int:
    """The whole number in a token.  Raises NotARecord for one with thousands of digits."""
    try:
        return int(digits.translate(_DASHES))
    except ValueError:
        raise refusal("this number is too long", token.column, line) from None


def point(token: Token, line: int | None) -> At:
    """A column and a row of a record.  Raises NotARecord for one that no record can hold."""
    x, y = (number(half.strip(), token, line) for half in token.split(","))
    if max(abs(x), abs(y)) > MOST + 1:  # half a tile may lie one further out
        raise refusal(f"a1 is a square from -{MOST},-{MOST} to {MOST},{MOST}", token.column, line)
    return x, y


def covered(token: Token, squares: Squares, line: int | None) -> tuple[At, str]:
    """The square of a tile's first half, and the direction to the other.  Raises NotARecord if they do not touch."""
    names = PAIR.fullmatch(token) or PAIR.fullmatch("".join(token.translate(_DASHES).split()))
    one, other = (squares.find(names[1]), squares.find(names[2])) if names else (None, None)
    if names is None or one is None or other is None:
        raise refusal(f"{quote(token)} is not a pair of squares such as b2-c2", token.column, line)
    if max(map(abs, one)) > MOST:
        raise refusal(f"the square {names[1]} lies too far out for a record", token.column, line)
    direction = _DIRECTIONS.get((other[0] - one[0], other[1] - one[1]))
    if direction is None:
        raise refusal(f"{names[1]} and {names[2]} are not next to each other", token.column, line)
    return one, direction


def tile(token: Token, line: int | None) -> str:
    """A tile in the record format.  Raises NotARecord for one that cannot exist."""
    text = str(token) if token in NAMED else token.translate(_DASHES)
    if text in NAMED:
        return text
    suggestion = guess(nearest(text, NAMED))
    raise refusal(f"there is no tile {quote(text)}: its halves go from 0 to 12{suggestion}", token.column, line)


def whom(token: Token, letters: Letters, line: int | None) -> str | None:
    """The id for a letter or a quoted id; None for `nobody`.  Raises NotARecord for an unknown letter."""
    if token.type == "NOBODY":
        return None
    if token.type == "QUOTED":
        return text_of(token, line)
    player = letters.player(token)
    if player is None:
        raise refusal(f"no player has the letter {token}; the players are {letters}", token.column, line)
    return player
