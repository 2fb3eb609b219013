"""What every part of the viewer needs from the application: the ledger of this request, and what belongs to it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Event
from typing import Any, TypeVar

from flask import current_app, g, has_request_context, request

from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.record.errors import LedgerError, NotForNow
from ledger.stores.store import SqliteStore

PATIENCE = 2.0
"""How many seconds `Ledgers.close` waits for requests that are ending."""
KEPT = 10
"""The ledgers that stay open for the next requests.  Each has a few open files and a third of a megabyte."""
SERVED = "domino_ledger.served"
"""The key of what is served in the environment of a request to one of many clubs."""
Own = TypeVar("Own")


class Ledgers:
    """The ledger, opened as often as there are requests at once, and kept open for the next ones.

    A request takes one and gives it back when it is answered.
    """

    def __init__(self, open_store: Callable[[], SqliteStore], *first: SqliteStore, most: int = KEPT) -> None:
        self._open, self._changed, self._most = open_store, Condition(), most
        self._free = list(first)
        self._taken = 0
        self._closed = False

    @contextmanager
    def one(self) -> Iterator[SqliteStore]:
        """A ledger that nobody else uses meanwhile."""
        store = self.borrow()
        try:
            yield store
        finally:
            self.give_back(store)

    def borrow(self) -> SqliteStore:
        """A ledger that nobody else uses until `give_back`: the one given back last, or a new one."""
        with self._changed:
            self._taken += 1
            if self._free:
                return self._free.pop()
        try:
            return self._open()
        except BaseException:
            self._leave()
            raise

    def give_back(self, store: SqliteStore) -> None:
        """Keeps a ledger for the next request, or closes it if there are enough."""
        with self._changed:
            keep = not self._closed and len(self._free) < self._most
            if keep:
                self._free.append(store)
        if not keep:
            store.close()
        self._leave()

    def close(self) -> None:
        """Closes every ledger, and waits a moment for those that requests still use.

        A request that goes on keeps its ledger, which is closed when it is given back.
        """
        with self._changed:
            self._closed = True
            free, self._free = self._free, []
        for store in free:
            store.close()
        with self._changed:
            self._changed.wait_for(lambda: not self._taken, PATIENCE)

    def _leave(self) -> None:
        with self._changed:
            self._taken -= 1
            self._changed.notify_all()


class Served:
    """A ledger that is served, with what belongs to it alone: of two clubs, neither has anything of the other's.

    `phones` is its address for phones on the network of this machine; "" if they have none.  `over` is set at its end.
    """

    def __init__(self, ledgers: Ledgers, *own: object) -> None:
        self.ledgers, self.phones, self.over = ledgers, "", Event()
        self._own: dict[object, Any] = {type(one): one for one in own}

    def own(self, kind: type[Own]) -> Own:
        """The one of a kind that it has, such as `Kept`; made when it is first asked for."""
        if kind not in self._own:
            self._own.setdefault(kind, kind())
        only: Own = self._own[kind]
        return only

    def close(self) -> None:
        """Ends what is done for it in the background, and closes its ledgers."""
        self.over.set()
        self.ledgers.close()


def served() -> Served:
    """What is served to this request."""
    club = request.environ.get(SERVED) if has_request_context() else None
    ledger: Served = club or current_app.extensions["served"]
    return ledger


def own(kind: type[Own]) -> Own:
    """The one of a kind that the ledger of this request has of its own."""
    return served().own(kind)


def ledgers() -> Ledgers:
    """The ledgers that are open for requests like this one."""
    return served().ledgers


def store() -> SqliteStore:
    """The ledger of this request, for as long as the request is answered.  A generator takes `ledgers().one()`."""
    if "store" not in g:
        g.ledgers = ledgers()
        g.store = g.ledgers.borrow()
    taken: SqliteStore = g.store
    return taken


def give_back(_error: BaseException | None = None) -> None:
    """Gives the ledger of this request back."""
    if "store" in g:
        g.ledgers.give_back(g.pop("store"))


def loss() -> str:
    """What the ledger of this request has lost; empty if nothing, or if it cannot be read at all."""
    try:
        return store().loss()
    except LedgerError:
        return ""


def ledger_recorder() -> Recorder:
    """The recorder of this ledger.  Raises NotForNow if the ledger is read-only."""
    if not current_app.extensions["recording"]:
        raise NotForNow("this ledger is read-only: nothing can be recorded")
    return Recorder(store(), find_game=catalog.find)
