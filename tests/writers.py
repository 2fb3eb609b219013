"""Writers as separate programs: they race each other for one record, and write down the answers that they get.

    python writers.py ADDRESS FOLDER APPENDS NAME ...

Each is forked from one that has imported what all need, says that it is ready, and waits for a byte before it begins.
It writes a file of its name with a line for each append that was acknowledged: the times of the request and of its
answer (by the clock that all programs share), the version, the number of the append, the time of the first try, and
the version of the record at that time.
"""

import os
import sys
import time
import traceback
from pathlib import Path
from random import Random
from typing import TextIO

from ledger.record.errors import LedgerError, WrongVersion
from ledger.record.events import Note
from ledger.stores import open_ledger
from ledger.stores.store import SqliteStore

RECORD = "r"


def append(store: SqliteStore, expected: int, text: str, event_id: str) -> int:
    """The version after an append, which waits for its turn without limit."""
    while True:
        try:
            return store.append(RECORD, expected, [Note(text)], [event_id])
        except WrongVersion:
            raise
        except LedgerError as error:
            if "locked" not in str(error):
                raise
            os.write(2, b"waited\n")  # among too many others it never got its turn


def write(store: SqliteStore, name: str, appends: int, out: TextIO) -> None:
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
        print(sent, answered, version, number, begun, first, file=out)


def run(address: str, folder: str, appends: str, name: str) -> int:
    """Runs a writer in this process, and returns its exit status."""
    try:
        with open_ledger(address) as store, (Path(folder) / name).open("w") as out:
            os.write(2, b"ready\n")  # to the test that started it
            os.read(0, 1)
            write(store, name, int(appends), out)
    except BaseException:  # noqa: BLE001  the process ends with it
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    address, folder, appends, *names = sys.argv[1:]
    open_ledger(address).close()  # so that what it imports is imported once
    processes = [os.fork() or os._exit(run(address, folder, appends, name)) for name in names]
    sys.exit(max(os.waitpid(process, 0)[1] for process in processes) != 0)
