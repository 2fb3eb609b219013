"""The contract of a game: a frozen value of data and pure functions.  No base class, no hooks.

A game says how a table starts (`start`) and what an event does to it (`evolve`); what each clause demands
(`clauses`); what a table scores and why (`points`, `standing`); what may be done now (`choices`, `chance`) and
what the table would say then (`claims`); how it looks (`scene`).  Everything else, for every game alike, is
computed from that by the floors above.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field

from ledger.errors import NotARecord, UnknownGame
from ledger.events import Correctable, Event, Open
from ledger.scene import Scene
from ledger.tiles import Tile

Verdict = Literal["impossible", "breach", "unproven", "note"]
GRAVITY: tuple[Verdict, ...] = ("impossible", "breach", "unproven", "note")
"""Verdicts, the gravest first."""


class Opening(Struct, frozen=True):
    """An opening that a game has read: players by seat, and every option with its value.

    `players` are ids and `names` what people read, both by seat.
    """

    game: str
    edition: str | None
    players: tuple[str, ...]
    names: tuple[str, ...]
    options: Mapping[str, Any]

    def seat(self, player: str) -> int:
        """The seat of a player's id."""
        return self.players.index(player)


class State(Struct, frozen=True, kw_only=True, gc=False):
    """What all states have: whether the game `ended` by its rules, and whether anybody acted `past` its end."""

    ended: bool = False
    past: bool = False


class Fault(Struct, frozen=True, gc=False):
    """What a clause says against an event.  The auditor adds which clause, where, and who.

    `verdict` is left out where the clause's own holds; `player` where it is the event's own.
    """

    message: str
    expected: Any = None
    claimed: Any = None
    verdict: Verdict | None = None
    player: str | None = None


class Finding(Struct, frozen=True, gc=False, omit_defaults=True):
    """A fault in its place: the event's seq, the clause's id, the player's id (None: nobody's own).

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


Check = Callable[[Any, Any, Any, Any], Iterable[Fault]]
"""(state before, event, state after, proof) → faults.

The proof is what the whole record proves about the hand behind that event (`holdings.Proof`), or None.
"""


class Clause(Struct, frozen=True):
    """One numbered rule: its public `id`, its `meaning` in a sentence, and how it judges the events `on`.

    `verdict` is what a fault of it is, unless the fault says otherwise; `proved` tells that it judges by proofs about
    hands, `silent` that it says nothing where there is none.  `at` names the game's moments in which it can speak (see
    `Game.moments`; every one, if none is named), `late` tells that it speaks of acts after the end only.
    A clause without `on` only explains (what it says is judged by another), or is never a breach of its own.
    """

    id: str
    meaning: str
    on: tuple[type[Event], ...] = ()
    check: Check | None = None
    verdict: Verdict = "breach"
    proved: bool = False
    silent: bool = False
    late: bool = False
    at: tuple[str, ...] = ()


Moment = Callable[[Any, Any, Any], str]
"""(state before, event, state after) → the moment of the game in which that event came."""

Touched = Callable[[Any, Any, Any], bool]
"""(state before, event, state after) → whether a ruling made, or could have made, a difference there."""


Stride = Callable[[Any, Sequence[Correctable], int, set[str]], tuple[Any, int]]
"""(state, events, place, touched) → (the state after all of which nothing is to be said, the first place after them).

