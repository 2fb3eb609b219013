"""The latest replays and the answers made of them: bounded in bytes, and none is made twice at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Semaphore

from ledger.audit.repairs import Cause
from ledger.record.record import Record
from viewer.pages.replay_view import ReplayView
from viewer.server.bounded import MEGABYTE, Bounded, weight

MOST = 32 * MEGABYTE
"""The bytes of the replays and answers that a process keeps."""
ANSWERS = 1 / 4
"""The part of that which is for answers.  They are compressed, and a replay is many small objects."""
AT_ONCE = 2
"""The threads that make answers at once: each needs up to some 5 MB meanwhile, and they take turns anyway."""


class ReplayCache:
    """The latest replays by id and view, and the pages and pictures made of them, together at most `most` bytes."""

    def __init__(self, most: int = MOST) -> None:
        answers = int(most * ANSWERS)
        self._answers = Bounded[Hashable, bytes](answers)
        self._views = Bounded[tuple[str, bool], ReplayView](most - answers, weigh)
        self._making = Semaphore(AT_ONCE)

    @property
    def total(self) -> int:
        """The bytes of all that is kept."""
        return self._views.total + self._answers.total

    def get(
        self, record_id: str, record: Record, causes: tuple[Cause, ...] = (), *, recorded: bool = False
    ) -> ReplayView:
        """The replay of a record and the known causes of its findings.  Raises what `ReplayView` raises."""
        return self._views.get_or_make(
            (record_id, recorded),
            lambda: ReplayView(record_id, record, causes, recorded=recorded),
            # The same events can have other names, because people can ask to be forgotten.
            lambda view: view.record == record and view.causes == causes,
        )

    def settle(self, view: ReplayView) -> None:
        """Counts a replay again if a request has computed more of it."""
        parts = len(vars(view)) + sum(len(getattr(part, "__dict__", ())) for part in vars(view).values())
        if parts != view.counted:
            view.counted = parts
            self._views.weigh((view.id, view.recorded), view)

    @contextmanager
    def turn(self, record_id: str, *, recorded: bool = False) -> Iterator[None]:
        """Lets one thread at a time work with a replay, so that no part is computed twice, and few with any."""
        with self._views.turn((record_id, recorded)), self._making:
            yield

    def answer(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """The answer with this key, made if it is not kept.  The key has the digest of the record."""
        return self._answers.get_or_make(key, make)


def weigh(view: ReplayView) -> int:
    """The bytes of a replay with all of its parts so far, without its game, which all replays share."""
    return weight(view, (view.review.game, view.review.newest))
