"""Score cards from what a club already has, and how they compare with the games that a ledger knows.

A card is the same game as a record that has its id, or its importer's own id; else as one of the same day, game, people
and points, or winners where nobody noted points.  An evening may have that twice: the first two such cards of a source
are then the first two of the ledger.  Names are compared as the club knows them, so a name that was merged or renamed
since is the same person.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from ledger.games import cards, catalog
from ledger.games.catalog import titled
from ledger.keep.recorder import players_for
from ledger.keep.renaming import person_of
from ledger.keep.stored_audits import audit_anew
from ledger.record.errors import LedgerError, UnknownGame
from ledger.record.events import Amend, AnyEvent, Cheats, Close, Insert, Open, Player, Result, Retract, Score, Source
from ledger.record.record import Effective, Record, as_written, effective
from ledger.record.words import is_day
from ledger.rules.game import Standing
from ledger.stores.beside import Brought
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore

CHEATS = "domino-ziggurat"
"""The game whose score is the number of cheats of all players together."""
MOST_PLAYERS, LONGEST = 26, 200
"""The most players of a record, and the most letters of a name."""
TABLE = "table"
"""Where a card came from that a table numbers: such numbers come again in other tables."""


class ScoreCard(NamedTuple):
    """The end of a game: `scores` by name in the order of the seats, None where nobody said one.

    `winners` are None if nobody said who won, and empty if nobody won.  `ranks` are by name, `teams` have names.
    `lowest`: the fewest points win.  `source` is the importer's own id, and `at` where in its file the game stands.
    """

    game: str
    scores: Mapping[str, int | None]
    winners: Sequence[str] | None = None
    played: str | None = None
    event: str | None = None
    place: str | None = None
    edition: str | None = None
    ranks: Mapping[str, int] = {}
    teams: Sequence[Sequence[str]] = ()
    lowest: bool = False
    source: Source | None = None
    at: str = ""

    @property
    def tells_who_won(self) -> bool:
        """Whether it says who won, rather than that it follows from the points."""
        return self.winners is not None or bool(self.ranks)

    def wrong(self) -> str:
        """Why this can't be a card, such as a day or a number of players that does not exist; or ""."""
        if not self.scores:
            return "no players"
        if not self.tells_who_won and {*self.scores.values()} == {None}:
            return "no points, and nobody noted who won"
        texts = [self.game, *self.scores, self.event or "", self.place or "", self.source.id if self.source else ""]
        if len(self.scores) > MOST_PLAYERS or max(map(len, texts)) > LONGEST:
            return f"a card has at most {MOST_PLAYERS} players, and names of at most {LONGEST} letters"
        if self.played and not is_day(self.played):
            return f"there is no day {self.played}"
        if self.ranks and len(self.ranks) < len(self.scores):
            return "some ranks are missing"
        if self.ranks and self.winners is not None and {*self.winners} != {*self._first()}:
            return "the ranks contradict who won"
        try:
            game = catalog.find(titled(self.game) or self.game)
        except UnknownGame:
            return ""
        if len(self.scores) not in catalog.player_counts(game):
            return f"{game.title} is for {game.seats}, not {len(self.scores)}"
        if game.name == CHEATS and len({*self.scores.values()} - {None}) > 1:
            return f"in {game.title} all have the same number of cheats"
        return ""

    def _first(self) -> list[str]:
        return [name for name, rank in self.ranks.items() if rank == 1]

    def record(self, seats: Sequence[Player] = ()) -> Record:
        """The record of the card; `seats` are the players of a record that it amends, by name.

        What follows from the points is not said again, so that it follows from corrected points, too.
        """
        players = seats or players_for([*self.scores])
        ids = {player.name: player.id for player in players}
        game = titled(self.game) or self.game
        teams = tuple(tuple(ids[name] for name in team) for team in self.teams)
        opening = Open(
            game, self.edition, {}, tuple(players), self.played, self.place, self.event,
            card=True, lowest=self.lowest, teams=teams, source=self.source,
        )  # fmt: skip
        events: list[AnyEvent] = [opening]
        scores = {ids[name]: score for name, score in self.scores.items() if score is not None}
        if game == CHEATS and len({*scores.values()}) == 1:
            events.append(Cheats(next(iter(scores.values()))))
        elif scores:
            events.append(Score("game", scores))
        ended = Record((*events, Close("finished")))
        winners = self._first() if self.winners is None else self.winners
        if not self.tells_who_won:
            return ended  # perhaps without an end: then it is no card
        result = Result(tuple(ids[name] for name in winners), ranks={ids[name]: n for name, n in self.ranks.items()})
        said = Record((*events, result, Close("finished")))
        without, with_it = standing_of(ended), standing_of(said)
        same = (without.winners, without.decided, without.places) == (with_it.winners, with_it.decided, with_it.places)
        return ended if scores and same else said


