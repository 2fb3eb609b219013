"""`python -m tests.bench starve [readers]`: do readers hold up a phone that records?  Linux only: it reads /proc.

One `serve` with a record of 3,442 events, on this machine alone.  A phone enters a note every 0.3 s, at first alone,
then beside many readers (150).  Each opens that record at one place after the other, always at a place that nobody has
opened before.  The table shows how long an entry took to be acknowledged, and what the readers got.
"""

import http.client
import json
import re
import secrets
import statistics
import sys
import threading
import time
from collections import Counter
from itertools import count
from pathlib import Path

from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.play.simulate import open_event, simulate
from ledger.record.events import Note
from ledger.record.record import Record
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from tests.bench.measure import serving

READERS, EVENTS = 150, 3442
PAUSE = 0.3
"""Seconds between two entries."""
ALONE, BESIDE = 4.0, 20.0
"""Seconds of the phone alone, and beside the readers."""
USUAL, MOST = 0.3, 1.0
"""Seconds in which 95 % of the entries beside readers are acknowledged, and all."""


class Crowd:
    """The phone and the readers, until `stop`."""

    def __init__(self, port: int, long: str, short: str, key: str) -> None:
        self.port, self.long, self.short, self.key = port, long, short, key
        self.stop, self.answers, self.taken = threading.Event(), Counter[str](), list[float]()
        self._places = count()

    def record(self) -> None:
        """Enters notes, one after the other."""
        server = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.key}"}
        for version in count(1):
            entry = {"id": secrets.token_hex(16), "event": {"type": "note", "text": f"{version}"}}
            body = json.dumps({"expected": version, "entries": [entry]})
            begin = time.perf_counter()
            server.request("POST", f"/api/v1/records/{self.short}/events", body, headers)
            answer = server.getresponse()
            answer.read()
            self.taken.append(time.perf_counter() - begin)
            assert answer.status == 200, answer.status
            if self.stop.wait(PAUSE):
                return

    def read(self) -> None:
        """Opens the long record at places that nobody has opened, and comes back when the server says so."""
        while not self.stop.is_set():
            pause = 0.0
            server = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
            try:
                server.request("GET", f"/g/{self.long}?ply={next(self._places)}")
                answer = server.getresponse()
                answer.read()
                self.answers[str(answer.status)] += 1
                pause = float(answer.headers.get("Retry-After", "0"))
            except (OSError, http.client.HTTPException) as error:
                self.answers[type(error).__name__] += 1
            server.close()
            self.stop.wait(pause)


def prepare(path: Path) -> tuple[str, str, str]:
    """A ledger with a long record and one to record in; returns their ids, and the key."""
    zigzag, key = catalog.find("zigzag"), new_key()
    long = simulate(zigzag, 1, {"hands": 20}).events[:-1]
    notes = tuple(Note(f"note {n}") for n in range(EVENTS - len(long)))
    with SqliteStore(path) as store:
        recorder = Recorder(store)
        record_id = recorder.import_record(Record((*long, *notes)))
        short = recorder.open(open_event(zigzag, {}))
        store.put([Key(short, key_digest(key))])
    return record_id, short, key


def main(folder: Path, readers: int = READERS) -> None:
    """Runs it and prints a table.  Raises SystemExit if entries took too long."""
    path = folder / "starve.sqlite"
    long, short, key = prepare(path)
    with serving(path) as (pid, port):
        crowd = Crowd(port, long, short, key)
        threads = [threading.Thread(target=crowd.read, daemon=True) for _ in range(readers)]
        phone = threading.Thread(target=crowd.record, daemon=True)
        try:
            phone.start()
            time.sleep(ALONE)
            alone = crowd.taken.copy()
            for thread in threads:
                thread.start()
            time.sleep(BESIDE)
            memory = re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text("ascii"))
        finally:
            crowd.stop.set()
            phone.join(120)
    beside = crowd.taken[len(alone) :]
    print("| an entry | median, s | 95 % | slowest | entries |\n| --- | --- | --- | --- | --- |")
    for name, taken in (("alone", alone), (f"beside {readers} readers", beside)):
        most = statistics.quantiles(taken, n=20)[-1] if len(taken) > 1 else taken[0]
        print(f"| {name} | {statistics.median(taken):.3f} | {most:.3f} | {max(taken):.3f} | {len(taken)} |")
    said = ", ".join(f"{number} × {answer}" for answer, number in sorted(crowd.answers.items()))
    print(f"\nReaders got {said or 'nothing'}. The server had at most {int(memory[0]) // 1024} MB.")
    if len(beside) < 2 or statistics.quantiles(beside, n=20)[-1] > USUAL or max(beside) > MOST:
        sys.exit(f"entries took too long: 95 % of them are to take {USUAL} s at most, and all {MOST} s")
