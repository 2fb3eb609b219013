"""A record with its steps and its report, for everything that shows one.

The terminal, the pages and programs that use this package all read a `Review`, so they cannot disagree.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import Any, NamedTuple

from msgspec.structs import replace

from ledger.audit.auditor import Outcome, Report, outcome
from ledger.audit.replay import fingerprint, steps
from ledger.audit.slip.causes import Cause
from ledger.games.cards import rules_of
from ledger.record.branches import happened
from ledger.record.errors import NotARecord, UnknownGame
from ledger.record.event_words import Phrase, act_in_words, in_words, place_in_words
from ledger.record.events import ABOUT_RECORDS, Amend, Close, Correctable, Note, Open, actor
from ledger.record.lazy import lazy
from ledger.record.record import Effective, Record, as_written, effective
from ledger.record.scene import Scene
from ledger.record.sentences import filled
from ledger.record.squares import COORDINATES, Squares, squares_of
from ledger.record.visible import isolated, visible_lines, visible_name
from ledger.record.words import first_names, listed
from ledger.rules.game import Clause, Game, Judged, Opening, Points, Standing, Step
from ledger.rules.shared_clauses import RECORD_CLAUSES


class Scored(NamedTuple):
    """A reason for points, and the seq of the event that scored them."""

    seq: int
    reason: Points


class Review:
    """A record with everything that is shown of it.

    `record` is as it was read; `name` is a ledger's id, or FILE:LINE; the names in `opening` are safe to show.  `game`
    is the game in the record's own revision of its rules, `newest` in the newest one.  `effective` has the events after
    corrections.  `steps` and `report` are made when they are first used.
    """

    def __init__(
        self,
        record: Record,
        name: str = "",
        *,
        as_recorded: bool = False,
        squares: Squares | None = None,
        played: Effective | None = None,
    ) -> None:
        """Reads the record after its corrections, or `as_recorded` without them.

        `squares` keeps the names of squares while somebody types a game; otherwise the record decides them.  `played`
        is what is left of the record after its corrections, if that is known.

        Raises UnknownGame, or NotARecord if the game cannot read the opening.
        """
        self.record, self.name, self._squares = record, name, squares
        if as_recorded:
            played = as_written(record.events)
        self.effective: Effective = played or effective(record.events, record.by_type)
        effective_opening = self.effective.opening
        self.newest: Game[Any] = rules_of(effective_opening)
        rules = record.rules if self.effective.changes else effective_opening.rules
        self.card = effective_opening.card
        self.game: Game[Any] = self.newest if self.card else self.newest.under(rules)
        opening = self.game.opening(effective_opening)
        names = tuple(map(visible_name, opening.names))
        self.opening: Opening = opening if names == opening.names else replace(opening, names=names)

    @property
    def title(self) -> str:
        """The game's title; of a record that tells what might have been, after which move."""
        if (branch := self.record.branch) is None:
            return self.game.title
        of = f" of {visible_name(branch.record)}" if branch.record else ""
        return f"What if, after {self.called(branch.seq)}{of} · {self.game.title}"

    @lazy
    def steps(self) -> tuple[Step, ...]:
        """A step for each event that is left after corrections."""
        return tuple(steps(self.game, self.opening, self.effective.entries))

    def begins(self, record: Record) -> bool:
        """Whether a record has all events of this one, and perhaps more after them."""
        return record.events[: len(self.record.events)] == self.record.events

    def longer(self, record: Record) -> "Review":
        """The review of a record that this one begins.  It goes on from the last step before a correction."""
        count = len(self.record.events)
        later = record.events[count:]
        corrected = any(isinstance(event, ABOUT_RECORDS) for event in later)
        played = None if corrected else self.effective.longer(count, later)  # type: ignore[arg-type]
        review = Review(record, self.name, played=played)
        if review.game is not self.game or review.opening != self.opening:
            return review
        entries = review.effective.entries
        kept = min(len(self.steps), len(entries))
        if corrected:
            pairs = zip(self.effective.entries, entries, strict=False)
            kept = next((n for n, (old, new) in enumerate(pairs) if old != new), kept)
        dropped = {step.seq for step in self.steps[kept:]}
        state = self.steps[kept - 1].after if kept else None
        later_steps = tuple(steps(review.game, review.opening, entries[kept:], state))
        review.steps = (*self.steps[:kept], *later_steps)
        scored = [one for one in self.scored if one.seq not in dropped] if dropped else self.scored
        review.scored = (*scored, *review.scored_by(later_steps))
        return review

    @property
    def report(self) -> Report:
        """The audit of the whole record, as programs read it."""
        return self._outcome.report

    @property
    def judged(self) -> tuple[Judged, ...]:
        """The findings of the report, in its order, for people: `message` puts names into one."""
        return self._outcome.findings

    def explain(self, causes: tuple[Cause, ...]) -> None:
        """Adds the causes of the findings to the report."""
        self._outcome = self._outcome._replace(report=replace(self.report, causes=causes))

    @property
    def end(self) -> Any:
        """The state after the last event."""
        return self._outcome.end

    @lazy
    def _outcome(self) -> Outcome:
        return outcome(self.game, self.opening, self.effective, self.name)

    @lazy
    def names(self) -> dict[str, str]:
        """The names of the players for sentences, by id: safe to show, and kept apart from what stands beside them."""
        return dict(zip(self.opening.players, map(isolated, self.opening.names), strict=True))

    @property
    def informal(self) -> "Review":
        """The same review, in whose sentences people have first names."""
        assert self.scored is not None  # noqa: S101  the steps and the points are made once, for both
        review = copy(self)
        review.names = dict(zip(self.opening.players, map(isolated, first_names(self.opening.names)), strict=True))
        return review

    @lazy
    def findings(self) -> dict[int, list[Judged]]:
        """The findings by seq."""
        by_seq: dict[int, list[Judged]] = {}
        for finding in self.judged:
            by_seq.setdefault(finding.seq, []).append(finding)
        return by_seq

    @lazy
    def scored(self) -> tuple[Scored, ...]:
        """Every reason for points, in the order in which they were scored."""
        return tuple(self.scored_by(self.steps))

    def scored_by(self, steps: Iterable[Step]) -> Iterator[Scored]:
        """The reasons for points in these steps."""
        for step in steps:
            if step.after is not step.before:
                for reason in self.game.points(step.before, step.event, step.after):
                    yield Scored(step.seq, reason)

    @lazy
    def gains(self) -> dict[int, tuple[int, ...]]:
        """The points of each seat, by the seq of the event that scored them."""
        gains: dict[int, list[int]] = {}
        for seq, reason in self.scored:
            gains.setdefault(seq, [0] * len(self.opening.players))[reason.player] += reason.points
        return {seq: tuple(points) for seq, points in gains.items()}

    @property
    def set_size(self) -> int | None:
        """The N of the double-N set, in a game that has several sets; None in a game that has one.

        A score card may not say which: then None, too.
        """
        several = any(option.name == "set" and len(option.values) > 1 for option in self.game.options)
        size = (self.effective.opening if self.card else self.opening).options.get("set")
        return size if several and type(size) is int else None

    @lazy
    def _places(self) -> dict[int, int]:
        return {seq: place for place, seq in enumerate(self.effective.seqs)}

    def place(self, seq: int) -> int | None:
        """The index of the step of the event with that seq; None if no effective event has it.

        It is also the number of that move, as people count: after all corrections, without gaps.
        """
        return self._places.get(seq)

    def called(self, seq: int) -> str:
        """What people call the event with that seq: ``move 17``, or ``event 28`` if it is not among the moves."""
        place = self.place(seq)
        return f"event {seq}" if place is None else f"move {place}"

    def scene(self, place: int = -1) -> Scene:
        """The table after the step at that index (negative ones count from the end)."""
        return self.game.scene(self.steps[place].after)

    def standing(self, place: int = -1) -> Standing:
        """Scores and winners after the step at that index."""
        return self.game.standing(self.steps[place].after)

    def fingerprints(self) -> Sequence[str]:
        """The fingerprint of the state after each step."""
        return [fingerprint(step.after) for step in self.steps]

    @lazy
    def squares(self) -> Squares:
        """The names of the squares, the same at every step."""
        return self._squares or squares_of(self.record.events, self.scene())

    def words(self, place: int) -> str:
        """The event of that step, as a sentence; the end of a game says who won."""
        event = self.steps[place].event
        if type(event) is Close:
            ending = game_over(self.standing(place), self.opening.names, finished=event.why == "finished")
            return f"{ending}. Only the result is known: nothing was audited" if self.card else ending
        return in_words(self._numbered(event), self.names, self.squares)

    def _numbered(self, event: Correctable) -> Correctable:
        """The event as people read it: a note about another one has the number of that move, if it was played."""
        about = event.about if type(event) is Note else None
        return event if about is None else replace(event, about=self.place(about))

    def phrase(self, place: int) -> Phrase:
        """The event of that step in words, in parts."""
        step = self.steps[place]
        player = actor(step.event)
        return Phrase(
            step.seq,
            None if player is None else self.opening.seat(player),
            getattr(step.event, "tile", None),
            place_in_words(step.event, self.squares),
            self.words(place) if type(step.event) is Close else act_in_words(self._numbered(step.event), self.names),
            self.words(place),
        )

    def line(self, place: int) -> str:
        """The event of that step as a line of the score sheet."""
        from ledger import notation

        return notation.write_event(self.steps[place].event, self._openings, self.squares)

    @lazy
    def _openings(self) -> Record:
        """The openings alone, which give the players their letters: searching the whole record takes long."""
        events = self.record.events
        return Record(tuple(event for event in events if type(event) is Open or type(event) is Amend))

    def named(self, sentence: str) -> str:
        """A sentence of the rules with names for people and squares, safe to show."""
        return visible_lines(filled(self._with_squares(sentence), self.names))

    def message(self, finding: Judged) -> str:
        """The sentence of a finding, with names for people and squares, safe to show."""
        return visible_lines(replace(finding, sentence=self._with_squares(finding.sentence)).filled(self.names))

    def _with_squares(self, sentence: str) -> str:
        return re.sub(COORDINATES, lambda at: self.squares.name((int(at[1]), int(at[2]))), sentence)

    def meaning(self, clause: str) -> str:
        """The meaning of a clause; empty if the game does not have it."""
        return next((candidate.meaning for candidate in clauses(self.game) if candidate.id == clause), "")


