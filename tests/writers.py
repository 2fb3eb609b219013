"""A writer as a separate program: it races others for one record, and prints the answers that it gets.

    python writers.py ADDRESS NAME APPENDS

It waits for a line before it begins.  It prints a line for each append that was acknowledged: the times of the request
and of its answer (by the clock that all programs share), the version, the number of the append, the time of the first
try, and the version of the record at that time.
"""

from __future__ import annotations

import sys
import time
from random import Random

from ledger.record.errors import LedgerError, WrongVersion
from ledger.record.events import Note
from ledger.stores import open_ledger
from ledger.stores.contract import Store

RECORD = "r"


def append(store: Store, expected: int, text: str, event_id: str) -> int:
    """The version after an append, which waits for its turn without limit."""
    while True:
        try:
            return store.append(RECORD, expected, [Note(text)], [event_id])
        except WrongVersion:
            raise
        except LedgerError as error:
            if "locked" not in str(error):
                raise
            print("waited", file=sys.stderr)  # noqa: T201  among too many others it never got its turn


def write(store: Store, name: str, appends: int) -> None:
    """Appends this number of notes, and tries each again until it is stored."""
    random, last = Random(name), 0
    for number in range(appends):
        text, event_id = f"{name}/{number}", f"{name}-{number:06}"
        begun, first = time.monotonic_ns(), store.version(RECORD)
        while True:
            seen = store.version(RECORD)
            assert seen >= last, "the record was longer before"
            sent = time.monotonic_ns()
            try:
                version = append(store, seen, text, event_id)
            except WrongVersion as error:
                last = error.actual
            else:
                break
        answered = time.monotonic_ns()
        if random.random() < 0.1:
            # As if the answer were lost: the same request again, now with a very old version.
            assert append(store, seen, text, event_id) == version
        last = version
        print(sent, answered, version, number, begun, first)  # noqa: T201  the answer


if __name__ == "__main__":
    with open_ledger(sys.argv[1]) as store:
        print("ready", file=sys.stderr, flush=True)  # noqa: T201  to the test that started it
        sys.stdin.readline()
        write(store, sys.argv[2], int(sys.argv[3]))
