"""The contract of a game: a frozen value of data and pure functions.  No base class, no hooks.

A game says how a table starts, what an event does to it, what the clauses demand, who is winning and how the table
looks.  Phones and simulations need a little more.  Higher floors compute the rest in the same way for every game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

from msgspec import Struct

from ledger.record.errors import NotARecord, UnknownGame
from ledger.record.events import Correctable, Event, Open, Play, Score
from ledger.record.scene import Scene
from ledger.record.sentences import filled
from ledger.record.tiles import Tile

Verdict = Literal["impossible", "breach", "unproven", "note"]
GRAVITY: tuple[Verdict, ...] = ("impossible", "breach", "unproven", "note")
"""Verdicts, the gravest first."""
GRAVE = GRAVITY[:2]  # these make a finding a mistake


class Opening(Struct, frozen=True):
    """An opening that a game has read: players by seat, and every option with its value.

    `players` are ids and `names` what people read, both by seat.  `teams` and `lowest` are those of a score card.
    """

    game: str
    edition: str | None
    players: tuple[str, ...]
    names: tuple[str, ...]
    options: Mapping[str, Any]
    teams: tuple[tuple[str, ...], ...] = ()
    lowest: bool = False

    def seat(self, player: str) -> int:
        """The seat of a player's id."""
        return self.players.index(player)


class State(Struct, frozen=True, kw_only=True, gc=False):
    """What all states have: whether the game `ended` by its rules, and whether anybody acted `past` its end."""

    ended: bool = False
    past: bool = False


class Fault(Struct, frozen=True, gc=False):
    """What is wrong with an event, according to a clause.  The auditor adds the clause, the seq and the player.

    `message` is a sentence with places for people, never their ids (see `ledger.record.sentences`): ``{player}`` is
    the one whose fault it is, ``{expected}`` and ``{claimed}`` are those whom these fields name, by id.

    `verdict` is None if the clause's own applies, `player` if it is the player of the event.  `running` marks points: a
    wrong "part" (of a hand, of a domino) is carried on in every later "total", and is reported only once.

    `stays` is for points that are counted again in the next hand, because what they count stays on the table.  It gives
    a mark for each thing there that would count for this much more or less if it was misnamed.  As long as one of these
    things stays, the same difference is reported only once.  It is called only if the same difference comes again.
    """

    message: str
    expected: Any = None
    claimed: Any = None
    verdict: Verdict | None = None
    player: str | None = None
    running: Literal["part", "total"] | None = None
    stays: Callable[[], frozenset[Hashable]] | None = None


class Finding(Struct, frozen=True, gc=False, omit_defaults=True):
    """A fault with the event's seq, the clause's id and the player's id (None: no one player's).

    `verdict` is impossible, breach, unproven or note; `expected` and `claimed` are what the rule says and what the
    record says; `message` is a sentence for people.
    """

    seq: int
    clause: str
    verdict: Verdict
    player: str | None = None
    expected: Any = None
    claimed: Any = None
    message: str = ""


class Judged(Finding, frozen=True, gc=False, omit_defaults=True):
    """A finding with its `sentence`, which has places for people; in its `message` they have their ids."""

    sentence: str = ""

    def plain(self) -> Finding:
        """The finding as a report has it, for programs."""
        return Finding(self.seq, self.clause, self.verdict, self.player, self.expected, self.claimed, self.message)

    def filled(self, names: Mapping[str, str]) -> str:
        """The sentence with these names, by id, in the order of the seats."""
        return filled(self.sentence, names, player=self.player, expected=self.expected, claimed=self.claimed)


S = TypeVar("S", bound=State)

Check = Callable[[S, Any, S, Any], Iterable[Fault]]
"""(state before, event, state after, evidence) → faults.

The evidence is what the whole record proves about the hand behind that event (see `ledger.rules.evidence`), or None.
"""
When = Callable[[S, Any, S], bool]
"""(state before, event, state after) → whether an event is one that a clause is about."""


class Clause(Struct, Generic[S], frozen=True, eq=False):
    """One numbered rule: its public `id`, its `meaning` in a sentence, and the `check` that judges the events `on`.

    If it has a `when`, it judges only the events for which that holds.  The audit evaluates the condition once for
    neighbouring clauses that share it: they are about one thing, such as a tile on one that it may not cover.

    `verdict` is that of its faults, unless a fault has its own.  `proved`: it judges by evidence about hands;
    `needs_evidence`: only by that, so it judges no event without any.  A clause without `on` only explains: another
    clause judges what it says, or it is never a breach by itself.  A `lesson` is good for puzzles: anybody at the table
    sees when it is broken.  Clauses are compared by identity.
    """

    id: str
    meaning: str
    on: tuple[type[Event], ...] = ()
    check: Check[S] | None = None
    verdict: Verdict = "breach"
    proved: bool = False
    when: When[S] | None = None
    needs_evidence: bool = False
    lesson: bool = False

    def faults(self, before: S, event: Any, after: S, evidence: Any = None) -> Iterable[Fault]:
        """The faults that the clause finds in an event; none if it only explains, or is not about such an event."""
        if self.check is None or (self.when is not None and not self.when(before, event, after)):
            return ()
        return self.check(before, event, after, evidence)


