"""The recorder: opens records, appends to them, corrects and closes them.

Recording is not judging: it records what happened at the table, legal or not.  It refuses only events that would make
the record invalid, events that the game does not know, and corrections that would change nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import UTC
from functools import lru_cache, partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from unicodedata import category, normalize

from msgspec.structs import replace

from ledger.games.cards import game_of, rules_of
from ledger.keep.undo import Undo, undoable
from ledger.record import clock
from ledger.record import events as e
from ledger.record.chain import ALPHABET, matches, record_digest
from ledger.record.errors import IdReused, LedgerError, NotARecord, NotForNow
from ledger.record.lazy import lazy
from ledger.record.record import Corrections, Record
from ledger.rules.game import Game
from ledger.stores.beside import Key, Role
from ledger.stores.query import Query, Row

if TYPE_CHECKING:
    from ledger.stores.store import SqliteStore


def new_id() -> str:
    """A new record id: ten characters, too many to guess, few enough to read aloud."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def new_key() -> str:
    """A new secret of 256 bits that allows recording; a ledger stores only its digest."""
    return secrets.token_urlsafe(32)


def key_digest(key: str) -> bytes:
    """The SHA-256 of a key: all that a ledger stores of it."""
    return sha256(key.encode()).digest()


def now() -> str:
    """The time of recording: RFC 3339, UTC, to the millisecond."""
    return clock.now().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def players_for(names: Sequence[str]) -> tuple[e.Player, ...]:
    """Players for an opening, with the ids p1, p2 and so on by seat.

    Ids contain no names, because events contain ids and stay for ever.
    """
    return tuple(e.Player(id=f"p{seat}", name=name) for seat, name in enumerate(names, 1))


def folded(name: str) -> str:
    """A name in the form for comparison: one Unicode form, no upper case, single spaces."""
    return normalize("NFC", " ".join(normalize("NFC", name).casefold().split()))


def is_blank(name: str) -> bool:
    """Whether a name shows nothing: it is empty, or made of spaces and invisible characters."""
    return all(category(char)[0] in "ZC" for char in name)


