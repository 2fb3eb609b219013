"""The acts and claims that a recorder lists, and how many of them a phone already has.

A phone keeps what it was sent.  It sends the version of the record that it has seen, and the digest of the moves that
it has; the answer then contains only the moves after the last one that is still the same.  Findings have a digest, too.
"""

import hashlib
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from ledger.audit.review import Review
from ledger.record.errors import NotARecord, UnknownGame
from ledger.record.event_words import Phrase
from ledger.record.events import CORRECTIONS, Correctable, Open
from ledger.record.record import Record
from ledger.record.visible import isolated, unbroken


class RecordedEvent(Struct, frozen=True):
    """An effective event in words, the points that it scored by seat (only seats with points), and the event itself."""

    phrase: Phrase
    gained: tuple[tuple[int, int], ...]
    event: Correctable


class ShownEvent(Struct, frozen=True):
    """A recorded event as a phone gets it: its sentence, how a question names it, its line as HTML, and the event.

    ``called`` is ``Ana's 3-5`` for a tile that was laid, and the whole sentence in quotation marks for the rest.
    """

    seq: int
    words: str
    called: str
    line: str
    event: Correctable


Moves = Sequence[RecordedEvent]


def called(phrase: Phrase, names: Sequence[str]) -> str:
    """What a question calls an entry: ``Ana's 3-5``, or the whole sentence in quotation marks."""
    if phrase.seat is None or phrase.tile is None or phrase.act:
        return f"\u201c{phrase.sentence}\u201d"
    return f"{isolated(names[phrase.seat])}\u2019s {unbroken(str(phrase.tile))}"


def moves_of(review: Review) -> Moves:
    """Every effective event after the opening, in words and with its points."""
    return [_recorded(review, place) for place, step in enumerate(review.steps) if type(step.event) is not Open]


def _recorded(review: Review, place: int) -> RecordedEvent:
    event, phrase = review.steps[place].event, review.phrase(place)
    gains = enumerate(review.gains.get(phrase.seq, ()))
    return RecordedEvent(phrase, tuple((seat, share) for seat, share in gains if share), event)


Digests = Sequence[str]
"""The digests of the first moves and their words, 16 hexadecimal digits each: of none, of one, and so on to all."""


def digests_of(moves: Moves) -> Digests:
    """The digests of moves."""
    digests = [digest_of(())]
    for move in moves:
        digests.append(_digest(digests[-1].encode() + msgspec.json.encode(move)))
    return digests


def digest_of(parts: Sequence[Struct]) -> str:
    """A digest of these findings, 16 hexadecimal digits."""
    return _digest(msgspec.json.encode(parts))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def count_kept(review: Review, moves: Moves, digests: Digests, seen: int, digest: str) -> int:
    """How many of the first moves a phone already has if it saw version `seen`, and moves with this digest.

    It is 0 if the ledger would send different moves for that version today, because a name was forgotten or squares
    have other names now.
    """
    events = review.record.events
    if not any(isinstance(event, CORRECTIONS) for event in events[seen:]):
        later = next((n for n, move in enumerate(reversed(moves)) if move.phrase.seq < seen), len(moves))
        return len(moves) - later if digests[len(moves) - later] == digest else 0
    try:
        earlier = moves_of(Review(Record(events[:seen]), squares=review.squares))
    except (NotARecord, UnknownGame):  # its opening was amended since
        return 0
    if digests_of(earlier)[-1] != digest:
        return 0
    pairs = enumerate(zip(earlier, moves, strict=False))
    return next((n for n, (old, new) in pairs if old != new), min(len(earlier), len(moves)))
