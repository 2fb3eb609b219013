"""The contract of a store for aliases: which names are one person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol


class Alias(NamedTuple):
    """Another name of a person, as the owner of the ledger said.

    It is outside the events, so it can be taken back and erased.
    """

    name: str
    person: str


class AliasBook(Protocol):
    """Which names are one person.  It is outside the chain, so it can be erased."""

    def aliases(self) -> list[Alias]:
        """All aliases, by name."""
        ...

    def put_aliases(self, aliases: Iterable[Alias]) -> None:
        """Stores these aliases, each in place of one with the same name."""
        ...

    def drop_aliases(self, names: Iterable[str]) -> None:
        """Deletes the aliases with these names."""
        ...