def clauses(game: Game[Any]) -> tuple[Clause[Any], ...]:
    """Every clause that can be cited for a record of this game: the game's own clauses, and those that hold for all
    records.
    """
    own_ids = {clause.id for clause in game.clauses}
    return (*game.clauses, *(clause for clause in RECORD_CLAUSES if clause.id not in own_ids))


def sheet(record: Record, *, numbered: bool = False) -> str:
    """The score sheet of a record, with the same names of squares as on the pages.

    It also works for a record of a game that is not installed.  Raises NotARecord if it tells what might have been: a
    sheet cannot say so.
    """
    from ledger import notation

    happened(record)
    try:
        squares = Review(record).squares
    except (NotARecord, UnknownGame):
        squares = None
    return notation.write(record, numbered=numbered, squares=squares)


def game_over(standing: Standing, names: Sequence[str], *, finished: bool = True) -> str:
    """The end of a record in a sentence: ``Game over. Ana wins 137 : 118``.

    A title is earned by all players together, so it replaces the scores.
    """
    if not finished:
        return "Game left unfinished"
    names = list(map(isolated, names))
    if standing.finished and not standing.winners:
        end = "Game over. Nobody won" if standing.decided else "Game over. It is not known who won"
        scores = ", ".join(f"{name} {score}" for name, score in zip(names, standing.shown, strict=True))
        return end if len(standing.unsaid) == len(names) else f"{end}: {scores}"
    if not standing.finished:
        return "Closed as finished, but the game is not over"
    winners = [names[seat] for seat in standing.winners]
    end = f"Game over. {listed(winners)} {'wins' if len(winners) == 1 else 'win'}"
    if standing.title:
        end = f"Game over. All {len(names)} win" if len(winners) == len(names) > 2 else end
        return f"{end}: {standing.title}"
    if len(standing.unsaid) == len(names):
        return end
    ranked = sorted(range(len(names)), key=lambda seat: standing.places[seat] or len(names))
    if len(ranked) == 2:
        return f"{end} {' : '.join(str(standing.shown[seat]) for seat in ranked)}"
    return f"{end}: {', '.join(f'{names[seat]} {standing.shown[seat]}' for seat in ranked)}"
