"""The story of a record: a line for each step, and the chapters (levels or hands) that the lines stand under."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ledger import events as e
from ledger import notation
from ledger.game import Finding, Step
from ledger.review import Review
from ledger.tiles import Tile

GRAVITY = ("impossible", "breach", "unproven", "note")
_ACTS = frozenset(e.ACTS)


class Line(NamedTuple):
    """A step for people.

    `seat` is who acts (None: nobody), `tile` what is laid, `lead` and `spot` where (``on level 15, `` and ``b3-b2``),
    `words` what happens where no tile tells it (``passes``), `sentence` all of it.  `gains` are the points of each seat by
    the rules; `called` is what the table called for it, where that is something else.  `findings` are the gravest first.
    """

    place: int
    seq: int
    seat: int | None
    tile: Tile | None
    lead: str
    spot: str
    words: str
    sentence: str
    code: str
    gains: tuple[int, ...]
    called: int | None
    findings: tuple[Finding, ...]
    ending: bool


class Chapter(NamedTuple):
    """A level or a hand: the place of its first step, its name, and the points of each seat in it."""

    place: int
    title: str
    gains: tuple[int, ...]


class Story:
    """The lines and the chapters of a review."""

    def __init__(self, review: Review) -> None:
        self.review = review
        self.names = review.opening.names
        self.shared = e.Cheats in review.game.events
        """Whether points count for the whole table, so that they are told once."""

    @cached_property
    def gains(self) -> dict[int, tuple[int, ...]]:
        """The points of each seat, by seq."""
        gains: dict[int, list[int]] = {}
        for seq, reason in self.review.scored:
            gains.setdefault(seq, [0] * len(self.names))[reason.player] += reason.points
        return {seq: tuple(points) for seq, points in gains.items()}

    @cached_property
    def lines(self) -> list[Line]:
        """A line for each step."""
        return [self._line(place, step) for place, step in enumerate(self.review.steps)]

    def _line(self, place: int, step: Step) -> Line:
        review, event = self.review, step.event
        player = e.actor(event)
        findings = sorted(review.findings.get(step.seq, ()), key=lambda finding: GRAVITY.index(finding.verdict))
        gains = self.gains.get(step.seq, ())
        seat = review.opening.seat(player) if player in review.opening.players else None
        lead, spot, words = _told(event)
        called = event.points if type(event) is e.Place else None
        if called is not None and seat is not None and called == (gains[seat] if gains else 0):
            called = None
        return Line(
            place,
            step.seq,
            seat,
            getattr(event, "tile", None),
            lead,
            spot,
            words,
            review.words(place),
            notation.write_event(event, review.record),
            gains,
            called,
            tuple(findings),
            type(event) is e.Close,
        )

    @cached_property
    def chapters(self) -> list[Chapter]:
        """The levels, in a game that is built upwards, or the hands; none in a game that has neither."""
        begins = list(self._levels() if e.Place in self.review.game.events else self._hands())
        ends = [place for place, _title in begins[1:]] + [len(self.lines)]
        return [
            Chapter(place, title, self._total(self.lines[place:end]))
            for (place, title), end in zip(begins, ends, strict=True)
        ]

    def _total(self, lines: Sequence[Line]) -> tuple[int, ...]:
        return tuple(sum(line.gains[seat] for line in lines if line.gains) for seat in range(len(self.names)))

    def _levels(self) -> Iterator[tuple[int, str]]:
        """Where a level is reached for the first time."""
        highest = 0
        for place, step in enumerate(self.review.steps):
            if type(step.event) is e.Place and step.event.level > highest:
                highest = step.event.level
                yield place, f"Level {highest}"

    def _hands(self) -> Iterator[tuple[int, str]]:
        """Where a hand begins: with its deal, or with the first act after the points of the last hand."""
        number = 0
        for place, (before, step) in enumerate(zip(self.review.steps, self.review.steps[1:], strict=False), 1):
            event = step.event
            fresh = isinstance(before.event, e.Open) or isinstance(before.event, e.Score)
            dealt = isinstance(event, e.Deal) and not isinstance(before.event, e.Deal)
            hand = self.review.game.hand_number
            if hand is not None:
                begins = hand(step.after) > number
            else:
                begins = dealt or (fresh and type(event) in _ACTS and number > 0)
            if begins:
                number = hand(step.after) if hand is not None else number + 1
                yield place, f"Hand {number}"

    @cached_property
    def flags(self) -> list[int]:
        """The places of the lines with a finding that accuses somebody, or that is not proven."""
        return [line.place for line in self.lines if any(finding.verdict != "note" for finding in line.findings)]

    @property
    def mistakes(self) -> int:
        """How many lines have a finding; notes do not count."""
        return len(self.flags)

    @cached_property
    def acts(self) -> int:
        """How many acts the record has: what people call moves."""
        dealt = (e.Deal, e.Aside, e.Layout)
        return sum(type(step.event) in _ACTS and not isinstance(step.event, dealt) for step in self.review.steps)

    def ending(self) -> str:
        """How the game ended, in a sentence: ``Game over. Ana wins 137 : 118``; empty while it goes on."""
        standing = self.review.standing()
        if not standing.finished:
            closed = any(type(step.event) is e.Close for step in self.review.steps)
            return "The game was left unfinished" if closed else ""
        if self.shared:
            cheats = standing.scores[0]
            title = f": {standing.title}" if standing.title else ""
            return f"Game over. {'1 cheat' if cheats == 1 else f'{cheats} cheats'}{title}"
        winners = [self.names[seat] for seat in standing.winners]
        order = sorted(range(len(self.names)), key=lambda seat: (seat not in standing.winners, -standing.scores[seat]))
        scores = " : ".join(str(standing.scores[seat]) for seat in order)
        if not winners:
            return f"Game over. Nobody wins, {scores}"
        verb = "wins" if len(winners) == 1 else "win"
        return f"Game over. {_listed(winners)} {verb} {scores}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]


def _told(event: e.Event) -> tuple[str, str, str]:
    """Where a tile goes (a lead and a spot), or what happens where no tile tells it."""
    match event:
        case e.Place():
            return f"on level {event.level}, ", f"{event.at}", ""
        case e.Stack():
            return "", f"on stack {event.stack}", ""
        case e.Play():
            return "", f"{event.end} end" if event.end else "", ""
        case e.Lift():
            return "", "lifted", ""
        case e.Draw():
            return "", "drawn", ""
        case e.Over():
            return "", "the tile over", ""
    return "", "", _act(event)


def _act(event: e.Event) -> str:
    match event:
        case e.Deal():
            return f"holds {_tiles(event.tiles)}"
        case e.Layout():
            return f"lays out {_tiles(event.tiles)}"
        case e.Bid():
            return f"bids {event.bid}"
        case e.Pass():
            return "passes"
        case e.Rank():
            return f"names {event.high} {event.direction or 'highest'}"
        case e.Take():
            count = "the pile" if event.tiles is None else "1 tile" if event.tiles == 1 else f"{event.tiles} tiles"
            return f"takes {count}"
        case e.Confirm():
            return "agrees to the record"
    return ""


def _tiles(tiles: Sequence[Tile]) -> str:
    return "1 tile" if len(tiles) == 1 else f"{len(tiles)} tiles"
