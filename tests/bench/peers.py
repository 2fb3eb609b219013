"""Programs that do similar work, each if it is installed: ``pip install 'domino-ledger[bench]'``, pgn-extract."""

from __future__ import annotations

import io
import shutil
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID, uuid5

from tests.bench.measure import Case

READ_GAME, EXTRACT = "python-chess read_game", "pgn-extract (C, whole process)"
SPIEL = "OpenSpiel python_block_dominoes"
SAVE = "eventsourcing Application.save"
INSERT = "eventsourcing recorder.insert_events"


def chess_cases(folder: Path) -> list[Case]:
    """Programs that read chess games and check each ply for legality.  The start of python-chess does not count."""
    if find_spec("chess") is None:
        return []
    import chess.pgn

    games, plies = _chess()
    text = "".join(games)

    def read() -> None:
        stream = io.StringIO(text)
        while chess.pgn.read_game(stream):
            pass

    return [Case(READ_GAME, sum(plies), read), *_extract(folder, games, sum(plies))]


def _extract(folder: Path, games: list[str], plies: int) -> list[Case]:
    program = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")  # where Debian puts it
    if not program:
        return []
    path, times = folder / "games.pgn", 20
    path.write_text("".join(games) * times)

    def extract() -> None:
        subprocess.run([program, "-s", "-r", str(path)], check=True, capture_output=True)

    return [Case(EXTRACT, times * plies, extract)]


@cache
def _chess(count: int = 30) -> tuple[list[str], list[int]]:
    """Games at random, up to 80 plies: each as text, with its number of plies."""
    import chess.pgn

    random, texts, plies = Random(1), list[str](), list[int]()
    for _ in range(count):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 80:
            board.push(random.choice(list(board.legal_moves)))
        plies.append(board.ply())
        texts.append(f"{chess.pgn.Game.from_board(board)}\n\n")
    return texts, plies


def spiel_cases(games: int = 60) -> list[Case]:
    """OpenSpiel's dominoes: each action looked up among the legal ones, and applied."""
    if find_spec("pyspiel") is None:
        return []
    import pyspiel
    from open_spiel.python.games import block_dominoes  # noqa: F401  it registers the game

    game, random, played = pyspiel.load_game("python_block_dominoes"), Random(1), list[list[int]]()
    for _ in range(games):
        state, actions = game.new_initial_state(), list[int]()
        while not state.is_terminal():
            able = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
            actions.append(random.choice(able))
            state.apply_action(actions[-1])
        played.append(actions)

    def replay() -> None:
        for actions in played:
            state = game.new_initial_state()
            for action in actions:
                assert state.is_chance_node() or action in state.legal_actions()
                state.apply_action(action)

    return [Case(SPIEL, sum(map(len, played)), replay)]


@cache
def _table() -> Any:
    from eventsourcing.domain import Aggregate, event

    class Table(Aggregate):
        def __init__(self, game: str) -> None:
            self.game, self.count, self.last = game, 0, ""

        @event("Placed")
        def place(self, player: str, tile: str, on: str) -> None:
            self.count, self.last = self.count + 1, f"{player}{tile}{on}"

    return Table


class Sourced:
    """An application of `eventsourcing` in SQLite, with one aggregate."""

    def __init__(self, path: Path) -> None:
        from eventsourcing.application import Application

        self.app: Any = Application(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)})
        self._table, self._number = _table()("zigzag"), 0
        self.app.save(self._table)

    def save(self) -> Case:
        """Saves one more event."""

        def run() -> None:
            self._table.place("p1", "3-5", "11")
            self.app.save(self._table)

        return Case(SAVE, 1, run)

    def insert(self, count: int) -> Case:
        """Stores prepared rows in one call."""
        from eventsourcing.persistence import StoredEvent

        def run() -> None:
            self._number += 1
            home = uuid5(UUID(int=7), str(self._number))
            state = b'{"player":"p1","tile":"3-5","on":"11","timestamp":"2026-11-20T20:00:00.000000+00:00"}'
            self.app.recorder.insert_events([StoredEvent(home, n + 1, "Table.Placed", state) for n in range(count)])

        return Case(INSERT, count, run)


def sourced(path: Path) -> Sourced | None:
    """The application, if the package is installed."""
    return Sourced(path) if find_spec("eventsourcing") else None
