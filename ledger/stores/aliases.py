"""Aliases of people, in every kind of database: rows beside the events, each with a digest of its own."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

import msgspec

from ledger.stores.alias_book import Alias
from ledger.stores.database import Database


class Aliases(Database):
    """The part of a database that keeps aliases."""

    def aliases(self) -> list[Alias]:
        """See `Store.aliases`."""
        return [Alias(*row) for row in self.rows("SELECT name, person FROM alias ORDER BY name")]

    def put_aliases(self, aliases: Iterable[Alias]) -> None:
        """See `Store.put_aliases`."""
        with self.writing():
            by_name = {alias.name: alias for alias in aliases}
            self._delete_aliases(by_name)
            rows = [(*alias, alias_digest(alias)) for alias in by_name.values()]
            self.many("INSERT INTO alias (name, person, digest) VALUES (?, ?, ?)", rows)
            self.count("alias", len(rows))

    def drop_aliases(self, names: Iterable[str]) -> None:
        """See `Store.drop_aliases`."""
        with self.writing():
            self._delete_aliases(names)

    def _delete_aliases(self, names: Iterable[str]) -> None:
        for name in names:
            number = self.rows("SELECT count(*) FROM alias WHERE name = ?", (name,))[0][0]
            self.many("DELETE FROM alias WHERE name = ?", [(name,)])
            self.count("alias", -int(number))


def alias_digest(alias: Alias) -> bytes:
    """The digest of a row with an alias."""
    return sha256(msgspec.json.encode(alias)).digest()