def clause(
    id_: str,
    meaning: str,
    *on: type[Event],
    verdict: Verdict = "breach",
    proved: bool = False,
    when: When[Any] | None = None,
    needs_evidence: bool = False,
    lesson: bool = False,
) -> Callable[[Check[S]], Clause[S]]:
    """Turns a check into a clause: ``@clause("zigzag.bid.raise", "A bid is higher than the last.", Bid)``."""

    def make(check: Check[S]) -> Clause[S]:
        return Clause(id_, meaning, on, check, verdict, proved, when, needs_evidence, lesson)

    return make


def in_order(module: Mapping[str, Any]) -> tuple[Clause[Any], ...]:
    """Every clause of a module in the order in which they judge an event: the impossible first, then as they stand."""
    clauses = [value for value in module.values() if isinstance(value, Clause)]
    return tuple(sorted(clauses, key=lambda clause: clause.verdict != "impossible"))


Evolve = Callable[[S, Any], S]
"""(state, event) → state."""


def by_event(table: Mapping[type[Event], Any]) -> Evolve[Any]:
    """Evolves a state by this table's function for the type of an event; any other event changes nothing."""

    def evolve(state: Any, event: Any) -> Any:
        on = table.get(type(event))
        return on(state, event) if on else state

    return evolve


Touched = Callable[[S, Any, S], bool]
"""(state before, event, state after) → whether another value of a ruling could make a difference there."""


class Option(Struct, frozen=True, eq=False):
    """A named choice in the opening.

    `kind` is variant (the document offers it), ruling (it is silent or contradicts itself) or fact (of the table).
    `values` has the default first, `sentences` say what each means; where there are more, `accepts` describes them and
    `valid` decides.  A ruling depends on `touched` for events of the types `on`, where `when` (asked once) holds.
    """

    name: str
    kind: Literal["variant", "ruling", "fact"]
    values: tuple[Any, ...]
    meaning: str
    accepts: str = ""
    valid: Callable[[Any, Opening], bool] | None = None
    on: tuple[type[Event], ...] = ()
    touched: Touched[Any] | None = None
    when: When[Any] | None = None
    sentences: tuple[str, ...] = ()


class Points(NamedTuple):
    """A reason for points: which seat gets how many, by which clause, and why (with `sentences.who` for people)."""

    player: int
    points: int
    clause: str
    because: str


class Standing(Struct, frozen=True, gc=False):
    """How a game stands: `finished` by its rules, `scores` and `winners` by seat, the title earned if any.

    Scores of an unfinished game are the totals so far (of finished hands), and nobody has won.  A score card says less:
    `unsaid` are the seats without points (0 in `scores`), it may not be `decided` who won, and it may rank the seats
    itself.  `lowest`: it says that the fewest points win.
    """

    finished: bool
    scores: tuple[int, ...]
    winners: tuple[int, ...] = ()
    title: str | None = None
    unsaid: frozenset[int] = frozenset()
    decided: bool = True
    ranked: tuple[int | None, ...] = ()
    lowest: bool = False

    @property
    def points(self) -> tuple[int | None, ...]:
        """The score of each seat, None where nobody said it."""
        return tuple([None if seat in self.unsaid else score for seat, score in enumerate(self.scores)])

    @property
    def shown(self) -> tuple[int | str, ...]:
        """The score of each seat for people: a dash where nobody said it."""
        return tuple(["–" if score is None else score for score in self.points])

    @property
    def low_wins(self) -> bool:
        """Whether the lowest score has won, and only that."""
        won = {self.scores[seat] for seat in self.winners if seat not in self.unsaid}
        return self.lowest or won == {min(self.scores)} != {max(self.scores)}

    @property
    def places(self) -> tuple[int | None, ...]:
        """The place of each seat, from 1: the winners, then the others by their scores; equal ones share a place.

        A card that doesn't say who came where gives no places.
        """
        if self.ranked:
            return self.ranked
        sign = 1 if self.low_wins else -1
        order = [(seat not in self.winners, sign * score) for seat, score in enumerate(self.scores)]
        return tuple(1 + sum(other < own for other in order) for own in order)


