"""The head of a ledger's log, and the check that no event was changed.

It is two words: the number of events and the digest of all of them.  If you note one somewhere else, you can
tell later whether anything that was in the ledger then was changed, swapped or removed, even if the file itself looks
intact.  Only a head of the log kept outside the ledger reveals a cut tail or a deleted record.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from ledger.record import chain, codec
from ledger.record.errors import Corrupt, LedgerError, NotARecord, NotForNow
from ledger.record.record import Record
from ledger.stores.end_mark import NOTHING
from ledger.stores.event_log import Logged, gone, has_intact_id
from ledger.stores.query import Corruption
from ledger.stores.store import SqliteStore

_PATTERN = re.compile(r"(?P<size>0|[1-9][0-9]{0,17}) (?P<digest>[0-9a-f]{64})")


class LogHead(Struct, frozen=True):
    """How many events a ledger has, and the digest of its log (32 bytes; see `ledger.stores.end_mark`)."""

    size: int
    digest: bytes

    def __str__(self) -> str:
        return f"{self.size} {self.digest.hex()}"


def parse_log_head(text: str) -> LogHead:
    """Reads a head of the log: the size, a space, 64 hexadecimal digits.  Raises NotForNow for anything else."""
    match = _PATTERN.search(text)
    if match is None:
        raise NotForNow("this is not a head of the log: write a number of events and 64 hexadecimal digits")
    return LogHead(int(match["size"]), bytes.fromhex(match["digest"]))


class CheckResult(Struct, frozen=True):
    """The result of checking a ledger: its head of the log, the number of records, and everything that is corrupt."""

    log_head: LogHead
    records: int
    corruptions: tuple[Corruption, ...]


def check(store: SqliteStore, against: LogHead | None = None) -> CheckResult:
    """Reads every event of a ledger and compares it with its high-water mark, and with a noted head of the log.

    The list of records, the audits, names and keys are compared with the events.
    """
    corruptions, noted_heads = list[Corruption](), [] if against is None else [against]
    try:
        mark = store.connection.mark.read()
    except LedgerError as error:
        corruptions.append(Corruption("", str(error), 0))
    else:
        noted_heads += [] if mark is None else [LogHead(mark.size, mark.digest)]
    end, records = NOTHING, set[str]()
    digests = {0: end.digest}
    sizes = {head.size for head in noted_heads}
    try:
        for entry, entry_corruptions in _checked_log(store.log()):
            corruptions += entry_corruptions
            records.add(entry.record)
            end = end.grown([(entry.record, entry.link)])
            if end.size in sizes:
                digests[end.size] = end.digest
        corruptions += (Corruption("", damage, end.size) for damage in store.damage())
    except Corrupt as error:
        corruptions.append(Corruption("", str(error), end.size))
    except Exception as error:  # noqa: BLE001  a damaged file can raise anything
        corruptions.append(Corruption("", f"the file cannot be read further: {error}", end.size))
    corruptions += (loss for head in noted_heads for loss in _losses(head, end.size, digests))
    result = CheckResult(LogHead(end.size, end.digest), len(records), tuple(corruptions))
    return add_differences(result, store.differences())


def add_differences(result: CheckResult, differences: Iterable[Corruption]) -> CheckResult:
    """The result, with the differences in the tables beside the events added."""
    corruptions = list(result.corruptions)
    try:
        corruptions += differences
    except Exception as error:  # noqa: BLE001  a damaged file can raise anything
        corruptions.append(Corruption("", f"the tables beside the events cannot be read: {error}"))
    return replace(result, corruptions=tuple(dict.fromkeys(corruptions)))


def check_record(store: SqliteStore, record_id: str) -> tuple[Corruption, ...]:
    """What is corrupt in one record: its chain, its names, its rows beside the events, confirmations of another record.

    Raises UnknownRecord.
    """
    corruptions = [
        corruption for _, entry_corruptions in _checked_log(store.log(of=record_id)) for corruption in entry_corruptions
    ]
    if not corruptions:
        corruptions += check_confirmations(record_id, store.read(record_id))
    return (*corruptions, *store.differences(record_id))


def check_confirmations(name: str, record: Record) -> Iterator[Corruption]:
    """The confirmations in a record that name a fingerprint other than its own."""
    for confirmation in chain.confirmations(record):
        if not confirmation.true:
            reason = f"{confirmation.player} confirmed another record than this one"
            yield Corruption(name, reason, confirmation.seq)


def _losses(log_head: LogHead, size: int, digests: Mapping[int, bytes]) -> Iterator[Corruption]:
    if size < log_head.size:
        yield Corruption("", gone(log_head.size, size), size)
    elif digests[log_head.size] != log_head.digest:
        yield Corruption("", f"the first {log_head.size} events are not the ones that were there", log_head.size)


def _checked_log(log: Iterable[Logged]) -> Iterator[tuple[Logged, list[Corruption]]]:
    """Each event of a log, with everything that is wrong with it after the earlier events of its record."""
    ends: dict[str, tuple[int, bytes]] = {}
    for entry in log:
        version, before = ends.get(entry.record, (0, chain.FIRST))
        ends[entry.record] = entry.seq + 1, entry.link
        yield entry, [Corruption(entry.record, reason, entry.seq) for reason in _reasons(entry, version, before)]


def _reasons(entry: Logged, version: int, before: bytes) -> Iterator[str]:
    if entry.seq != version:
        yield f"event {version} should be here"
    if chain.link(before, entry.body) != entry.link:
        yield "it does not follow from the event before it: it was changed"
    if not has_intact_id(entry):
        yield "the id that a phone gave it was changed; `domino-ledger copy NEW` makes a ledger without that id"
    try:
        if codec.encode_event(codec.decode_event(entry.body)) != entry.body:
            yield "it is not written as a ledger writes it"
    except NotARecord as error:
        yield f"it is not an event: {error}"
