"""python-chess, which does similar work, if it is installed: ``pip install 'domino-ledger[bench]'``."""

import io
from functools import cache
from importlib.util import find_spec
from random import Random

from tests.bench.measure import Case

READ_GAME = "python-chess read_game"


def chess_cases() -> list[Case]:
    """python-chess reads games and checks each ply for legality.  Its start does not count."""
    if find_spec("chess") is None:
        return []
    import chess.pgn

    games, plies = _chess()
    text = "".join(games)

    def read() -> None:
        stream = io.StringIO(text)
        while chess.pgn.read_game(stream):
            pass

    return [Case(READ_GAME, sum(plies), read)]


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
