"""`make bench`: the audit, the replay and the append of simulated games, as ratios within one run.

Every case is timed by CPU, the cases taken in turn for a number of rounds, so that a machine that slows down slows
all of them.  What counts is the ratio to the floor (reading and decoding the same bytes) and, where the package is
installed (``pip install 'domino-ledger[bench]'``), to python-chess reading games with legality.  Ratios are medians of
the rounds, with the least and the greatest behind them.
"""

from __future__ import annotations

import argparse
import io
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from ledger import audit, catalog, codec
from ledger.record import Record, effective
from ledger.replay import steps
from ledger.simulate import any_options, simulate

Case = tuple[str, str, int, Callable[[], object]]
"""What is timed: the rule set, the case, how many events (or plies) it goes through, and the call."""


def archive(name: str, events: int) -> list[bytes]:
    """Lines of simulated games of one rule set, some `events` in all."""
    game, lines, total, seed = catalog.find(name), [], 0, 0
    while total < events:
        options, players, edition = any_options(game, Random(seed))
        record = simulate(game, seed, options, players=players, edition=edition)
        lines.append(codec.encode(record))
        total += len(record.events)
        seed += 1
    return lines


def cases(name: str, lines: list[bytes], folder: Path) -> list[Case]:
    """The cases of one rule set."""
    game = catalog.find(name)
    records = [codec.decode(line) for line in lines]
    count = sum(len(record.events) for record in records)

    def floor() -> None:
        for line in lines:
            codec.decode(line)

    def replay() -> None:
        for record in records:
            for _ in steps(game, game.opening(record.opening), effective(record.events).entries):
                pass

    def whole() -> None:
        for line in lines:
            audit.audit(game, codec.decode(line))

    return [
        (name, "read and decode (floor)", count, floor),
        (name, "replay", count, replay),
        (name, "audit of an archive", count, whole),
        (name, "import into the SQLite ledger", count, _importer(records, folder)),
    ]


def _importer(records: list[Record], folder: Path) -> Callable[[], object]:
    from ledger.recorder import Recorder  # noqa: PLC0415  as the command does
    from ledger.stores.sqlite import SqliteStore  # noqa: PLC0415

    numbers = iter(range(1_000_000))

    def run() -> None:
        path = folder / f"{next(numbers)}.sqlite"
        with SqliteStore(path) as store:
            for _ in Recorder(store).import_records(records):
                pass
        path.unlink()

    return run


def chess_case() -> Case | None:
    """python-chess reading games, each ply checked for legality; None where it is not installed."""
    try:
        import chess  # noqa: PLC0415  a peer, not a dependency
        import chess.pgn  # noqa: PLC0415
    except ImportError:
        return None
    random, games, plies = Random(1), [], 0
    for _ in range(30):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 80:
            board.push(random.choice(list(board.legal_moves)))
        plies += board.ply()
        games.append(str(chess.pgn.Game.from_board(board)))
    text = "\n\n".join(games)

    def run() -> None:
        stream = io.StringIO(text)
        while chess.pgn.read_game(stream):
            pass

    return ("python-chess", f"read_game {chess.__version__}", plies, run)


def measure(all_cases: list[Case], rounds: int) -> list[list[float]]:
    """Events a second of CPU, for each case a figure a round."""
    figures: list[list[float]] = [[] for _ in all_cases]
    for _ in range(rounds):
        for place, (_name, _what, count, run) in enumerate(all_cases):
            begin = time.process_time()
            run()
            figures[place].append(count / (time.process_time() - begin))
    return figures


def spread(values: list[float]) -> str:
    """A median with its least and greatest."""
    return f"{statistics.median(values):.2f} ({min(values):.2f}-{max(values):.2f})"


def main() -> None:
    """Prints a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--events", type=int, default=6000, help="events of each rule set")
    arguments = parser.parse_args()
    peer = chess_case()
    with tempfile.TemporaryDirectory() as folder:
        found = [
            case for name in catalog.built_in() for case in cases(name, archive(name, arguments.events), Path(folder))
        ]
        figures = measure([*found, *([peer] if peer else [])], arguments.rounds)
    print(f"Python {sys.version.split()[0]}, {arguments.rounds} rounds, by CPU: median (least-greatest)\n")
    print("| rule set | case | events/s | ÷ floor | ÷ python-chess |\n| --- | --- | --- | --- | --- |")
    floor: list[float] = []
    for (name, what, _count, _run), values in zip(found, figures, strict=False):
        floor = values if "floor" in what else floor
        to_floor = spread([a / b for a, b in zip(values, floor, strict=True)])
        to_peer = spread([a / b for a, b in zip(values, figures[-1], strict=True)]) if peer else "not installed"
        print(f"| {name} | {what} | {statistics.median(values):,.0f} | {to_floor} | {to_peer} |")
    if peer:
        print(f"| {peer[0]} | {peer[1]} | {statistics.median(figures[-1]):,.0f} | | 1 |")


if __name__ == "__main__":
    main()