class Step(Struct, frozen=True, gc=False):
    """One effective event, the state before it and the state after."""

    seq: int
    event: Correctable
    before: Any
    after: Any


class Tally(Struct, frozen=True, gc=False):
    """Where tiles are: (``"on the table"``, 16).  The parts of a table add up to its set."""

    where: str
    tiles: int


INFINITE: Final = 1 << 30
"""More than any points."""


class Ending(Struct, Generic[S], frozen=True):
    """What a game needs so that the end of a hand can be searched with all tiles open (see `ledger.play.exact_ends`):
    - `plays`: how many tiles at the end of a hand are searched.
    - `is_open(state)` → whether a hand is being played, and the record knows every tile that can still be played.
    - `key(state, seat)` → all that decides what the hand still brings a seat, and not how it came to that.
    - `worth(state, seat)` → what the hand has brought a seat so far, beside its best opponent or by itself.
    - `reach(state, seat)` → bounds of how much that can still change.
    - `goal(state)` → a seat and what it has to reach; None if the player who is ahead wins.
    - `unit`, what is reached: one of it, and several.
    """

    plays: int
    is_open: Callable[[S], bool]
    key: Callable[[S, int], Hashable]
    worth: Callable[[S, int], int]
    reach: Callable[[S, int], tuple[int, int]] = lambda _state, _seat: (-INFINITE, INFINITE)
    goal: Callable[[S], tuple[int, int] | None] = lambda _state: None
    unit: Callable[[S], str] = lambda _state: "point"


