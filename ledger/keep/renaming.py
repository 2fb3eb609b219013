"""Renames people in the whole ledger, and takes that back.

Names stand outside the chain, so no link or fingerprint changes.  What was replaced is kept, for the history and
for undoing.
"""

from collections.abc import Callable
from itertools import groupby

from msgspec import Struct

from ledger.keep.recorder import folded, is_blank, now
from ledger.record.chain import NO_NAMES, Names
from ledger.record.errors import NotForNow
from ledger.stores.beside import Alias, Kept, Named, Renamed
from ledger.stores.store import SqliteStore

LONGEST = 200
"""The most letters of a name."""


class Renaming(Struct, frozen=True):
    """A renaming: its number, the two names, when it was, and in how many records it replaced the name."""

    number: int
    old: str
    new: str
    when: str
    records: int


def exists(store: SqliteStore, name: str) -> bool:
    """Whether somebody has this name already, in any spelling with the same letters."""
    return any(folded(name) in map(folded, entry.names) for entry in store.kept(Named))


def renamings(store: SqliteStore) -> list[Renaming]:
    """What was renamed and not taken back, the earliest first."""
    history = list[Renaming]()
    for number, group in groupby(store.kept(Renamed), key=lambda entry: entry.number):
        rows = list(group)
        first = rows[0]
        records = len({row.record for row in rows if row.record})
        history.append(Renaming(number, first.old, first.new, first.when, records))
    return history


def person_of(store: SqliteStore) -> Callable[[str], str]:
    """What gives the key of the person whom the club knows by a name now, after renamings and merges."""
    merged = {folded(alias.name): folded(alias.person) for alias in store.kept(Alias)}
    renamed = {folded(renaming.old): folded(renaming.new) for renaming in renamings(store)}

    def key(name: str) -> str:
        seen, current = set[str](), folded(name)
        while current in renamed and current not in seen:
            seen.add(current)
            current = renamed[current]
        return merged.get(current, current)

    return key


def rename(store: SqliteStore, old: str, new: str, *, merge: bool = False) -> Renaming:
    """Renames a person in every record, and in aliases.

    Raises NotForNow if nobody has the old name, if the new one is blank or too long, or if somebody has it and the two
    shall not `merge`, or played in one game: then they are two people.
    """
    new = " ".join(new.split())
    if is_blank(new) or len(new) > LONGEST:
        raise NotForNow(f"a name has 1 to {LONGEST} letters")
    wanted, other = folded(old), folded(new)
    entries = [entry for entry in store.kept(Named) if wanted in map(folded, entry.names)]
    if not entries:
        raise NotForNow(f"nobody called {old!r} has played or recorded here")
    if wanted != other and exists(store, new):
        if not merge:
            raise NotForNow(f"somebody is called {new!r} already: say that the two are one person")
        for entry in entries:
            if {wanted, other} <= {folded(name) for name in entry.names.players.values()}:
                raise NotForNow(f"{old} and {new} played each other in record {entry.record}: they are two people")
    number, when = 1 + max((entry.number for entry in store.kept(Renamed)), default=0), now()

    def change(name: str) -> str:
        return new if folded(name) == wanted else name

    aliases = [alias for alias in store.kept(Alias) if folded(alias.person) == wanted]
    changes: list[Kept] = [Named(entry.record, entry.seq, entry.names.mapped(change)) for entry in entries]
    changes += [Renamed(number, entry.record, entry.seq, old, new, when, entry.names) for entry in entries]
    for place, alias in enumerate(aliases):
        changes.append(Alias(alias.name, new))
        changes.append(Renamed(number, "", place, old, new, when, Names(players={alias.name: alias.person})))
    store.put(changes)
    return Renaming(number, old, new, when, len({entry.record for entry in entries}))


def undo(store: SqliteStore, number: int) -> Renaming:
    """Takes a renaming back: where the new name still stands, the old one stands again.  Raises NotForNow."""
    known = {renaming.number: renaming for renaming in renamings(store)}
    if number not in known:
        raise NotForNow(f"there is no renaming {number}: `domino-ledger players renamed` lists them")
    renaming = known[number]
    old, new = folded(renaming.old), folded(renaming.new)

    def back(name: str, before: str) -> str:
        return before if folded(before) == old and folded(name) == new else name

    names = {entry[:2]: entry.names for entry in store.kept(Named)}
    rows = [entry for entry in store.kept(Renamed) if entry.number == number]
    changes = list[Kept]()
    for row in rows:
        if row.record:
            current = names.get((row.record, row.seq), NO_NAMES)
            changes.append(Named(row.record, row.seq, current.restored(row.before, back)))
        else:
            changes += [Alias(name, person) for name, person in row.before.players.items()]
    store.put(changes)
    store.drop(rows)
    return renaming
