"""Score cards from what a club already has: each is stored once, however often it comes.

Two cards are the same game if day, game, event, people and scores are the same, and an evening may have that twice: the
first two such cards of a source are then the first two of the ledger.  Names are compared as the club knows them, so a
name that was merged or renamed since is the same person.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ledger.games.catalog import titled
from ledger.keep.recorder import folded, new_id, players_for
from ledger.keep.renaming import renamings
from ledger.keep.stored_audits import audit_of
from ledger.record.events import AnyEvent, Cheats, Close, Open, Result, Score
from ledger.record.record import Record
from ledger.stores.beside import Alias
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore

CHEATS = "domino-ziggurat"
"""The game whose score is the number of cheats of all players together."""


class ScoreCard(NamedTuple):
    """A game known only by its scores: `scores` by name, in the order of the seats.

    Without `winners`, those with most points have won.
    """

    game: str
    scores: Mapping[str, int]
    winners: Sequence[str] | None = None
    played: str | None = None
    event: str | None = None
    place: str | None = None
    edition: str | None = None

    def record(self) -> Record:
        """The record of the card."""
        names = list(self.scores)
        ids = {name: player.id for name, player in zip(names, players_for(names), strict=True)}
        game = titled(self.game) or self.game
        opening = Open(game, self.edition, {}, players_for(names), self.played, self.place, self.event, card=True)
        events: list[AnyEvent] = [opening]
        if game == CHEATS and len(set(self.scores.values())) == 1:
            events.append(Cheats(next(iter(self.scores.values()))))
        else:
            events.append(Score("game", {ids[name]: score for name, score in self.scores.items()}))
        best = max(self.scores.values())
        winners = self.winners
        if winners is None:
            winners = [name for name, score in self.scores.items() if score == best or game == CHEATS]
        events += [Result(tuple(ids[name] for name in winners)), Close("finished")]
        return Record(tuple(events))


Key = tuple[str | None, str, str, frozenset[tuple[str, int]]]
"""What tells one card from another: its day, game and event, and the score of each person."""


class Filed(NamedTuple):
    """What became of a card: its id, and whether it is `new` or was there."""

    record: str
    new: bool


class CardFile:
    """The score cards of a ledger."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self._merged = {folded(alias.name): folded(alias.person) for alias in store.kept(Alias)}
        self._renamed = {folded(renaming.old): folded(renaming.new) for renaming in renamings(store)}
        self._known: dict[Key, list[str]] = {}
        for row in store.find(Query(voided=None, reverse=True)):
            if row.card:
                record = store.read(row.id)
                self._known.setdefault(self._key(record), []).append(row.id)

    def file(self, cards: Iterable[ScoreCard]) -> list[Filed]:
        """Stores the cards that are not there yet, all of them or none; returns what became of each."""
        seen, filed, new = Counter[Key](), list[Filed](), dict[str, Record]()
        for card in cards:
            record = card.record()
            key = self._key(record)
            known = self._known.setdefault(key, [])
            if seen[key] == len(known):
                record_id = new_id()
                known.append(record_id)
                new[record_id] = record
            filed.append(Filed(known[seen[key]], known[seen[key]] in new))
            seen[key] += 1
        audits = {record_id: audit_of(record_id, record) for record_id, record in new.items()}
        self.store.append_records(((record_id, record.events) for record_id, record in new.items()), audits)
        return filed

    def _person(self, name: str) -> str:
        """The person whom the club knows by this name now."""
        seen, key = set[str](), folded(name)
        while key in self._renamed and key not in seen:
            seen.add(key)
            key = self._renamed[key]
        return self._merged.get(key, key)

    def _key(self, record: Record) -> Key:
        """The key of a card, by what was first written in it."""
        opening = record.events[0]
        assert isinstance(opening, Open)  # noqa: S101  the codec refuses any other record
        scores = dict[str, int]()
        for event in record.events:
            if isinstance(event, Cheats):
                scores = {player.id: event.count for player in opening.players}
            elif isinstance(event, Score) and event.scope == "game":
                scores = dict(event.points)
            if scores:
                break
        people = frozenset(
            (self._person(player.name or player.id), scores.get(player.id, 0)) for player in opening.players
        )
        return opening.played, opening.game, folded(opening.event or ""), people
