"""`python -m tests.bench load [minutes]`: does a server stay level under mixed load?  Linux only: it reads /proc.

One `serve` with 200 simulated games, on this machine alone.  For the given minutes (20 by default), each in a thread:

- 8 readers open replays, lists, cards, pictures and answers of the API, one after another;
- 20 watchers ask for news of the games in progress every two seconds, and fetch what a move changes;
- 2 recorders enter a game move by move, and then the next one.

The table has a row for each minute: memory (the median of a look each second, and the most), threads, connections and
open files of the server, and its answers by status so far.  Below it stands whether they stayed level.
"""

import gzip
import http.client
import json
import re
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.play.simulate import open_event, simulate
from ledger.record import codec
from ledger.record.events import ACTS, Event
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from tests.bench.measure import serving

READERS, WATCHERS, RECORDERS, RECORDS = 8, 20, 2, 200
GAMES = ("zigzag", "build-up", "ziggurat", "domino-ziggurat")
MINUTES = 20
MINUTE, THINK, TAP, ASK = 60.0, 0.05, 0.7, 2.0
"""Seconds of a row, between two requests of a reader, two moves of a recorder, and two questions of a watcher."""
WARM = 5
"""The minute whose memory the last one is compared with."""
GROWTH, LARGEST = 1.05, 300
"""Memory may grow by this factor after that minute, and is never more than so many MB."""


class Seat(NamedTuple):
    """A game that a recorder enters: its record, its key, and what is entered."""

    record_id: str
    key: str
    acts: list[Event]


class Usage(NamedTuple):
    """What a process takes up: memory in MB, threads, sockets, and open files of every kind."""

    memory: float
    threads: int
    connections: int
    files: int


def usage(pid: int) -> Usage:
    """What a process takes up now."""
    status = Path(f"/proc/{pid}/status").read_text("ascii", "replace")
    memory, threads = (int(re.findall(rf"^{name}:\s+(\d+)", status, re.MULTILINE)[0]) for name in ("VmRSS", "Threads"))
    links = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # it was closed in the meantime
            links.append(str(link.readlink()))
    return Usage(memory / 1024, threads, sum(link.startswith("socket:") for link in links), len(links))


class Load:
    """The clients of a server, until `stop`.  `answers` counts what they got, by status."""

    def __init__(self, port: int, records: list[str], tables: list[list[Seat]]) -> None:
        self.port, self.records, self.tables = port, records, tables
        self.live = [seats[0].record_id for seats in tables]
        self.stop, self.answers = threading.Event(), Counter[str]()
        self._lock = threading.Lock()

    def count(self, answer: str) -> None:
        """Counts an answer, or what came instead of one."""
        with self._lock:
            self.answers[answer] += 1

    def clients(self) -> list[threading.Thread]:
        """All clients, each in a thread that is not started yet."""
        tasks = [
            *((self.read, n) for n in range(READERS)),
            *((self.watch, n) for n in range(WATCHERS)),
            *((self.record, n) for n in range(RECORDERS)),
        ]
        return [threading.Thread(target=self._until_stop, args=task, daemon=True) for task in tasks]

    def _until_stop(self, client: Callable[[int], None], number: int) -> None:
        while not self.stop.is_set():
            try:
                client(number)
            except (OSError, http.client.HTTPException) as error:
                if not self.stop.is_set():
                    self.count(type(error).__name__)
                    self.stop.wait(1)

    def _ask(
        self, server: http.client.HTTPConnection, path: str, body: str | None = None, **headers: str
    ) -> http.client.HTTPResponse:
        server.request("GET" if body is None else "POST", path, body, {"Accept-Encoding": "gzip", **headers})
        return server.getresponse()

    def read(self, number: int) -> None:
        """Opens pages of all kinds, mostly replays; asks for some again, as a browser that has them does."""
        random, tags = Random(number), dict[str, str]()
        server = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        for path in self._paths(random):
            known = {"If-None-Match": tags[path]} if path in tags and random.random() < 0.5 else {}
            answer = self._ask(server, path, **known)
            answer.read()
            self.count(str(answer.status))
            tags[path] = answer.headers.get("ETag", "")
            if self.stop.wait(THINK):
                break
        server.close()

    def _paths(self, random: Random) -> Iterator[str]:
        record_id = random.choice(self.records)
        while True:
            yield f"/g/{record_id}"
            record_id = random.choice([*self.records, *self.live])
            kind = random.randrange(16)
            if kind < len(_PAGES):
                yield _PAGES[kind].format(id=record_id, ply=random.randrange(60))

    def watch(self, number: int) -> None:
        """Follows a game in progress: asks for news, and fetches the changed parts of the page when there is some."""
        record_id, version, link = self.live[number % len(self.live)], 1, ""
        page = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        while not self.stop.is_set() and self.live[number % len(self.live)] == record_id:
            answer = self._ask(page, f"/api/v1/records/{record_id}/news?from={version}&link={link}")
            body = answer.read()
            news = json.loads(gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body)
            self.count(str(answer.status))
            if news["version"] > version:
                parts = self._ask(page, f"/g/{record_id}/parts")
                parts.read()
                self.count(str(parts.status))
            version, link = news["version"], (news["events"] or [{"link": news["after"]}])[-1]["link"]
            self.stop.wait(ASK)
        page.close()

    def record(self, number: int) -> None:
        """Enters the games of a table, move by move."""
        server = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        while self.tables[number] and not self.stop.is_set():
            seat = self.tables[number].pop(0)
            self.live[number] = seat.record_id
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {seat.key}"}
            for expected, act in enumerate(seat.acts, 1):
                entry = {"id": secrets.token_hex(16), "event": json.loads(codec.encode_event(act))}
                body = json.dumps({"expected": expected, "entries": [entry]})
                answer = self._ask(server, f"/api/v1/records/{seat.record_id}/events", body, **headers)
                answer.read()
                self.count(str(answer.status))
                if self.stop.wait(TAP):
                    break
        server.close()
        self.stop.wait(MINUTE)