Outcome = Literal["new", "known", "amended", "differs"]


class Match(NamedTuple):
    """What a card is to the ledger: a new game, or a known `record`, perhaps one that it amends, with the words for it.

    Only a card is amended by another one: a game that was `played_out` move by move has the points of its moves.
    """

    card: ScoreCard
    outcome: Outcome
    record: str = ""
    why: str = ""
    played_out: bool = False


class _End(NamedTuple):
    """How a game ended: the points of each person, None where nobody said them, and who won, None if nobody said."""

    points: Mapping[str, int | None]
    winners: frozenset[str] | None

    def agrees(self, known: "_End") -> bool:
        """Whether the other end says all of this."""
        points = all(score in (None, known.points.get(person)) for person, score in self.points.items())
        return points and self.winners in (None, known.winners)


class _Game(NamedTuple):
    """A game as it is compared.  `ends` has how it ended, now and as it was first written.

    `amended`: somebody has changed it since it was imported.
    """

    record: str
    card: bool
    day: str | None
    game: str
    people: frozenset[str]
    ends: Sequence[_End]
    source: Source | None = None
    amended: bool = False

    @property
    def evening(self) -> tuple[object, ...]:
        """The games that it may be: those of the same day and people."""
        return self.day, self.game, self.people

    @property
    def ids(self) -> Iterator[object]:
        """What it may be known by: another evening with a table's number is another game."""
        for source in filter(None, (self.source, Source(from_=TABLE, id=self.record))):
            if source.from_ == TABLE:
                yield from ((source.id, self.game, self.people), (source.id, self.game, self.day or ""))
            else:
                yield source.from_, source.id


def compare(store: SqliteStore, cards: Sequence[ScoreCard], day: str | None = None) -> list[Match]:
    """What each card is to the ledger; each game of the ledger is one of them at most.

    Games of imports that were taken back are left out; with a `day`, so are the games of other days.
    """
    person = person_of(store)
    with suppress(LedgerError):  # a dry run reads a ledger that nobody may write, too
        audit_anew(store)
    by_id, evenings = dict[object, _Game](), defaultdict[object, list[_Game]](list)
    for known in _games(store, person, day):
        evenings[known.evening].append(known)
        for id_ in known.ids:
            by_id.setdefault(id_, known)
    views = [_view("", card.record(), person, tells_who_won=card.tells_who_won) for card in cards]
    matches, taken = dict[int, Match](), set[str]()

    def match(number: int, known: _Game, outcome: Outcome) -> None:
        taken.add(known.record)
        but = {"known": "", "differs": ", and differs", "amended": ", and is corrected"}[outcome]
        why = f"it is here already{but}: {_in_short(known)}"
        matches[number] = Match(cards[number], outcome, known.record, why, played_out=not known.card)

    for number, view in enumerate(views):
        of_id = next((by_id[id_] for id_ in view.ids if id_ in by_id), None)
        if of_id is not None and of_id.record not in taken:
            match(number, of_id, _by_its_id(view, of_id))
    for agreeing in (True, False):
        for number, view in enumerate(views):
            for known in () if number in matches else evenings[view.evening]:
                if known.record not in taken and (not agreeing or any(map(view.ends[0].agrees, known.ends))):
                    match(number, known, "known" if agreeing else "differs")
                    break
    return [matches.get(number) or Match(card, "new") for number, card in enumerate(cards)]


def _in_short(known: _Game) -> str:
    points, winners = known.ends[0].points, known.ends[0].winners
    ends = [person.title() + ("" if score is None else f" {score}") for person, score in points.items()]
    won = ", ".join(sorted(map(str.title, winners or ()))) or "nobody"
    said = f"; {won} won" if winners is not None and None in points.values() else ""
    return f"{', '.join(ends)}{said} (record {known.record})"


