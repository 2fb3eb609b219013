"""The moments of a game: the few steps that mattered, each in a few words and with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from ledger.audit.highlights import DUEL, KINDS, Highlight, Kind, highlights
from ledger.audit.review import Review
from ledger.record.visible import without_isolates

FEWEST, MOST = 5, 9
"""The moments of a game; fewer where fewer steps may matter."""
WORTH_IT = 50
"""The weight from which a step is a moment, although there are enough."""
ASIDE = 40
"""From this weight on, the story also has a second thing that happened at the same step."""
PARTS = 3
"""The most highlights of one step that its words and its reason tell."""


class Moment(NamedTuple):
    """A step that mattered.

    `words` differ from those of every other moment of the game; `why` is the reason, in whole sentences.
    """

    place: int
    seq: int
    kind: Kind
    words: str
    why: str


class MomentView(Struct, frozen=True):
    """A step that mattered, in a few words, and the reason in whole sentences.  No two have the same words."""

    seq: int
    kind: Kind
    words: str
    why: str


class MomentList(Struct, frozen=True):
    """A game in its moments, in their order, for programs."""

    record: str
    moments: tuple[MomentView, ...]


def for_programs(record_id: str, told: Iterable[Moment]) -> MomentList:
    """The moments of a game without marks that only people's screens need."""
    plain = (MomentView(one.seq, one.kind, without_isolates(one.words), without_isolates(one.why)) for one in told)
    return MomentList(record_id, tuple(plain))


def moments(review: Review) -> tuple[Moment, ...]:
    """The moments of a game, in their order: five to nine, or fewer if few steps may matter.

    Among them are the last act, the first five slips, and the step from which on the winner was ahead for good.
    """
    groups: dict[int, list[Highlight]] = {}
    for highlight in highlights(review):
        groups.setdefault(highlight.place, []).append(highlight)
    weights = {place: max(part.weight for part in group) + len(group) for place, group in groups.items()}
    ranked = sorted(weights, key=lambda place: (-weights[place], place))[:MOST]
    chosen = sorted(place for count, place in enumerate(ranked) if count < FEWEST or weights[place] >= WORTH_IT)
    parts = [_parts(groups[place]) for place in chosen]
    words = _told_apart(review, chosen, [_words(review, group) for group in parts])
    return tuple(
        Moment(place, review.steps[place].seq, _kind(group), text, " ".join(dict.fromkeys(_sentences(group))))
        for place, text, group in zip(chosen, words, parts, strict=True)
    )


def _parts(group: Sequence[Highlight]) -> list[Highlight]:
    """The weightiest highlights of a step, in the order of the words."""
    kinds = {part.kind for part in group}
    best, *others = sorted(group, key=lambda part: -part.weight)
    # The contract and its points are one thing; points are counted for all tiles on top.
    needless = "score" if "contract" in kinds else "stack" if "score" in kinds else ""
    others = [part for part in others if part.kind != needless and (part.weight >= ASIDE or part.kind == "score")]
    return sorted([best, *others][:PARTS], key=lambda part: KINDS.index(part.kind))


def _kind(group: Sequence[Highlight]) -> Kind:
    return max(group, key=lambda part: part.weight).kind


def _sentences(group: Sequence[Highlight]) -> Iterator[str]:
    return (part.why for part in group if part.why)


def _words(review: Review, group: Sequence[Highlight]) -> str:
    """The words of a step; a player is named once for what follows."""
    names, text, subject = list(review.names.values()), "", None
    for part in group:
        name = f"{names[part.seat]} " if part.seat is not None and part.seat != subject else ""
        words = part.words if text or part.seat is not None else part.words[:1].upper() + part.words[1:]
        text += f"{', ' if text else ''}{name}{words}"
        subject = part.seat
    return text


def _told_apart(review: Review, places: Sequence[int], words: list[str]) -> list[str]:
    """The words; where two are the same, with the score of two players or with the move."""
    scored = list(words)
    for n, place in enumerate(places):
        scores = review.standing(place).scores
        if words.count(words[n]) > 1 and len(scores) == DUEL:
            scored[n] = f"{words[n]}, {' : '.join(map(str, scores))}"
    return [
        f"{words[n]}, move {review.steps[place].seq}" if scored.count(text) > 1 or text in words[:n] + words[n + 1 :]
        else text
        for n, (place, text) in enumerate(zip(places, scored, strict=True))
    ]  # fmt: skip