_PAGES = (
    "/g/{id}?ply={ply}",
    "/g/{id}/card.png",
    "/g/{id}/position.png?ply={ply}",
    "/g/{id}/position.svg?ply={ply}",
    "/g/{id}/thumbnail.svg?size=large",
    "/g/{id}/parts",
    "/embed/{id}",
    "/api/v1/records/{id}",
    "/api/v1/records/{id}/report",
    "/g/{id}/record.json",
    "/",
    "/statistics",
    "/players",
    "/healthz",
)


def prepare(path: Path, minutes: int) -> tuple[list[str], list[list[Seat]]]:
    """A ledger with the records to read and enough openings to record; returns the records, and the games by table."""
    moves = int(minutes * MINUTE / TAP) + 1
    with SqliteStore(path) as store:
        recorder = Recorder(store)
        records = [recorder.import_record(simulate(catalog.find(GAMES[n % len(GAMES)]), n)) for n in range(RECORDS)]
        tables = []
        for table in range(RECORDERS):
            seats, entered, seed = list[Seat](), 0, RECORDS + table
            while entered < moves:
                game = catalog.find(GAMES[seed % len(GAMES)])
                acts = [event for event in simulate(game, seed).events[1:] if isinstance(event, ACTS)]
                seats.append(Seat(recorder.open(open_event(game, {})), new_key(), acts))
                store.put([Key(seats[-1].record_id, key_digest(seats[-1].key))])
                entered, seed = entered + len(acts), seed + RECORDERS
            tables.append(seats)
    return records, tables


def main(folder: Path, minutes: int) -> None:
    """Runs the load, and prints the table.  Raises SystemExit if something did not stay level."""
    path = folder / "load.sqlite"
    records, tables = prepare(path, minutes)
    with serving(path) as (pid, port):
        load = Load(port, records, tables)
        clients = load.clients()
        rows, most = list[Usage](), list[float]()
        print(
            "| minute | memory, MB (most) | threads | connections | files | answers |",
            "| --- | --- | --- | --- | --- | --- |",
            sep="\n",
        )
        try:
            for client in clients:
                client.start()
            begin = time.monotonic()
            for minute in range(1, minutes + 1):
                looks = list(_looks(pid, begin + minute * MINUTE))
                rows.append(_minute(looks))
                most.append(max(look.memory for look in looks))
                _print_row(minute, rows[-1], most[-1], load.answers)
        finally:
            load.stop.set()
            for client in clients:
                client.join(5)
    judge(rows, max(most), load.answers)


def _looks(pid: int, until: float) -> Iterator[Usage]:
    """What a process takes up, each second until that time."""
    while (rest := until - time.monotonic()) > 0:
        time.sleep(min(1.0, rest))
        yield usage(pid)


def _minute(looks: list[Usage]) -> Usage:
    """The last of them, with the median of their memory: what a few answers need for a second says nothing."""
    return looks[-1]._replace(memory=median(look.memory for look in looks))


def _print_row(minute: int, row: Usage, most: float, answers: Counter[str]) -> None:
    by_status = ", ".join(f"{count:,} × {status}" for status, count in sorted(answers.items()))
    print(
        f"| {minute} | {row.memory:.0f} ({most:.0f}) | {row.threads} | {row.connections} | {row.files} | {by_status} |",
        flush=True,
    )


def judge(rows: list[Usage], most: float, answers: Counter[str]) -> None:
    """Says whether everything stayed level.  Raises SystemExit if not."""
    warm, last = rows[min(WARM, len(rows)) - 1], rows[-1]
    faults = [f"answers: {answer}" for answer in sorted(answers) if not re.fullmatch("2..|304|429|503", answer)]
    if last.memory > GROWTH * warm.memory or most >= LARGEST:
        faults.append("memory")
    levels = ("threads", "connections", "files")
    faults += [name for name in levels if getattr(last, name) > GROWTH * getattr(warm, name) + 2]
    print(f"\nmemory after the last minute ÷ after minute {min(WARM, len(rows))}: {last.memory / warm.memory:.3f}")
    if faults:
        raise SystemExit(f"not level: {', '.join(faults)}")
    print("all level")
