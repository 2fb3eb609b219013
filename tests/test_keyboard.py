"""`record` for somebody who types: letters left out, help in lines of the game, questions before slips."""
# ruff: noqa: F811  the fixture is imported, and pytest passes it by name

import pytest

from ledger import notation
from ledger.cli.record_command import Scorer
from ledger.games import catalog
from ledger.keep.recorder import Recorder
from ledger.record import codec
from ledger.record.errors import NotARecord
from ledger.record.events import Close, Open, Player
from ledger.stores.store import SqliteStore
from test_command_line import run  # noqa: F401  a fixture


def test_the_letter_of_the_player_to_act_may_be_left_out(run) -> None:
    name = run("new", "zigzag", "Ana", "Ben", "Cy", "-p", "first_bidder=Ana").output.strip()
    run("record", name, stdin="A bids 12\npasses\nC passes\n2-2\n[3|5]\n44\nplays 4-6\n")
    lines = "A bids 12\nB passes\nC passes\nA 2-2\nB 3-5\nC 4-4\nA 4-6\n"
    assert run("export", name, "--sheet").output.endswith(f"\n{lines}")
    alone = run("new", "domino-ziggurat", "Ana").output.strip()
    run("record", alone, stdin="draws 1-5\n1-5 c5-c6\n")
    assert run("export", alone, "--sheet").output.endswith("\nA draws 1-5\nA 1-5 c5-c6\n")


def test_where_several_may_act_a_line_needs_a_letter(run) -> None:
    name = run("new", "zigzag", "Ana", "Ben", "Cy").output.strip()
    assert "whose move is it? Begin with a letter" in run("record", name, stdin="passes\n", code=2).output
    assert "expected a player's letter" in run("record", name, stdin="nonsense\n", code=2).output
    stacks = run("new", "build-up", "Ana", "Ben").output.strip()
    for line, answer in (("6-6 10", "column 5: '10' is not"), ("6-6", "column 4: on which stack? write `A 6-6 on 10`")):
        assert answer in run("record", stacks, stdin=f"{line}\n", code=2).output


def test_in_a_sheet_a_letter_is_never_left_out() -> None:
    record = codec.check((Open("zigzag", players=tuple(Player(id=name, name=name) for name in ("ana", "ben", "cy"))),))
    with pytest.raises(NotARecord, match="Write the player's letter first, as in `A 2-2`"):
        notation.read_line("2-2", record)


@pytest.mark.parametrize("game", ["ziggurat", "domino-ziggurat", "build-up", "zigzag"])
def test_help_has_a_line_of_the_game_for_each_kind_of_act(run, game: str) -> None:
    players = ["Dee", "Max", "Cy"][: 3 if game == "zigzag" else 2]
    edition = ["--edition", "2"] if game == "domino-ziggurat" else []
    name = run("new", game, *players, *edition).output.strip()
    output = run("record", name, stdin="help\n").output
    lines = [line[2:] for line in output.partition("may be left out.\n")[2].partition("  note: ")[0].splitlines()]
    record = codec.decode(run("export", name, "--json").output.encode())
    kinds = {type(notation.read_line(line.removesuffix(" …"), record)) for line in lines}
    assert len(kinds) == len(lines) > 4
    assert kinds <= {*catalog.find(game).events, Close}


def test_what_cannot_have_happened_is_asked_about_before_it_is_recorded(tmp_path, monkeypatch, capsys) -> None:
    answers = iter(["n", "y"])
    monkeypatch.setattr("ledger.cli.record_command.answer_to", lambda _question: next(answers))
    with SqliteStore(tmp_path / "ledger.sqlite") as store:
        recorder = Recorder(store, find_game=catalog.find)
        players = tuple(Player(id=name.lower(), name=name) for name in ("Ana", "Ben", "Cy"))
        scorer = Scorer(recorder, recorder.open(Open("zigzag", players=players)), None)
        scorer.asks = True
        for line in ("A bids 12", "B passes", "C passes", "A 4-9"):
            scorer.take(line)
        assert "no 4-9" in capsys.readouterr().out
        assert len(scorer.review.record.events) == 4
        scorer.take("A 4-9")
        scorer.take("B bids 3")  # a breach is no question: it was done
        assert len(scorer.review.record.events) == 6