def _games(store: SqliteStore, person: Callable[[str], str], day: str | None) -> Iterator[_Game]:
    brought = [*store.kept(Brought)]
    undone, versions = {row.record for row in brought if row.undone}, {row.record: row.version for row in brought}
    for row in store.find(Query(voided=None, reverse=True, since=day, until=day)):
        if row.voided and row.id in undone:
            continue
        if row.card:
            amended = row.events != versions.get(row.id, row.events)
            yield _view(row.id, store.read(row.id), person)._replace(amended=amended)
        elif row.audit and row.audit.finished:
            scores = {person(name): score for (_id, name), score in zip(row.players, row.audit.scores, strict=True)}
            won = frozenset(person(name) for id_, name in row.players if id_ in (row.audit.winners or ()))
            yield _Game(row.id, False, row.played, row.game, frozenset(scores), [_End(scores, won)])


def _view(record_id: str, record: Record, person: Callable[[str], str], *, tells_who_won: bool = True) -> _Game:
    now = effective(record.events)
    opening = now.opening
    people = [person(player.name or player.id) for player in opening.players]
    versions = [now, as_written(record.events)] if now.changes else [now]
    ends = [_end(version, people, tells_who_won=tells_who_won) for version in versions]
    return _Game(record_id, True, opening.played, opening.game, frozenset(people), ends, opening.source)


def here_already(store: SqliteStore, card: ScoreCard) -> str:
    """That a ledger has the game of a card, with the same end or another one, as a sentence; or ""."""
    (match,) = compare(store, [card], card.played)
    return match.why and f"{match.why[0].upper()}{match.why[1:]}."


def _by_its_id(view: _Game, known: _Game) -> Outcome:
    """What a card is to the game that has its id: the same, as it is or was first written, or a correction of it."""
    end = view.ends[0]
    known_ends = [own for own in known.ends if end.agrees(own)]
    if known_ends and (view.day in (None, known.day) or not known.card):
        return "known"
    same = known.card and view.game == known.game and len(view.people) == len(known.people) and not known.amended
    return "amended" if same else "differs"


def _end(version: Effective, people: Sequence[str], *, tells_who_won: bool) -> _End:
    standing = standing_of(version)
    said = tells_who_won and standing.decided
    winners = frozenset(people[seat] for seat in standing.winners) if said else None
    return _End(dict(zip(people, standing.points, strict=True)), winners)


def standing_of(card: Record | Effective) -> Standing:
    """The winners and places of a card, by seat."""
    opening = card.opening
    state = cards.start(cards.card_game(opening.game).opening(opening))
    for event in card.events[1:]:
        state = cards.evolve(state, event)
    return cards.standing(state)


def amendments(old: Record, card: ScoreCard, why: str, person: Callable[[str], str]) -> list[AnyEvent]:
    """The corrections after which a record of a card says what another card of the same game says.

    Who is in both keeps the seat; others take the seats that are left.
    """
    now = effective(old.events)
    seats = {person(player.name): player for player in now.opening.players}
    left = [seats[key] for key in seats if key not in {person(name) for name in card.scores}]
    players = [seats.get(person(name)) or left.pop(0) for name in card.scores]
    named = [replace(player, name=name) for player, name in zip(players, card.scores, strict=True)]
    order = {player.id: place for place, player in enumerate(now.opening.players)}
    wanted: dict[str, Any] = {_part(event): event for event in card.record(named).events}
    opening = wanted["open"]
    wanted["open"] = replace(
        now.opening, players=tuple(sorted(opening.players, key=lambda player: order[player.id])),
        played=opening.played or now.opening.played, place=opening.place or now.opening.place,
        event=opening.event or now.opening.event, lowest=opening.lowest, teams=opening.teams,
        source=opening.source or now.opening.source,
    )  # fmt: skip
    corrections, closed = list[AnyEvent](), len(old.events)
    for entry in now.entries:
        part = _part(entry.event)
        closed = entry.seq if part == "close" else closed
        if part in ("score", "result") and part not in wanted:
            corrections.append(Retract(entry.seq, why))
        elif part in wanted and (event := wanted.pop(part)) != entry.event and part != "close":
            corrections.append(Amend(entry.seq, event, why))
    added = [event for part, event in wanted.items() if part in ("score", "result")]
    return [*corrections, *(Insert(closed, event, why) if closed < len(old.events) else event for event in added)]


def _part(event: object) -> str:
    """The part of a card that an event is: there is one of each."""
    return "score" if isinstance(event, Cheats) else type(event).__name__.lower()
