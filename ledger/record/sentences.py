"""Sentences about people: they have a place for each person, and names are put in where a sentence is shown.

The rules know players by ids, and an id may be any text.  So no sentence contains one: it has the place of a seat,
`who(2)`, or, where it is about a fault, the places of the people whom the fault names.  `filled` puts in the names that
a screen shows, or the ids that a report for programs has.
"""

from collections.abc import Mapping

from ledger.record.words import listed

PLAYER = "{player}"
"""The place of the player whose fault it is."""
EXPECTED = "{expected}"
"""The place of the player, or the players, whom a fault gives as expected."""
CLAIMED = "{claimed}"
"""The place of the player, or the players, whom a fault gives as claimed."""


def who(seat: int) -> str:
    """The place of the player on this seat."""
    return f"{{{seat}}}"


def literal(text: str) -> str:
    """A text that somebody typed, as a part of a sentence: its braces are no places."""
    return text.replace("{", "{{").replace("}", "}}")


def filled(sentence: str, names: Mapping[str, str], **people: object) -> str:
    """The sentence with names in all places.

    `names` are by id, in the order of the seats.  `people` are the ids, one or several, for the places that are not of
    a seat.
    """
    return sentence.format(*names.values(), **{place: _named(ids, names) for place, ids in people.items()})


def _named(ids: object, names: Mapping[str, str]) -> str:
    if isinstance(ids, list | tuple):
        return listed([_named(player, names) for player in ids]) if ids else ""
    return names.get(ids, ids) if isinstance(ids, str) else ""