class Game(Struct, Generic[S], frozen=True, eq=False, kw_only=True):
    """A complete game, generic in its state.  Games are compared by identity.

    To record and to audit, a game needs:
    - `name`, the tag in a record; `title` and `author`, for people; `document`, where its rules are.
    - `seats`, who can play, in words; `seated(opening)` decides.
    - `events`, its acts and claims; any other is impossible in its records.  `scores` are the scopes of its `score`
      claims.  `line_ends`: tiles go on a line, so a play may name an `end` of it.
    - `start(opening)` → state; `evolve(state, event)` → state.  Both are pure and total: an illegal act is on the table
      afterwards; only what is impossible leaves the table as it was.
    - `clauses`, what the rules demand.
    - `standing(state)` → scores and winners; `scene(state)` → how the table looks.

    It may add `about` (a sentence), `options`, `editions`, `points(before, event, after)` → the reasons for a score,
    `tally(state)` → where the tiles are, and `holdings(steps)` → by seq, what the whole record proves about the hand
    behind an event, or the ways in which the game may have gone (no entry if it proves that all is well).
    `hand_number(state)` → in games of several hands, the number of the current or last hand, from 1 (0 before the
    first).  `hands_planned(state)` → how many hands the game has, None if that is open.  `end_clause` is cited for an
    act past the end, `unfinished_clause` for a result or a close before it; `closing` are the acts that belong to an
    end and may come after it.

    A phone uses these if the game has them:

    - `choices(state)` → the legal acts now, of every player who may act, the sensible ones first.
    - `tray(state, kind, seat)` → the tiles that an event of that type could name now for that seat, as far as the
      record knows, legal or not.  By default, every tile of the double-`largest` set that is not on the table.

    So that a program can play it alone:

    - `chance(state, random)` → what the shuffle still gives now (draws, hands that are not dealt yet); empty while
      players act.  A phone learns from it whose hand has how many tiles.
    - `claims(before, act, after)` → the act as a careful table records it, and what it says then; by default nothing.

    So that one can say where a game was decided, it has an `ending`.

    `revision` names this reading of the rules, `earlier` is the whole game under the previous one.  A record is judged
    by the revision that it was made under, so a shipped revision is never changed or removed.  A new one shares parts.
    """

    name: str
    title: str
    author: str
    about: str = ""
    document: str
    seats: str
    seated: Callable[[Opening], bool]
    events: tuple[type[Event], ...]
    start: Callable[[Opening], S]
    evolve: Evolve[S]
    clauses: tuple[Clause[S], ...]
    standing: Callable[[S], Standing]
    scene: Callable[[S], Scene]

    options: tuple[Option, ...] = ()
    editions: tuple[str, ...] = ()
    """The editions of the rules, the default first; empty where there is only one."""
    defaults: Callable[[dict[str, Any], Opening], dict[str, Any]] | None = None
    """Defaults that depend on other options, given the options as they were written.

    It raises NotARecord for options that exclude each other."""
    scores: tuple[Literal["hand", "game"], ...] = ("hand", "game")
    line_ends: bool = False
    points: Callable[[S, Any, S], Sequence[Points]] = lambda _before, _event, _after: ()
    tally: Callable[[S], Sequence[Tally]] = lambda _state: ()
    holdings: Callable[[Sequence[Step]], Mapping[int, Any]] | None = None
    hand_number: Callable[[S], int] | None = None
    hands_planned: Callable[[S], int | None] | None = None
    closing: tuple[type[Event], ...] = ()
    end_clause: str = "record.after-end"
    unfinished_clause: str = "record.unfinished"

    choices: Callable[[S], Sequence[Correctable]] | None = None
    tray: Callable[[S, type[Event], int], Sequence[Tile]] | None = None
    largest: int = 6

    chance: Callable[[S, Random], Sequence[Correctable]] = lambda _state, _random: ()
    claims: Callable[[S, Any, S], Sequence[Correctable]] = lambda _before, act, _after: (act,)
    ending: Ending[S] | None = None

    revision: str = "1"
    earlier: Game[S] | None = None

    def __post_init__(self) -> None:
        """Raises ValueError for two revisions with one name, or of different games."""
        names = [game.revision for game in self.revisions]
        if len(set(names)) < len(names) or len({game.name for game in self.revisions}) > 1:
            raise ValueError(f"the revisions of {self.name} must be one game under different names, not {names}")

    def has(self, event: Event) -> bool:
        """Whether the game has this act or claim."""
        if type(event) not in self.events:
            return False
        if type(event) is Score:
            return event.scope in self.scores
        return type(event) is not Play or self.line_ends or not event.end

    @property
    def revisions(self) -> tuple[Game[S], ...]:
        """The game in every revision of its rules up to this one, the oldest first."""
        return (*(self.earlier.revisions if self.earlier else ()), self)

    def under(self, rules: str | None) -> Game[S]:
        """The game in that revision of its rules.

        A record that names none was made before revisions had names, or by another program.  It is always judged by the
        first, so that its audit never changes.  Raises UnknownGame with a list of the revisions.
        """
        if rules is None or rules == self.revision:  # as in most records
            return self.revisions[0] if rules is None else self
        revisions = {game.revision: game for game in self.revisions}
        if rules not in revisions:
            names = ", ".join(revisions)
            raise UnknownGame(f"no revision {rules!r} of the rules of {self.title} is known; there are: {names}")
        return revisions[rules]

    def opening(self, event: Open) -> Opening:
        """The opening as the game reads it: every option with its value.

        Raises NotARecord for an option, a value, an edition or a number of players that the game does not know, and for
        options that exclude each other.
        """
        edition = self.editions[0] if event.edition is None and self.editions else event.edition
        if edition is not None and edition not in self.editions:
            editions = ", ".join(self.editions) or "none"
            reason = f"{self.title} has no edition {edition!r}; its editions: {editions}"
            raise NotARecord(reason, event=0, field="$.edition")
        ids = tuple([player.id for player in event.players])
        names = tuple([player.name or player.id for player in event.players])
        bare = Opening(self.name, edition, ids, names, {})
        if not self.seated(bare):
            raise NotARecord(f"{self.title} is for {self.seats}, not {len(ids)}", event=0, field="$.players")
        options = self._values(event.options, bare)
        return Opening(self.name, edition, ids, names, options, event.teams, event.lowest)

    def _values(self, written: Mapping[str, Any], bare: Opening) -> dict[str, Any]:
        options = {option.name: option for option in self.options}
        for name, value in written.items():
            option = options.get(name)
            if option is None:
                reason = f"{self.title} has no option {name!r}; it has {', '.join(options)}"
                raise NotARecord(reason, event=0, field=f"$.options.{name}")
            if not accepts(option, value, bare):
                allowed = option.accepts or ", ".join(map(repr, option.values))
                raise NotARecord(f"{name} cannot be {value!r}; it can be {allowed}", event=0, field=f"$.options.{name}")
        usual = {name: option.values[0] for name, option in options.items()}
        return {**(self.defaults(dict(written), bare) if self.defaults else usual), **written}

    @property
    def rulings(self) -> tuple[Option, ...]:
        """The options that are rulings: where the document is silent or contradicts itself."""
        return tuple(option for option in self.options if option.kind == "ruling")


def accepts(option: Option, value: Any, opening: Opening) -> bool:
    """Whether an option can have this value."""
    for listed in option.values:
        if value == listed and type(value) is type(listed):
            return True
    return option.valid is not None and option.valid(value, opening)
