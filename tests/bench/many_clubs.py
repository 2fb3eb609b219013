"""`python -m tests.bench clubs [clubs [seconds [rate]]]`: how many clubs does one server hold?  Linux only.

A folder of clubs (1,000 by default), each with the example season and games to record.  It prints:

- how many moves a second the stores alone take, in threads over 100 clubs;
- how long the first page of each club takes, cold, and again of a warm one; then memory and open files of the server;
- how long a move takes through the server, for so many seconds (120) at a rate (300 a second) over 100 clubs, each
  with a recorder of its own.  A move that is late counts from when it was due.  At the end the server is killed
  (SIGKILL): each move that it has acknowledged must be in its club.
"""

import json
import os
import secrets
import shutil
import signal
import socket
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from ledger.examples.season import season
from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.keep.stored_audits import audit_anew
from ledger.play.simulate import open_event, simulate
from ledger.record import codec
from ledger.record.events import ACTS, Event
from ledger.stores.beside import Key
from ledger.stores.store import SqliteStore
from tests.bench.load import usage
from tests.bench.measure import serving

CLUBS, SECONDS, RATE = 1000, 120, 300
BUSY, SENDERS, WRITERS = 100, 12, 8
"""The clubs in which games are recorded, and the threads that send and, for the stores alone, write."""
GAME = "zigzag"


class Plan(NamedTuple):
    """What is recorded in each club: the games in turn, each with its key and its moves."""

    games: list[tuple[str, str, list[Event]]]


def main(folder: Path, clubs: int = CLUBS, seconds: int = SECONDS, rate: int = RATE) -> None:
    """Runs all, and prints what it finds.  Raises SystemExit if a move is lost."""
    busy = min(BUSY, clubs)
    plan = _prepare(folder / "template.sqlite", seconds * rate // busy + 1)
    names = [f"club-{number}" for number in range(clubs)]
    served = folder / "clubs"
    served.mkdir()
    for name in names:
        _copy(folder, served / f"{name}.sqlite")
    _stores(folder, plan, busy)
    with serving(served) as (pid, port):
        cold = sorted(_page(port, name) for name in names)
        warm = sorted(_page(port, names[-1]) for _ in range(20))
        used = usage(pid)
        print(f"first page of a cold club: {_spread(cold)}; of a warm one: {_spread(warm)}")
        print(f"{clubs:,} clubs asked: {used.memory:.0f} MB, {used.files} open files, {used.threads} threads")
        for name in names[:busy]:
            _page(port, name)
        recorders = [_Recorder(port, name, plan) for name in names[:busy]]
        delays = _record(recorders, seconds, rate)
        used = usage(pid)
        os.kill(pid, signal.SIGKILL)
    print(f"{len(delays) / seconds:.0f} moves a second for {seconds} s over {busy} clubs: {_spread(sorted(delays))}")
    print(f"then {used.memory:.0f} MB, {used.files} open files")
    for recorder in recorders:
        with SqliteStore(served / f"{recorder.name}.sqlite") as store:
            for record_id, version in recorder.acknowledged.items():
                if store.version(record_id) < version:
                    raise SystemExit(f"lost: {recorder.name} {record_id} after {store.version(record_id)} of {version}")
    print("after SIGKILL, each acknowledged move is there")


def _prepare(path: Path, moves: int) -> Plan:
    """A club with the season, and games to record with at least so many moves."""
    games: list[tuple[str, str, list[Event]]] = []
    with SqliteStore(path) as store:
        recorder, game = Recorder(store), catalog.find(GAME)
        for example in season():
            recorder.import_record(example.record, example.id)
        while sum(len(acts) for _, _, acts in games) < moves:
            acts = [event for event in simulate(game, len(games)).events[1:] if isinstance(event, ACTS)]
            games.append((recorder.open(open_event(game, {})), new_key(), acts))
            store.put([Key(games[-1][0], key_digest(games[-1][1]))])
        audit_anew(store)  # as a server leaves it
    return Plan(games)


def _copy(folder: Path, club: Path) -> Path:
    """A club as the template is: its ledger and, as when a club moves, the mark beside it."""
    for ending in ("", ".head"):
        shutil.copy(f"{folder}/template.sqlite{ending}", f"{club}{ending}")
    return club


def _stores(folder: Path, plan: Plan, busy: int) -> None:
    """How many moves a second the stores alone take."""
    alone = folder / "alone"
    alone.mkdir()
    paths = [_copy(folder, alone / f"{number}.sqlite") for number in range(busy)]
    record_id, _, acts = plan.games[0]

    def write(path: Path) -> int:
        with SqliteStore(path) as store:
            for expected, act in enumerate(acts, 1):
                store.append(record_id, expected, [act])
        return len(acts)

    begin = time.perf_counter()
    with ThreadPoolExecutor(WRITERS) as pool:
        count = sum(pool.map(write, paths))
    print(f"stores alone: {count / (time.perf_counter() - begin):.0f} durable moves a second over {busy} clubs")
    shutil.rmtree(alone)


def _page(port: int, name: str) -> float:
    """The seconds that the first page of a club takes."""
    begin = time.perf_counter()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/{name}/") as answer:
        answer.read()
    return time.perf_counter() - begin


class _Recorder:
    """A phone that records in a club, game after game.  `acknowledged` has the version of each record."""

    def __init__(self, port: int, name: str, plan: Plan) -> None:
        self.name, self.acknowledged = name, dict[str, int]()
        self._server = socket.create_connection(("127.0.0.1", port))
        self._moves = [
            (record_id, expected + 1, self._request(record_id, key, expected, act))
            for record_id, key, acts in plan.games
            for expected, act in enumerate(acts, 1)
        ][::-1]

    def _request(self, record_id: str, key: str, expected: int, act: Event) -> bytes:
        entry = {"id": secrets.token_hex(16), "event": json.loads(codec.encode_event(act))}
        body = json.dumps({"expected": expected, "entries": [entry]})
        return (
            f"POST /{self.name}/api/v1/records/{record_id}/events HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        ).encode()

    def move(self) -> None:
        """Sends the next move, and waits until it is acknowledged.  Raises SystemExit if it is refused."""
        record_id, version, request = self._moves.pop()
        self._server.sendall(request)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self._server.recv(65536)
        head, _, body = answer.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split()[0])
        while len(body) < length:
            body += self._server.recv(65536)
        if not head.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"refused: {head.decode()} {body.decode()}")
        self.acknowledged[record_id] = version


def _record(recorders: list[_Recorder], seconds: int, rate: int) -> list[float]:
    """Sends moves at a rate, of the recorders in turn; returns how long each took from when it was due."""
    delays = list[float]()
    begin = time.perf_counter() + 0.5

    def send(share: int) -> None:
        mine = recorders[share::SENDERS]
        for turn in range(seconds * rate // len(recorders)):
            for place, recorder in enumerate(mine):
                due = begin + (turn + (share + place * SENDERS) / len(recorders)) * len(recorders) / rate
                time.sleep(max(0.0, due - time.perf_counter()))
                recorder.move()
                delays.append(time.perf_counter() - due)

    threads = [threading.Thread(target=send, args=(share,)) for share in range(SENDERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return delays


def _spread(values: list[float]) -> str:
    """The middle of sorted times, 95 % of them, and the longest."""
    half, most = values[len(values) // 2], values[int(0.95 * len(values))]
    return f"half within {1000 * half:.0f} ms, 95 % within {1000 * most:.0f} ms, all within {1000 * values[-1]:.0f} ms"