class Recorder:
    """Writes to a store.

    `clock` returns the time of recording.  `find_game` returns a game by name, in its newest revision; with it, the
    recorder refuses openings that the game cannot read and events that it does not know.
    """

    def __init__(
        self, store: SqliteStore, *, clock: Callable[[], str] = now, find_game: Callable[[str], Game[Any]] | None = None
    ) -> None:
        self.store, self._clock, self._find_game = store, clock, find_game
        # The opening event never changes, so it is read once.
        self._game_of = lru_cache(lambda record_id: game_of(store.read(record_id, 1), find_game))

    def open(self, opening: e.Open, record_id: str | None = None, by: str | None = None) -> str:
        """Opens a record and returns its id.  An opening without a revision of the rules gets the newest.

        Raises UnknownGame, NotARecord for an opening that the game cannot read, WrongVersion for an id in use.
        """
        if self._find_game is not None:
            newest = rules_of(opening, self._find_game)
            opening = opening if opening.rules else replace(opening, rules=newest.revision)
            newest.under(opening.rules).opening(opening)
        record_id = record_id or new_id()
        self.store.append(record_id, 0, [self._stamped(opening, by)])
        return record_id

    def append(
        self,
        record_id: str,
        event: e.AnyEvent,
        *,
        expected: int | None = None,
        event_id: str | None = None,
        by: str | None = None,
    ) -> int:
        """Appends one event and returns the version after it, which is the event's seq + 1.

        `expected` is the version that the writer has seen (by default the store's); an `event_id` makes retries safe.
        Raises NotForNow for an event that the game does not know, and what `SqliteStore.append` raises.
        """
        if self._find_game is not None and type(event) in ACTS_AND_CLAIMS:
            require_known(self._game_of(record_id), event)
        events, event_ids = [self._stamped(event, by)], None if event_id is None else [event_id]
        return self.store.append(record_id, expected, events, event_ids)

    def correct(self, record_id: str, correction: e.Retract | e.Amend | e.Insert, *, by: str | None = None) -> int:
        """Appends a correction to the version that it was checked against: `Retract` for an event that never happened,
        `Amend` for what really happened, `Insert` for a forgotten event.

        Raises NotForNow if it would change nothing, WrongVersion if another writer was faster.
        """
        record = self.store.read(record_id)
        Fitting(lambda *_: record, self._find_game).add(correction)
        return self.append(record_id, correction, expected=len(record.events), by=by)

    def append_entries(
        self, record_id: str, expected: int, events: Sequence[e.AnyEvent], event_ids: Sequence[str], versions: list[int]
    ) -> int:
        """Appends events from a phone that sends them until they are acknowledged, as many as fit at once.

        `expected` is the version that the phone had seen before the first.  Each event has its own id, so events stored
        by an earlier try are skipped.  `versions` collects the version after each stored event.  Returns the last
        version.  Raises what `append` and `correct` raise, at the first event that cannot be stored.
        """
        if len(events) != len(event_ids):
            raise IdReused(f"record {record_id}: every event of a batch needs an id of its own")
        while len(versions) < len(events):
            start = len(versions)
            stamped = [self._stamped(event, None) for event in events[start:]]
            ids = event_ids[start:]
            count, refusal = 1, None
            # A retry is recognised by its id, even if the record has changed since; only new events are checked.
            if self.store.version(record_id) == expected:
                count, refusal = self._count_fitting(record_id, stamped)
                if len(set(ids[:count])) < count:
                    count, refusal = 1, None
            try:
                if count:
                    expected = self._store(record_id, expected, stamped[:count], ids[:count], versions)
            except (NotARecord, IdReused):  # the events before the one that is refused are stored
                for event, event_id in zip(stamped[:count], ids[:count], strict=True):
                    expected = self._store(record_id, expected, [event], [event_id], versions)
            if refusal is not None and len(versions) == start + count:
                raise refusal
        return expected

    def _store(
        self, record_id: str, expected: int, events: Sequence[e.AnyEvent], event_ids: Sequence[str], versions: list[int]
    ) -> int:
        version = self.store.append(record_id, expected, events, event_ids)
        versions.extend(range(version - len(events) + 1, version + 1))
        return version

    def _count_fitting(self, record_id: str, events: Sequence[e.AnyEvent]) -> tuple[int, LedgerError | None]:
        """How many of these events may follow the record, one after the other, and why the next one may not."""
        fitting = Fitting(partial(self.store.read, record_id), self._find_game)
        for count, event in enumerate(events):
            try:
                fitting.add(event)
            except LedgerError as error:
                return count, error
        return len(events), None

    def undo(self, record_id: str, *, by: str | None = None) -> Undo:
        """Takes back what was done last; returns what that was.

        Raises NotForNow if there is nothing, WrongVersion if another writer was faster.
        """
        events = self.store.read(record_id).events
        for undo in undoable(events, 1):
            corrections = [self._stamped(correction, by) for correction in undo.corrections]
            self.store.append(record_id, len(events), corrections)
            return undo
        raise NotForNow("there is nothing to undo")

    def confirm(self, record_id: str, player: str, digest: str, *, by: str | None = None) -> int:
        """Records that a player agrees to the record with this digest.  Raises NotForNow if the record has changed."""
        record, event = self.store.read(record_id), e.Confirm(player, digest)
        Fitting(lambda *_: record, self._find_game).add(event)
        return self.append(record_id, event, expected=len(record.events), by=by)

    def void(self, record_id: str, why: str, *, undo: bool = False, by: str | None = None) -> int:
        """Sets a record aside, or with `undo` brings it back: for the owner of the ledger.

        Raises NotForNow if it is so already, WrongVersion if another writer was faster.
        """
        record = self.store.read(record_id)
        if (record.void is None) is undo:
            raise NotForNow(f"record {record_id} {'is not set aside' if undo else 'is set aside already'}")
        return self.append(record_id, e.Void(why, undo), expected=len(record.events), by=by)

    def import_record(self, record: Record, record_id: str | None = None) -> str:
        """Stores a whole record unchanged, with its recording times; returns its id."""
        record_id = record_id or new_id()
        self.store.append(record_id, 0, record.events)
        return record_id

    def _stamped(self, event: e.AnyEvent, by: str | None) -> e.AnyEvent:
        return replace(event, when=event.when or self._clock(), by=event.by or by)


