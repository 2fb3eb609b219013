"""A ledger in memory, for tests and experiments."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Self

from msgspec.structs import replace

from ledger.record import chain
from ledger.record.errors import UnknownRecord, WrongVersion
from ledger.record.events import AnyEvent
from ledger.record.record import Record
from ledger.rules.game import Finding
from ledger.stores.alias_book import Alias
from ledger.stores.beside import Comment, Key, Named, Role, Trace
from ledger.stores.comments import refuse_many
from ledger.stores.contract import NO_AUDITS, Difference, Logged, Packed
from ledger.stores.query import Query, Row, Summary
from ledger.stores.results import Audit, GameResults, Mistake, in_order, plain, results_of
from ledger.stores.shared import (
    admit,
    checked_length,
    encode,
    find_retry,
    fold,
    has_intact_id,
    id_digest,
    named_players,
    pack,
    read_back,
    row_of,
    verify_links,
)


class MemoryStore:
    """`Store` in plain Python."""

    read_only = False

    def __init__(self) -> None:
        self._events: dict[str, tuple[AnyEvent, ...]] = {}
        self._sent: dict[str, dict[str, tuple[int, bytes]]] = {}
        self._rows: dict[str, Row] = {}
        self._keys: set[Key] = set()
        self._log: list[Logged] = []
        self._links: dict[str, list[bytes]] = {}
        self._renamings = 0
        self._comments: dict[tuple[str, int], Comment] = {}
        self._aliases: dict[str, Alias] = {}
        self._findings: dict[str, tuple[Finding, ...]] = {}

    def append(
        self, record_id: str, expected: int, events: Sequence[AnyEvent], event_ids: Sequence[str] | None = None
    ) -> int:
        """See `Store.append`."""
        encode(events, expected)  # refuses events that could not be read again
        stored = self._events.get(record_id, ())
        version, sent = len(stored), self._sent.get(record_id, {})
        if event_ids is not None:
            retry = find_retry(record_id, events, event_ids, sent)
            if retry is not None and retry.known == len(events):
                return retry.version
            if retry is not None:
                events, event_ids, expected = events[retry.known :], event_ids[retry.known :], retry.version
        if not version and expected:
            raise UnknownRecord(f"the ledger has no record {record_id}")
        if expected != version:
            raise WrongVersion(record_id, expected, version, stored[max(expected, 0) :])
        if not events:
            return version
        players = frozenset(id_ for id_, _name in self._rows[record_id].players) if version else frozenset[str]()
        admit(version, players, events)
        self._keep(record_id, events, event_ids)
        bodies = [entry.body for entry in self._log[-len(events) :]]
        self._sent[record_id] = sent | {
            id_: (seq, body) for seq, (id_, body) in enumerate(zip(event_ids or (), bodies, strict=False), version)
        }
        return version + len(events)

    def append_records(
        self, records: Iterable[tuple[str, Sequence[AnyEvent] | Packed]], audits: Mapping[str, Audit] = NO_AUDITS
    ) -> int:
        """See `Store.append_records`."""
        added: dict[str, tuple[AnyEvent, ...]] = {}
        for record_id, contents in records:
            events = (contents if isinstance(contents, Packed) else pack(contents)).record.events
            existing = added.get(record_id) or self._events.get(record_id)
            if existing:
                raise WrongVersion(record_id, 0, len(existing), existing)
            added[record_id] = events
        for record_id, stored in added.items():
            self._keep(record_id, stored)
        self.note_audits(audits[record_id] for record_id in added if record_id in audits)
        return len(added)

    def _keep(self, record_id: str, events: Sequence[AnyEvent], event_ids: Sequence[str] | None = None) -> None:
        stored = self._events.get(record_id, ())
        encoded = encode(events, len(stored))
        links = chain.links(encoded.bodies, self.link(record_id, len(stored)) or chain.FIRST)
        rows = zip(encoded.bodies, links, event_ids or (None,) * len(events), strict=True)
        self._log += (
            Logged(record_id, seq, body, link, id_, id_digest(record_id, seq, id_))
            for seq, (body, link, id_) in enumerate(rows, len(stored))
        )
        self._links.setdefault(record_id, []).extend(links)
        self._events[record_id] = stored + read_back(encoded.bodies, len(stored), encoded.names)
        self._enter(record_id)

    def _enter(self, record_id: str) -> None:
        # Without an audit: an earlier one was of an earlier version.
        self._rows[record_id] = row_of(record_id, Record(self._events[record_id]))

    def read(self, record_id: str, upto: int | None = None) -> Record:
        """See `Store.read`."""
        return Record(self._events_of(record_id)[: checked_length(upto)])

    def events(self, record_id: str, since: int = 0) -> Iterator[tuple[int, AnyEvent]]:
        """See `Store.events`."""
        return iter([(seq, event) for seq, event in enumerate(self._events_of(record_id)) if seq >= since])

    def _events_of(self, record_id: str) -> tuple[AnyEvent, ...]:
        if record_id not in self._events:
            raise UnknownRecord(f"the ledger has no record {record_id}")
        return self._events[record_id]

    def version(self, record_id: str) -> int:
        """See `Store.version`."""
        return len(self._events.get(record_id, ()))

    def ids(self, part: str = "") -> tuple[str, ...]:
        """See `Store.ids`."""
        return tuple(record_id for record_id in self._events if part in record_id)

    def records(self) -> Iterator[tuple[str, Record]]:
        """See `Store.records`."""
        for record_id in self.ids():
            yield record_id, self.read(record_id)

    def log(self, since: int = 0, upto: int | None = None, of: str | None = None) -> Iterator[Logged]:
        """See `Store.log`."""
        yield from (self._log if of is None else [entry for entry in self._log if entry.record == of])[since:upto]

    def same_opening(self, link: bytes) -> list[tuple[str, int, bytes, bytes]]:
        """See `Store.same_opening`."""
        return [
            (id_, len(links), links[(len(links) + 1) // 2 - 1], links[-1])
            for id_, links in self._links.items()
            if links[0] == link
        ]

    def size(self) -> int:
        """See `Store.size`."""
        return len(self._log)

    def loss(self) -> str:
        """See `Store.loss`."""
        return ""

    def openings(self, since: int, upto: int) -> int:
        """See `Store.openings`."""
        return sum(entry.seq == 0 for entry in self._log[since:upto])

    def link(self, record_id: str, version: int) -> bytes | None:
        """See `Store.link`."""
        links = self._links.get(record_id, [])
        return links[version - 1] if 0 < version <= len(links) else None

    def high_water_mark(self) -> tuple[int, bytes] | None:
        """See `Store.high_water_mark`."""
        return None

    def accept_loss(self) -> None:
        """See `Store.accept_loss`: a ledger in memory loses nothing."""

    def of_others(self) -> list[str]:
        """See `Store.of_others`."""
        return []

    def damage(self) -> list[str]:
        """See `Store.damage`."""
        return []

    def unlisted(self) -> list[str]:
        """See `Store.unlisted`."""
        return [record_id for record_id in self._events if record_id not in self._rows]

    def differences(self, of: str | None = None) -> Iterator[Difference]:
        """See `Store.differences`."""
        for record_id, events in self._events.items():
            if of not in (None, record_id):
                continue
            row = self._rows.get(record_id)
            if row is None or replace(row, audit=None) != row_of(record_id, Record(events)):
                yield Difference(record_id, "its row in the list differs from its events")

    def append_log(self, log: Iterable[Logged]) -> int:
        """See `Store.append_log`."""
        entries = list(verify_links(self, log))
        for entry in entries:
            event_id = entry.event_id if has_intact_id(entry) else None
            self._log.append(entry._replace(event_id=event_id, id_digest=id_digest(entry.record, entry.seq, event_id)))
            self._links.setdefault(entry.record, []).append(entry.link)
            if event_id is not None:
                self._sent.setdefault(entry.record, {})[event_id] = entry.seq, entry.body
            self._events[entry.record] = self._events.get(entry.record, ()) + read_back([entry.body], entry.seq)
        for record_id in dict.fromkeys(entry.record for entry in entries):
            self._enter(record_id)
        return len(entries)

    def names(self) -> Iterator[Named]:
        """See `Store.names`."""
        for record_id in sorted(self._events):
            for seq, event in enumerate(self._events[record_id]):
                if event_names := chain.without_names(event)[1]:
                    yield Named(record_id, seq, event_names)

    def renamings(self) -> int:
        """See `Store.renamings`."""
        return self._renamings

    def set_names(self, names: Iterable[Named]) -> None:
        """See `Store.set_names`."""
        self._renamings += 1
        for record_id, seq, event_names in names:
            events = self._events.get(record_id, ())
            if seq < len(events):
                renamed = chain.with_names(events[seq], event_names)
                self._events[record_id] = (*events[:seq], renamed, *events[seq + 1 :])
                self._enter(record_id)

    def find(self, query: Query) -> list[Row]:
        """See `Store.find`."""
        rows = [row for row in self._rows.values() if _fits(row, query)]
        if query.order == "played":
            rows.sort(key=lambda row: row.played or "")
        if not query.reverse:
            rows.reverse()
        return rows[query.offset :][: query.limit]

    def count_records(self, query: Query) -> int:
        """See `Store.count_records`."""
        return sum(_fits(row, query) for row in self._rows.values())

    def results(self) -> list[GameResults]:
        """See `Store.results`."""
        return self.results_of([*self._rows])

    def results_of(self, ids: Sequence[str]) -> list[GameResults]:
        """See `Store.results_of`."""
        id_set = set(ids)
        return in_order(
            results_of(self._rows[id_], named_players(Record(events)))
            for id_, events in self._events.items()
            if id_ in id_set
        )

    def versions(self) -> dict[str, int]:
        """See `Store.versions`."""
        return {id_: row.events for id_, row in self._rows.items()}

    def mistakes(self) -> list[Mistake]:
        """See `Store.mistakes`."""
        return self.mistakes_of([*self._rows])

    def mistakes_of(self, ids: Sequence[str]) -> list[Mistake]:
        """See `Store.mistakes_of`."""
        id_set = set(ids)
        return [
            Mistake(row.id, row.game, clause, player, times)
            for row in self._rows.values()
            if row.id in id_set and row.audit is not None
            for (clause, player), times in sorted(
                Counter(
                    (finding.clause, None if finding.player is None else plain(finding.player))
                    for finding in self._findings.get(row.id, ())
                    if finding.verdict in ("breach", "impossible")
                ).items(),
                key=lambda pair: (pair[0][0], pair[0][1] or ""),
            )
        ]

    def note_audit(self, record_id: str, version: int, summary: Summary, findings: Sequence[Finding] = ()) -> None:
        """See `Store.note_audit`."""
        if version and version == self.version(record_id):
            self._rows[record_id] = replace(self._rows[record_id], audit=summary)
            self._findings[record_id] = tuple(findings)

    def note_audits(self, audits: Iterable[Audit]) -> None:
        """See `Store.note_audits`."""
        for audit in audits:
            self.note_audit(audit.record, audit.version, audit.summary, audit.findings)

    def unaudited(self) -> tuple[str, ...]:
        """See `Store.unaudited`."""
        return tuple(row.id for row in self._rows.values() if row.audit is None)

    def forget_traces(self) -> list[Trace]:
        """See `Store.forget_traces`."""
        return []

    def comments(self, record_id: str | None = None) -> Iterator[Comment]:
        """See `Store.comments`."""
        keys = sorted(key for key in self._comments if record_id in (None, key[0]))
        yield from (self._comments[key] for key in keys)

    def add_comment(self, comment: Comment) -> Comment:
        """See `Store.add_comment`."""
        numbers = [number for record, number in self._comments if record == comment.record]
        refuse_many(len(numbers))
        comment = replace(comment, number=max(numbers, default=0) + 1)
        self._comments[comment.record, comment.number] = comment
        return comment

    def put_comments(self, comments: Iterable[Comment]) -> None:
        """See `Store.put_comments`."""
        self._comments.update({(comment.record, comment.number): comment for comment in comments})

    def drop_comments(self, comments: Iterable[Comment]) -> None:
        """See `Store.drop_comments`."""
        for comment in comments:
            self._comments.pop((comment.record, comment.number), None)

    def aliases(self) -> list[Alias]:
        """See `Store.aliases`."""
        return sorted(self._aliases.values())

    def put_aliases(self, aliases: Iterable[Alias]) -> None:
        """See `Store.put_aliases`."""
        self._aliases.update({alias.name: alias for alias in aliases})

    def drop_aliases(self, names: Iterable[str]) -> None:
        """See `Store.drop_aliases`."""
        for name in names:
            self._aliases.pop(name, None)

    def keep_key(self, key: Key) -> None:
        """See `Store.keep_key`."""
        self._keys.add(key)

    def drop_keys(self, record_id: str, role: Role) -> int:
        """See `Store.drop_keys`."""
        dropped = {key for key in self._keys if (key.record, key.role) == (record_id, role)}
        self._keys -= dropped
        return len(dropped)

    def kept_keys(self) -> Iterator[Key]:
        """See `Store.kept_keys`."""
        yield from sorted(self._keys)

    def roles(self, record_id: str, digest: bytes) -> frozenset[Role]:
        """See `Store.roles`."""
        return frozenset(key.role for key in self._keys if (key.record, key.digest) == (record_id, digest))

    def wait_for_change(self, seconds: float) -> None:
        """See `Store.wait_for_change`."""
        time.sleep(seconds)

    def rebuild(self) -> list[Difference]:
        """See `Store.rebuild`."""
        self._rows = {record_id: row_of(record_id, Record(events)) for record_id, events in self._events.items()}
        self._renamings += 1
        return []

    def reopen(self) -> Self:
        """See `Store.reopen`."""
        return self

    def close(self) -> None:
        """See `Store.close`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()


def _fits(row: Row, query: Query) -> bool:
    audit, played = row.audit, row.played
    people = "\n".join(text for pair in row.players for text in pair)
    return (
        query.game in (None, row.game)
        and all(word in fold(people) for word in fold(query.player or "").split())
        and query.closed in (None, row.closed)
        and (query.place is None or fold(query.place) in fold(row.place or ""))
        and (query.since is None or (played is not None and played >= query.since))
        and (query.until is None or (played is not None and played <= query.until))
        and (query.verdict is None or (audit is not None and audit.verdict == query.verdict))
        and (query.clause is None or (audit is not None and query.clause in audit.clauses))
    )