The rulings that those rest on are added to `touched`, by name.
"""


class Option(Struct, frozen=True):
    """A named choice in the opening.

    `kind` is variant (the document offers it), ruling (the document is silent or contradicts itself) or fact (of
    the table).  `values` lists what it may be, the default first; where it cannot be listed, `accepts` says in words
    what is taken and `valid` decides.  `touched` tells for a ruling whether an event rests on it.
    """

    name: str
    kind: Literal["variant", "ruling", "fact"]
    values: tuple[Any, ...]
    meaning: str
    accepts: str = ""
    valid: Callable[[Any, Opening], bool] | None = None
    on: tuple[type[Event], ...] = ()
    touched: Touched | None = None
    at: tuple[str, ...] = ()


class Points(NamedTuple):
    """A reason for points: who gets how many, by which clause, and because of what."""

    player: int
    points: int
    clause: str
    because: str


class Standing(Struct, frozen=True, gc=False):
    """How a game stands: `finished` by its rules, `scores` and `winners` by seat, the title earned if any.

    Scores of an unfinished game are the totals so far (of finished hands), and nobody has won.
    """

    finished: bool
    scores: tuple[int, ...]
    winners: tuple[int, ...] = ()
    title: str | None = None


class Step(NamedTuple):
    """One effective event, the state before it and the state after."""

    seq: int
    event: Correctable
    before: Any
    after: Any


class Tally(NamedTuple):
    """Where tiles are: (``"on the table"``, 16).  The parts of a table add up to its set."""

    where: str
    tiles: int


class Said(NamedTuple):
    """An act as a careful table would record it, and the claims that it would make then."""

    act: Correctable
    claims: tuple[Correctable, ...] = ()


class Game(Struct, frozen=True, eq=False):
    """A game, whole.  Two games are the same only if they are one object.

    `name` is the tag in a record, `title` and `author` what people call it, `document` where its rules were
    published.  `editions` is empty where there is only one; the first is the default.  `seats` says in words who
    can play, `seated` decides.  `events` are the acts and claims that the game knows.

    - `start(opening)` → state; `evolve(state, event)` → state.  Pure and total: an illegal act is on the table
      afterwards; only what is impossible leaves the table as it was.
    - `standing(state)` → how the game stands; `points(before, event, after)` → the reasons for what it scored.
    - `choices(state)` → the legal acts now, of whoever may act; `chance(state, random)` → what the shuffle gives now
      (deals, draws), empty while players act; `claims(before, act, after)` → what a careful table says then.
    - `slips(state, random)` → acts and claims that a table could do wrong now, for planting one; legal ones among
      them do no harm, since what is planted is judged first.
    - `tray(state, kind, seat)` → the tiles that an event of that type could name now for that seat, as far as the
      record knows, whether it would be legal or not; without it, those of `choices`.
    - `holdings(steps)` → by seq, what the whole record proves about the hand behind an event; nothing where it proves
      that all is well.
    - `moments` tells, by type of event, in which moment one came: one word for what several clauses would each find
      out.  A clause or a ruling that names its moments is asked in no other.
    - `stride(state, events, place, touched)` → the state after as many events from that place on as nothing is to be
      said of, and the place of the first that it leaves.  It does what `evolve` does for each of them, without the
      states between, and is written with it, so that each rule stands in one place.  Nothing is to be said of an event
      where no clause finds fault with it, the tile is in a hand as the record puts it there, and no act comes
      after the end; a ruling that it rests on is added to `touched`, or the event is left.  So is whatever it cannot
      tell at once.
    - `tally(state)` → where the tiles are; `scene(state)` → how the table looks.
    - `end_clause` is cited for an act past the end, `unfinished_clause` for a result or a close before it;
      `closing` are the acts that belong to an end and may stand after it.
    - `revision` names this reading of the rules, `earlier` is the whole game as it was read before.  A record is judged
      by the revision that it was made under, so none that was ever shipped is changed or taken away; one that corrects
      another shares with it whatever stayed as it was.
    """

    name: str
    title: str
    author: str
    document: str
    seats: str
    seated: Callable[[Opening], bool]
    options: tuple[Option, ...]
    events: tuple[type[Event], ...]
    clauses: tuple[Clause, ...]
    start: Callable[[Opening], Any]
    evolve: Callable[[Any, Any], Any]
    standing: Callable[[Any], Standing]
    points: Callable[[Any, Any, Any], Sequence[Points]]
    choices: Callable[[Any], Sequence[Correctable]]
    chance: Callable[[Any, Random], Sequence[Correctable]]
    claims: Callable[[Any, Any, Any], Said]
    slips: Callable[[Any, Random], Iterable[Correctable]]
    tally: Callable[[Any], Sequence[Tally]]
    scene: Callable[[Any], Scene]
    tray: Callable[[Any, type[Event], int], Sequence[Tile]] | None = None
    holdings: Callable[[Sequence[Step]], Mapping[int, Any]] | None = None
    moments: Mapping[type[Event], Moment] = {}
    stride: Stride | None = None
    closing: tuple[type[Event], ...] = ()
    end_clause: str = "record.after-end"
    unfinished_clause: str = "record.unfinished"
    editions: tuple[str, ...] = ()
    defaults: Callable[[dict[str, Any], Opening], dict[str, Any]] | None = field(default=None)
    """Defaults that depend on other options, given the options as they were written."""
    revision: str = "1"
    earlier: Game | None = None

    def __post_init__(self) -> None:
        """Raises ValueError for a revision that nobody could tell from another."""
        names = [game.revision for game in self.revisions]
        if len(set(names)) < len(names) or len({game.name for game in self.revisions}) > 1:
            raise ValueError(f"the revisions of {self.name} are of one game, each with a name of its own, not {names}")

    @property
    def revisions(self) -> tuple[Game, ...]:
        """The game in every revision of its rules up to this one, the first of them first."""
        return (*(self.earlier.revisions if self.earlier else ()), self)

    def under(self, rules: str | None) -> Game:
        """The game in that revision of its rules.

        A record that names none was made before revisions had names, or by another program: it is judged by the first
        for ever, so that its audit never changes.  Raises UnknownGame, naming the revisions there are.
        """
        known = {game.revision: game for game in self.revisions}
        if rules is None:
            return self.revisions[0]
        if rules not in known:
            there = ", ".join(known)
            raise UnknownGame(f"no revision {rules!r} of the rules of {self.title} is known; there are: {there}")
        return known[rules]

    def speaks(self, part: Clause | Option, before: Any, event: Correctable, after: Any) -> bool:
        """Whether a clause or a ruling on such events is to be asked about this one."""
        if not part.at or type(event) not in self.moments:
            return True
        return self.moments[type(event)](before, event, after) in part.at

    def opening(self, event: Open) -> Opening:
        """An opening as the game reads it: every option with its value.

        Raises NotARecord for an option, a value, an edition or a number of players that the game does not know.
        """
        edition = event.edition
        if edition is None and self.editions:
            edition = self.editions[0]
        if edition is not None and edition not in self.editions:
            known = ", ".join(self.editions) or "none"
            raise NotARecord(f"{self.title} has no edition {edition!r} ({known})", event=0, field="$.edition")
        ids = tuple(player.id for player in event.players)
        names = tuple(player.name or player.id for player in event.players)
        bare = Opening(self.name, edition, ids, names, {})
        if not self.seated(bare):
            raise NotARecord(f"{self.title} is for {self.seats}, not {len(ids)}", event=0, field="$.players")
        return Opening(self.name, edition, ids, names, self._values(event.options, bare))

    def _values(self, written: Mapping[str, Any], bare: Opening) -> dict[str, Any]:
        known = {option.name: option for option in self.options}
        for name, value in written.items():
            if name not in known:
                reason = f"{self.title} has no option {name!r}; it has {', '.join(known)}"
                raise NotARecord(reason, event=0, field=f"$.options.{name}")
            if not accepts(known[name], value, bare):
                wanted = known[name].accepts or ", ".join(map(repr, known[name].values))
                raise NotARecord(f"{value!r} is none of: {wanted}", event=0, field=f"$.options.{name}")
        values = {option.name: option.values[0] for option in self.options} | dict(written)
        return self.defaults(dict(written), bare) | dict(written) if self.defaults else values

    @property
    def rulings(self) -> tuple[Option, ...]:
        """The options that are rulings: where the document is silent or contradicts itself."""
        return tuple(option for option in self.options if option.kind == "ruling")


def accepts(option: Option, value: Any, opening: Opening) -> bool:
    """Whether an option can have this value."""
    for known in option.values:
        if value == known and type(value) is type(known):
            return True
    return option.valid is not None and option.valid(value, opening)
