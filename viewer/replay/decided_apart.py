"""Where games were decided, worked out in a process of its own, one game after the other: no answer waits for it."""

from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock, Thread

import msgspec

from ledger.audit.review import Review
from ledger.bulk.executors import begin_worker
from ledger.play.exact_ends import decided
from ledger.record import codec
from viewer.server.kept import Kept

MOST_BYTES = 1 << 20
"""The bytes of all answers that are kept."""
MOST_WAITING = 20
"""How many games may wait."""
NICE = 10
"""How much the process gives way to others."""


class Apart:
    """The answers, by the record as JSON, and the games that wait for theirs.

    An answer stays in memory until a request puts it into the ledger, or for as long as nobody may write there.
    """

    def __init__(self) -> None:
        self._kept, self._turn = Kept(MOST_BYTES), Lock()
        self.waiting = set[bytes]()

    def found(self, record: bytes) -> bytes | None:
        """The answer as JSON, a list of `Decided`; None if there is none yet."""
        found: bytes | None = self._kept.get(record)
        return found

    def begin(self, record: bytes) -> None:
        """Begins with a game, unless it waits already, or too many do."""
        if record not in self.waiting and len(self.waiting) < MOST_WAITING:
            self.waiting.add(record)
            Thread(target=self._work, args=(record,), daemon=True).start()

    def _work(self, record: bytes) -> None:
        with self._turn:
            found = _in_a_process(record)
        if found:
            self._kept.get_or_make(record, lambda: found, lambda hands: len(hands) + len(record))
        self.waiting.discard(record)


def _in_a_process(record: bytes) -> bytes:
    """The answer; nothing if the process was killed."""
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(record, theirs), daemon=True)
    process.start()
    theirs.close()
    with ours, suppress(EOFError):
        return ours.recv_bytes()
    return b""


def _answer(record: bytes, pipe: Connection) -> None:
    begin_worker(NICE)
    review = Review(codec.decode(record))
    pipe.send_bytes(msgspec.json.encode(decided(review.game, review.steps)))
