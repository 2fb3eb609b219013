"""Copies one ledger into another, and erases names."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from mmap import ACCESS_READ, mmap
from pathlib import Path
from unicodedata import normalize

import msgspec

from ledger.keep.recorder import folded
from ledger.proof.log_head import LogHead, check
from ledger.record.errors import Corrupt
from ledger.record.events import Amend, AnyEvent, Insert, Open, Player
from ledger.stores import beside
from ledger.stores.end_mark import NOTHING
from ledger.stores.query import fold
from ledger.stores.store import SqliteStore

BATCH = 5000
"""Events copied in one transaction."""
MOST_NEAR = 5
"""The most similar names that are suggested."""


def transfer(source: SqliteStore, target: SqliteStore) -> Iterator[int]:
    """Copies everything in a ledger into another one; yields the number of events copied so far.

    Both have the same head afterwards.  Events that the target has already are compared and skipped.  Raises
    Corrupt if the target has events of its own, or if an event does not follow from the one before it.
    """
    before = check(target)
    if before.corruptions:
        raise Corrupt(f"the target ledger is corrupt: {before.corruptions[0].reason}")
    size = before.log_head.size
    end = NOTHING.grown((entry.record, entry.link) for entry in source.log(upto=size))
    if LogHead(end.size, end.digest) != before.log_head:
        raise Corrupt("the target ledger has events of its own: copy into an empty one, or into an older copy")
    log = source.log(size)
    while batch := list(islice(log, BATCH)):
        try:
            target.append_log(batch)
        except Corrupt:
            # Another copy into the same target may have been faster.
            ahead = list(islice(target.log(size), BATCH))
            ours = source.log(size, size + len(ahead))
            if not ahead or [entry.link for entry in ahead] != [entry.link for entry in ours]:
                raise
            batch, log = ahead, source.log(size + len(ahead))
        end = end.grown((entry.record, entry.link) for entry in batch)
        size += len(batch)
        yield size
    for kind in beside.SHELVES:
        if _copy_kept(source, target, kind) and kind is beside.Named:  # a name that was erased in the source
            target.forget_traces()
    after = check(target, LogHead(end.size, end.digest))  # another copy may have brought newer events meanwhile
    if after.corruptions:
        raise Corrupt("the copy differs from its source: do not use it")


def _copy_kept(source: SqliteStore, target: SqliteStore, kind: type[beside.Kept]) -> bool:
    """Gives the target exactly what the source keeps of this kind; returns whether anything there was replaced."""
    ours, theirs = ({beside.key_of(item): item for item in store.kept(kind)} for store in (source, target))
    changed = {key: item for key, item in ours.items() if theirs.get(key) != item}
    dropped = theirs.keys() - ours.keys()
    target.drop(theirs[key] for key in dropped)
    target.put(changed.values())
    return bool(dropped or changed.keys() & theirs.keys())


def forget_renamings(store: SqliteStore, name: str) -> int:
    """Deletes what renamings replaced where it has a name; returns how many rows."""
    wanted = folded(name)
    return store.drop(
        entry
        for entry in list(store.kept(beside.Renamed))
        if wanted in map(folded, (entry.old, entry.new, *entry.before, *entry.before.players))
    )


def forget_aliases(store: SqliteStore, name: str) -> list[beside.Alias]:
    """Deletes the aliases that have a name on either side; returns them."""
    aliases = [
        alias for alias in store.kept(beside.Alias) if folded(name) in (folded(alias.name), folded(alias.person))
    ]
    store.drop(aliases)
    return aliases


def forget_adjustments(store: SqliteStore, name: str) -> int:
    """Deletes the adjustments of somebody with this name, or that mention it; returns how many."""
    wanted = fold(same_name(name))
    return store.drop([
        one for one in store.kept(beside.Adjustment) if fold(same_name(one.player)) == wanted or wanted in fold(one.why)
    ])  # fmt: skip


def forget_comments(store: SqliteStore, name: str, records: Collection[str] | None = None) -> tuple[int, int]:
    """Deletes the comments that somebody wrote, and takes their name out of others; returns how many of each."""
    folded_name = fold(same_name(name))
    comments = [comment for comment in store.kept(beside.Comment) if records is None or comment.record in records]
    written = [comment for comment in comments if fold(same_name(comment.author)) == folded_name]
    shortened = [
        comment._replace(text=text)
        for comment in comments
        if comment not in written and (text := _without(comment.text, name)) != comment.text
    ]
    store.drop(written)
    store.put(shortened)
    return len(written), len(shortened)


def _without(text: str, name: str) -> str:
    """A text with a name replaced by an ellipsis, in any case and in either Unicode form."""
    return re.sub(rf"(?<!\w){re.escape(same_name(name))}(?!\w)", "…", normalize("NFC", text), flags=re.IGNORECASE)


def same_name(name: str) -> str:
    """A name in the form in which two spellings of the same letters are equal: composed (NFC), without outer spaces."""
    return normalize("NFC", name).strip()


def known_as(store: SqliteStore, name: str, records: Collection[str] | None = None) -> dict[str, list[beside.Named]]:
    """The events that give this name, in either Unicode form, to a player or a recorder; by record."""
    composed_name, by_record = same_name(name), dict[str, list[beside.Named]]()
    for entry in store.kept(beside.Named):
        if (records is None or entry.record in records) and composed_name in map(same_name, entry.names):
            by_record.setdefault(entry.record, []).append(entry)
    return by_record


def near_names(store: SqliteStore, name: str, records: Collection[str] | None = None) -> list[str]:
    """The names in the ledger that may be meant: in another case, longer, or with a slip."""
    folded_name, folded_names = fold(same_name(name)), dict[str, str]()
    for entry in store.kept(beside.Named):
        if records is None or entry.record in records:
            folded_names.update((same_name(spelling), fold(same_name(spelling))) for spelling in entry.names)
    folded_names.pop(same_name(name), None)
    close = set(get_close_matches(folded_name, folded_names.values(), n=MOST_NEAR, cutoff=0.8))
    near = (
        spelling
        for spelling, folded_spelling in folded_names.items()
        if folded_spelling in close or (folded_name and folded_name in folded_spelling)
    )
    return sorted(near)[:MOST_NEAR]


def mentions(store: SqliteStore, name: str, records: Collection[str]) -> Iterator[tuple[str, str]]:
    """Where these records still have a name after it was forgotten: the record, and where in it.

    The texts that people wrote (notes, reasons, a place) are part of the chain, and so are the ids of players.
    """
    folded_name = fold(same_name(name))
    first_word = folded_name.split(maxsplit=1)[0] if folded_name else ""
    for record_id in records:
        events = store.read(record_id).events
        seqs = [seq for seq, event in enumerate(events) if any(folded_name in fold(text) for text in _texts(event))]
        if seqs:
            yield record_id, f"what was written in event{'s' if len(seqs) > 1 else ''} {', '.join(map(str, seqs))}"
        ids = {player.id for event in events for player in _players(event) if first_word in fold(player.id)}
        for id_ in sorted(ids):
            yield record_id, f"the player's id {id_!r}"


def _texts(event: AnyEvent) -> Iterator[str]:
    """What people wrote in an event, without ids and without the names outside the chain."""
    for field in ("text", "why", "place", "event", "title", "edition", "head"):
        text = getattr(event, field, None)
        if isinstance(text, str):
            yield text
    if isinstance(event, Open):
        yield from (text for text in event.options.values() if isinstance(text, str))
    if isinstance(event, Amend | Insert):
        yield from _texts(event.event)


def _players(event: AnyEvent) -> tuple[Player, ...]:
    inner = event.event if isinstance(event, Amend) else event
    return inner.players if isinstance(inner, Open) else ()


def copies_with(path: Path, by_record: Mapping[str, Sequence[beside.Named]], name: str) -> list[Path]:
    """The files beside a ledger that contain a name: copies, backups and exports, except compressed ones."""
    encoded = [msgspec.json.encode(spelling)[1:-1] for spelling in _spellings(name, by_record)]
    ledger_files = {path.name, *(f"{path.name}{end}" for end in ("-wal", "-shm", "-journal", ".head"))}
    files = [file for file in sorted(path.parent.iterdir()) if file.name not in ledger_files and file.is_file()]
    return [file for file in files if _has_any(file, encoded)]


def _has_any(file: Path, texts: Sequence[bytes]) -> bool:
    try:
        with file.open("rb") as stream, mmap(stream.fileno(), 0, access=ACCESS_READ) as content:
            return any(content.find(text) >= 0 for text in texts)
    except (OSError, ValueError):  # an empty file, or one that this user may not read
        return False


def _spellings(name: str, by_record: Mapping[str, Sequence[beside.Named]]) -> set[str]:
    composed_name = same_name(name)
    return {
        spelling
        for events in by_record.values()
        for entry in events
        for spelling in entry.names
        if same_name(spelling) == composed_name
    }


def forget(store: SqliteStore, name: str, by_record: Mapping[str, Sequence[beside.Named]]) -> list[beside.Trace]:
    """Erases a name from these events; returns where the database still has it."""
    erased = _spellings(name, by_record)
    store.put(
        beside.Named(entry.record, entry.seq, entry.names.without(erased))
        for events in by_record.values()
        for entry in events
    )
    return store.forget_traces()
