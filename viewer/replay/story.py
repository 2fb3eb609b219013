"""The story of a record: a line for each step, in chapters (levels or hands)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledger.audit.review import Review, game_over
from ledger.record import events as e
from ledger.record.event_words import Phrase
from ledger.record.lazy import lazy
from ledger.record.visible import isolated
from ledger.record.words import plural
from ledger.rules.game import GRAVE, GRAVITY, Judged, Step
from viewer.replay.mistakes_explained import Explained, consequences, explained

_ACTS = frozenset(e.ACTS)
DUEL = 2
"""With more players than this, the scores at the end are a list."""


class Line(NamedTuple):
    """A step for people: its `phrase`, and its `code` on the score sheet.

    `gains` are the points of each seat by the rules; `called` is what the table called, if that differs.  `findings`
    has the gravest first.  `ending`: the record ends here.
    """

    place: int
    phrase: Phrase
    code: str
    gains: tuple[int, ...]
    called: int | None
    findings: tuple[Judged, ...]
    ending: bool


class Chapter(NamedTuple):
    """A level or a hand: the place of its first step, its name, the points of each seat in it, and its contract."""

    place: int
    title: str
    gains: tuple[int, ...]
    contract: str = ""


class Story:
    """The lines and the chapters of a review."""

    def __init__(self, review: Review) -> None:
        self.review = review
        self.names = review.opening.names
        self.shared = e.Cheats in review.game.events
        """Whether points count for the whole table, so that they are shown once."""
        self.bids = e.Bid in review.game.events
        """Whether there is a contract."""

    @lazy
    def lines(self) -> list[Line]:
        """A line for each step."""
        return [self._line(place, step) for place, step in enumerate(self.review.steps)]

    def _line(self, place: int, step: Step) -> Line:
        review, event, phrase = self.review, step.event, self.review.phrase(place)
        findings = sorted(review.findings.get(step.seq, ()), key=lambda finding: GRAVITY.index(finding.verdict))
        gains = review.gains.get(step.seq, ())
        called = event.points if type(event) is e.Place else None
        if called is not None and phrase.seat is not None and called == (gains[phrase.seat] if gains else 0):
            called = None
        return Line(place, phrase, review.line(place), gains, called, tuple(findings), type(event) is e.Close)

    @lazy
    def chapters(self) -> list[Chapter]:
        """The levels in a game with levels, else the hands; empty in a game with neither."""
        begins = list(self._levels() if e.Place in self.review.game.events else self._hands())
        ends = [*(place for place, _title in begins), len(self.lines)][1:]
        return [
            Chapter(place, title, self._total(self.lines[place:end]), self._contract(place, end))
            for (place, title), end in zip(begins, ends, strict=False)
        ]

    def _contract(self, begin: int, end: int) -> str:
        """Who bid what in a hand: ``Cy bid 29``; empty without a contract."""
        scenes = map(self.review.scene, range(begin, end)) if self.bids else iter(())
        goal = next((scene.goal for scene in scenes if scene.goal), None)
        return f"{isolated(self.names[goal.seat])} bid {goal.bid}" if goal else ""

    def _total(self, lines: Sequence[Line]) -> tuple[int, ...]:
        return tuple(sum(line.gains[seat] for line in lines if line.gains) for seat in range(len(self.names)))

    def _levels(self) -> Iterator[tuple[int, str]]:
        """The places where a level is reached for the first time."""
        highest = 0
        for place, step in enumerate(self.review.steps):
            if type(step.event) is e.Place and step.event.level > highest:
                highest = step.event.level
                yield place, f"Level {highest}"

    def _hands(self) -> Iterator[tuple[int, str]]:
        """Where a hand begins: with its deal, or with the first act after the points of the last hand."""
        number = 0
        for place, (previous, step) in enumerate(zip(self.review.steps, self.review.steps[1:], strict=False), 1):
            event = step.event
            is_after_points = isinstance(previous.event, e.Open | e.Score)
            begins_deal = isinstance(event, e.Deal) and not isinstance(previous.event, e.Deal)
            hand_number = self.review.game.hand_number
            if hand_number is not None:
                begins = hand_number(step.after) > number
            else:
                begins = begins_deal or (is_after_points and type(event) in _ACTS and number > 0)
            if begins:
                number = hand_number(step.after) if hand_number is not None else number + 1
                yield place, f"Hand {number}"

    @lazy
    def closed(self) -> int | None:
        """The place where the record was closed, or None."""
        return next((line.place for line in self.lines if line.ending), None)

    @lazy
    def joined(self) -> frozenset[int]:
        """The places of claims that share a step with the act before them: a pile taken by the tile that won it.

        A claim with findings or points is a step of its own, and so is the last one.
        """
        steps = self.review.steps
        return frozenset(
            line.place
            for line, previous in zip(self.lines[1:-1], steps, strict=False)
            if type(steps[line.place].event) is e.Take
            and isinstance(previous.event, e.Play)
            and not line.findings
            and not any(line.gains)
        )

    def shown(self, place: int) -> int:
        """The place of the step that shows the act or claim at a place."""
        return place - (place in self.joined)

    @lazy
    def this_hand(self) -> list[tuple[int, ...]]:
        """At each step, the points of each seat in the hand so far; zeros in a game without hands."""
        begins = {chapter.place for chapter in self.chapters} if e.Place not in self.review.game.events else set()
        totals, sums = (0,) * len(self.names), []
        for line in self.lines:
            totals = (0,) * len(self.names) if line.place in begins else totals
            if begins and line.gains:
                totals = tuple(map(sum, zip(totals, line.gains, strict=True)))
            sums.append(totals)
        return sums

    @lazy
    def flags(self) -> list[int]:
        """The places of the lines with a finding other than a note."""
        return [line.place for line in self.lines if any(finding.verdict != "note" for finding in line.findings)]

    @lazy
    def mistakes(self) -> list[int]:
        """The places of the lines with a breach or something impossible; what is unproven accuses nobody."""
        return [line.place for line in self.lines if any(f.verdict in GRAVE for f in line.findings)]

    @lazy
    def explained(self) -> list[Explained]:
        """The mistakes whose causes are known, each with what follows from it."""
        return explained(self.review)

    @lazy
    def consequences(self) -> frozenset[int]:
        """The places that are wrong only because of a slip somewhere else."""
        return consequences(self.review, self.explained)

    @lazy
    def moves(self) -> int:
        """How many moves the game has, as everywhere: the tiles that were laid."""
        return sum(type(step.event) in e.MOVES for step in self.review.steps)

    def ending(self, *, short: bool = False) -> str:
        """How the game ended, in a sentence: ``Game over. Ana wins 137 : 118``; empty while it goes on.

        A `short` sentence leaves out the scores of many players.
        """
        standing = self.review.standing()
        sentence = game_over(standing, self.names) if standing.finished else ""
        return f"{sentence.partition(': ')[0]}{self.margin}" if short and len(self.names) > DUEL else sentence

    @property
    def margin(self) -> str:
        """By how much the winner is ahead: `` by 56 points``; empty without one winner among several players."""
        standing = self.review.standing()
        if self.shared or len(standing.winners) != 1 or len(self.names) == 1:
            return ""
        (winner,) = standing.winners
        nearest = min(
            abs(standing.scores[winner] - score) for seat, score in enumerate(standing.scores) if seat != winner
        )
        return f" by {plural(nearest, 'point')}" if nearest else ""
