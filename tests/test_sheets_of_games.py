"""A sheet knows its game: a line of another game is a slip of the pen, unless it says that it is meant."""

import re
from random import Random

import pytest

import soup
from ledger.audit.auditor import audit
from ledger.games import catalog
from ledger.notation import read, read_line, write, write_event
from ledger.play.simulate import any_options, simulate
from ledger.record.codec import check, encode
from ledger.record.errors import NotARecord, every
from ledger.record.events import ABOUT_RECORDS, EVENTS, Bid, Open, Player, Stack
from ledger.record.record import Record
from ledger.record.tiles import named
from test_notation import timeless

GAMES = catalog.built_in()
SEATS = {"build-up": 2, "ziggurat": 2, "domino-ziggurat": 1, "zigzag": 3}


def opening(game: str) -> Open:
    names = ("Ana", "Ben", "Cy")[: SEATS[game]]
    return Open(game=game, players=tuple(Player(id=name.lower(), name=name) for name in names))


def refusal(line: str, game: str) -> NotARecord:
    with pytest.raises(NotARecord) as error:
        read_line(line, opening(game))
    return error.value


def test_in_a_sheet_it_is_a_mistake_with_its_line_like_any_other() -> None:
    sheet = "Game: Build Up\nPlayers: Ana, Ben\n\nA 6-6\nB passes\nA bids 12\nB 3-5 on 8\nZ passes\n"
    with pytest.raises(NotARecord) as error:
        read(sheet, "friday.sheet")
    places = [(mistake.line, mistake.field) for mistake in every(error.value)]
    assert places == [(4, "column 6"), (6, "column 3"), (8, "column 1")]
    assert str(error.value) == "friday.sheet:4: column 6: on which stack? write `A 6-6 on 10`"


def test_what_is_expected_is_what_the_game_has() -> None:
    assert "bids" not in refusal("A xyz", "build-up").reason
    assert " lays" not in refusal("A xyz", "zigzag").reason
    assert "cheats" in refusal("xyz", "domino-ziggurat").reason
    assert "cheats" not in refusal("xyz", "zigzag").reason


def test_a_game_that_is_not_installed_may_have_any_line() -> None:
    unknown = Open(game="unheard-of", players=opening("zigzag").players)
    for line in ("A 6-6", "A 6-6 on 4", "A 6-6 b2-c2", "A 6-6 left", "A bids 3", "cheats 4", "hand: A 3"):
        assert write_event(read_line(line, unknown), unknown) == line


def test_an_exclamation_mark_says_that_a_line_is_meant() -> None:
    table = opening("zigzag")
    event = Stack("ana", named("1-2"), 4)
    assert read_line("! A 1-2 on 4", table) == read_line("!A 1-2 on 4", table) == event
    assert write_event(event, table) == "! A 1-2 on 4"
    assert write_event(Bid("ana", 4), table) == "A bids 4"
    record = check([table, event])
    assert read(write(record)) == record
    assert [finding.clause for finding in audit(catalog.find("zigzag"), record).findings] == ["record.event"]


def records(game: str) -> list[Record]:
    """Games of one kind, and every event of any game in it, also in corrections."""
    random, rules = Random(3), catalog.find(game)
    games = [simulate(rules, seed, options, players=players, edition=edition)
             for seed in range(3) for options, players, edition in [any_options(rules, random)]]  # fmt: skip
    first = opening(game)
    players = [player.id for player in first.players]
    kinds = [kind for kind in EVENTS if kind not in (Open, *ABOUT_RECORDS)]
    events = [soup.event(kind, players, random) for kind in kinds * 6]
    corrections = [soup.correction(90, kinds, players, random) for _ in range(90)]
    return [*games, check([first, *events, *corrections])]


@pytest.mark.parametrize("game", GAMES)
def test_every_record_of_a_game_comes_back_from_its_sheet(game: str) -> None:
    foreign = 0
    for record in records(game):
        sheet = write(record)
        foreign += len(re.findall(r"(?:^|: )! ", sheet, re.MULTILINE))
        assert encode(read(sheet)) == encode(timeless(record))
    assert foreign > 20


def test_names_and_titles_that_the_reader_explains_are_quoted() -> None:
    players = (Player(id="p1", name="Ana"), Player(id="p2", name="Ann and Bob"), Player(id="p3", name="- x"))
    options = {"First_Bidder": "x", "first-bidder": "Ana", "scoring": "Points", "first_bidder": "ANA"}
    for game in ("Zigzag", "zig-zag", "zigzag", "Zigzag, edition 2", "Zig Zag", "unheard of"):
        record = check([Open(game=game, players=players, options=options)])
        assert encode(read(write(record))) == encode(record)
        assert encode(check([read_line(write_event(record.opening, record), record)])) == encode(record)
