"""Where games were decided, worked out in a process of its own, one game after the other: no answer waits for it."""

from collections.abc import Callable, Hashable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock, Thread

import msgspec

from ledger.audit.review import Review
from ledger.bulk.executors import begin_worker
from ledger.play.exact_ends import decided
from ledger.record import codec
from ledger.record.record import Record

MOST_WAITING = 20
"""How many games may wait."""
NICE = 10
"""How much the process gives way to others."""


class Apart:
    """Works out one game after the other, each in a process of its own, so that no answer waits for it."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, tuple[bytes, Callable[[bytes], object]]] = {}
        self._lock = Lock()

    def ask(self, key: Hashable, record: Record, keep: Callable[[bytes], object]) -> None:
        """Begins with a game, unless it waits already, or too many do; `keep` gets what is found, as JSON."""
        with self._lock:
            if key in self._waiting or len(self._waiting) >= MOST_WAITING:
                return
            self._waiting[key] = codec.encode(record), keep
            if len(self._waiting) == 1:
                Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while self._waiting:
            key, (record, keep) = next(iter(self._waiting.items()))
            found = _in_a_process(record)
            if found:
                keep(found)
            with self._lock:
                del self._waiting[key]


def _in_a_process(record: bytes) -> bytes:
    """What is found; nothing if the process was killed."""
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(record, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        return ours.recv_bytes()
    except EOFError:
        return b""
    finally:
        process.join()
        ours.close()


def _answer(record: bytes, pipe: Connection) -> None:
    begin_worker(NICE)
    review = Review(codec.decode(record))
    pipe.send_bytes(msgspec.json.encode(decided(review.game, review.steps)))
