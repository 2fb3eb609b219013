"""Imports records into a ledger; each is stored once, however often it is imported.

The links of the chain show what the ledger already has.  If it has a record's last link, it knows the record.  If a
record goes on after the last link of a stored record, it continues that one.  If it has the opening and the first half
of a stored record, or the same opening at the same time, and then differs, it is another version of that game.  Another
version is refused unless somebody wants it as a separate record.  Less in common proves nothing: games of one evening
often have the same opening and first bid.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from ledger.keep.recorder import new_id
from ledger.keep.stored_audits import audit_of
from ledger.record.branches import happened
from ledger.record.errors import NotARecord
from ledger.record.record import Record
from ledger.stores import questions
from ledger.stores.event_log import Packed, pack
from ledger.stores.store import SqliteStore

BATCH = 500
"""Records stored in one transaction."""
FEW = 20
"""How many records with the same opening are compared with a short one."""

Outcome = Literal["imported", "known", "continued", "refused"]


class Imported(NamedTuple):
    """What became of a record: its id in the ledger, why it was refused, and how many events were stored."""

    outcome: Outcome
    record: str = ""
    reason: str = ""
    stored: int = 0


class _Kin:
    """The stored records with one opening: their ids by their last link, and by their middle one."""

    def __init__(self, stored: Iterable[tuple[str, int, bytes, bytes]]) -> None:
        self.ends, self.middles = dict[bytes, str](), dict[bytes, str]()
        self.ids = list[str]()
        for record_id, _version, middle, last in stored:
            self.ids.append(record_id)
            self.middles[middle], self.ends[last] = record_id, record_id

    def add(self, record_id: str, links: Sequence[bytes]) -> None:
        """Adds a record with these links."""
        self.ids.append(record_id)
        self.middles[links[(len(links) + 1) // 2 - 1]] = self.ends[links[-1]] = record_id


class Importer:
    """Imports records, some hundreds per transaction, with their audits.

    `wanted(sentence)` decides about another version of a stored game, which the sentence describes: True stores it as a
    separate record.  Records of one import are not compared with each other in this way: their source has them as two.
    """

    def __init__(self, store: SqliteStore, wanted: Callable[[str], bool] = lambda _sentence: False) -> None:
        self.store, self._wanted = store, wanted
        self._kin = dict[bytes, _Kin]()
        self._waiting = dict[str, Packed]()
        self._outcomes = list[Imported]()
        self._imported_ids = set[str]()

    def run(self, records: Iterable[Record]) -> Iterator[Imported]:
        """Yields what became of each record, in order, once it is stored."""
        for record in records:
            try:
                self._outcomes.append(self._import(pack(happened(record).events)))
            except NotARecord as error:
                self._outcomes.append(Imported("refused", "", str(error)))
            if len(self._outcomes) >= BATCH:
                yield from self._flush()
        yield from self._flush()

    def _import(self, packed: Packed) -> Imported:
        links = packed.links
        kin = self._kin.get(links[0])
        if kin is None:
            kin = self._kin[links[0]] = _Kin(questions.same_opening(self.store, links[0]))
        outcome = self._outcome_if_stored(kin, packed) or self._outcome_if_version(kin, packed) if kin.ids else None
        if outcome is None:
            outcome = Imported("imported", new_id(), stored=len(links))
            kin.add(outcome.record, links)
            self._waiting[outcome.record] = packed
            self._imported_ids.add(outcome.record)
        return outcome

    def _outcome_if_stored(self, kin: _Kin, packed: Packed) -> Imported | None:
        """What becomes of a record that is stored already, whole or in part; None if it is not stored."""
        record, links = packed.record, packed.links
        common = len(links)
        while common and links[common - 1] not in kin.ends:
            common -= 1
        if common and (common > 1 or self._same_names(kin.ends[links[0]], record)):
            record_id = kin.ends[links[common - 1]]
            if common == len(links):
                return Imported("known", record_id)
            self._store_waiting()
            self.store.append(record_id, common, record.events[common:])
            self.store.note_audits([audit_of(record_id, self.store.read(record_id))])
            del kin.ends[links[common - 1]]
            kin.add(record_id, links)
            return Imported("continued", record_id, stored=len(links) - common)
        candidates = [kin.middles[link] for link in links if link in kin.middles]
        for record_id in kin.ids if len(kin.ids) <= FEW else candidates:
            if self._common_length(record_id, links) == len(links) and (
                len(links) > 1 or self._same_names(record_id, record)
            ):
                return Imported("known", record_id)
        return None

    def _outcome_if_version(self, kin: _Kin, packed: Packed) -> Imported | None:
        """What becomes of another version of a stored record; None if it is not one, or is wanted anyway."""
        record, links = packed.record, packed.links
        timed = record.events[0].when is not None
        candidates = kin.ids[-1:] if timed else [kin.middles[link] for link in links if link in kin.middles][-1:]
        for record_id in candidates:
            common = 0 if record_id in self._imported_ids else self._common_length(record_id, links)
            if common == 0 or (common == 1 and not (timed and self._same_names(record_id, record))):
                continue
            if common == len(links):  # an older copy of a record, with an opening that many have
                return Imported("known", record_id)
            sentence = f"it begins like record {record_id} and differs from event {common} on"
            if not self._wanted(sentence):
                return Imported("refused", record_id, sentence)
        return None

    def _common_length(self, record_id: str, links: Sequence[bytes]) -> int:
        if record_id in self._waiting:
            stored = self._waiting[record_id].links
            return sum(1 for one, other in zip(stored, links, strict=False) if one == other)
        if questions.link(self.store, record_id, len(links)) == links[-1]:
            return len(links)
        low, high = 1, len(links) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if questions.link(self.store, record_id, middle) == links[middle - 1]:
                low = middle
            else:
                high = middle - 1
        return low

    def _same_names(self, record_id: str, record: Record) -> bool:
        """Whether both openings name the same people: names are outside the chain."""
        waiting = self._waiting.get(record_id)
        stored = waiting.record if waiting else self.store.read(record_id, 1)
        return stored.events[0] == record.events[0]

    def _store_waiting(self) -> None:
        batch, self._waiting = self._waiting, {}
        audits = {id_: audit_of(id_, packed.record) for id_, packed in batch.items()}
        if batch:
            self.store.append_records(batch.items(), audits)

    def _flush(self) -> Iterator[Imported]:
        self._store_waiting()
        outcomes, self._outcomes = self._outcomes, []
        # The ledger knows them now.  Only the openings that several records have are kept.
        self._kin = {opening: kin for opening, kin in self._kin.items() if len(kin.ids) > 1}
        yield from outcomes