# ── Which events may follow a record ───────────────────────────────────────────────────────────────────


ACTS_AND_CLAIMS = frozenset((*e.ACTS, *e.CLAIMS))


class Fitting:
    """Checks each event that is to follow a record, in order.  Without `find_game`, any event of any game fits.

    `read()` gives the record, `read(count)` its first events; both are called for the first event that needs them.
    """

    def __init__(self, read: Callable[..., Record], find_game: Callable[[str], Game[Any]] | None) -> None:
        self._read, self._find_game = read, find_game
        self._new: list[e.AnyEvent] = []

    def add(self, event: e.AnyEvent) -> None:
        """Adds the next event.

        Raises NotForNow, and does not add it, if the game does not know it, it corrects nothing, or it confirms another
        record.
        """
        if isinstance(event, e.Void):
            raise NotForNow("only the owner of the ledger sets a game aside: `domino-ledger void`")
        if isinstance(event, e.Confirm):
            if not matches(event.head, record_digest((*self._record.events, *self._new))):
                raise NotForNow("the record has changed since you compared it: look at it again")
        elif isinstance(event, e.Retract | e.Amend | e.Insert):
            self._check_correction(event)
        else:
            self._check_known(event)
        self._new.append(event)
        if "_corrections" in vars(self):  # else they are read later, if an event needs them
            self._corrections.add(event)

    def _check_correction(self, event: e.Retract | e.Amend | e.Insert) -> None:
        if isinstance(event, e.Amend | e.Insert):
            self._check_known(event.event)
            if self._find_game is not None and isinstance(event.event, e.Open):
                rules = Record((*self._record.events, *self._new)).rules
                opening = replace(event.event, rules=event.event.rules or rules)
                game_of(Record((opening,)), self._find_game).opening(opening)
        reason = self._corrections.refuse(event)
        if reason:
            raise NotForNow(reason)

    def _check_known(self, event: e.Event) -> None:
        if self._find_game is not None and type(event) in ACTS_AND_CLAIMS:
            require_known(self._game, event)

    @lazy
    def _record(self) -> Record:
        return self._read()

    @lazy
    def _game(self) -> Game[Any]:
        """The game of the record; no correction of its opening can make it another one."""
        return game_of(self._read(1), self._find_game)

    @lazy
    def _corrections(self) -> Corrections:
        corrections = Corrections()
        for event in (*self._record.events, *self._new):
            corrections.add(event)
        return corrections


def require_known(game: Game[Any], event: e.Event) -> None:
    """Raises NotForNow for an event that the game does not have."""
    if type(event) not in game.events:
        kinds = ", ".join(e.kind(event_type) for event_type in game.events)
        raise NotForNow(f"{game.title} has no {e.kind(event)}; it has {kinds}")


# ── Links: secrets that record in a game, watch it, or own the ledger ──────────────────────────────────

MOST_TABLES = 60
"""The most tables of an evening."""


def new_link(store: SqliteStore, record_id: str, role: Role, *, only: bool = False) -> str:
    """The secret of a new link to a record, or to the ledger for an empty id.

    With `only`, earlier links for the same role stop working.
    """
    secret = new_key()
    if only:
        store.drop(key for key in store.kept(Key, record_id) if key.role == role)
    store.put([Key(record_id, key_digest(secret), role)])
    return secret


def end_link(store: SqliteStore, record_id: str, digest: bytes) -> None:
    """Ends a recorder's link, by the SHA-256 of its secret.  Raises NotForNow if there is no such link."""
    link = Key(record_id, digest, "record")
    keys = list(store.kept(Key, record_id))
    if link not in keys:
        raise NotForNow(f"the game {record_id} has no such link: it was ended already")
    store.drop([link])
    if len(keys) == 1:
        # A phone hands the keys of its copy back in where a record has none: this one has a key that nobody knows.
        new_link(store, record_id, "watch")


def tables(store: SqliteStore, day: str, event: str = "") -> list[Row]:
    """The games in play of a day or of an event, the earliest first."""
    query = Query(closed=False, since=day, until=day, place=event or None, reverse=True, limit=MOST_TABLES)
    return [row for row in store.find(query) if not (row.card or row.corrupt or (row.audit and row.audit.finished))]
