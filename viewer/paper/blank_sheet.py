"""A blank score sheet to print: its seats, its columns, and how many rows."""

from typing import Any, NamedTuple

from ledger.notation.setting import letters_of
from ledger.record.events import Bid, Draw, Event, Layout, Lift, Open, Place, Player, Stack, Take
from ledger.record.tiles import full, members
from ledger.rules.game import Game

_LIFTS = 6
"""So many lines a tile fill a sheet where tiles are drawn and lifted again: simulated games have up to 174."""
HANDS = 6
"""The hands for whose points a blank sheet has room."""


class Blank(NamedTuple):
    """A blank sheet: the seats with their letters and names, the columns beside the players', and how many rows.

    `before` is what each player does before the play; `hands`: the points of each hand are called; `largest` is the
    largest number of the set that it is for, and `sets` are those that the game can be played with.
    """

    seats: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    bids: bool
    rows: int
    before: tuple[str, ...]
    hands: bool
    largest: int
    sets: tuple[int, ...]


def blank_sheet_for(game: Game[Any], names: list[str], largest: int | None) -> Blank:
    """A blank sheet for these players, some of whom may have no name yet, and the set up to this number.

    Without one it is for the set that the game is played with if nobody says more.
    """
    types = set(game.events)
    sets = next((option.values for option in game.options if option.name == "set"), (game.largest,))
    numbers = tuple(number for number in sets if isinstance(number, int))
    largest = largest if largest in numbers else numbers[0]
    tiles = len(members(full(largest)))
    often = _LIFTS if Lift in types else len(names) if Stack in types else 1  # each player may have a set
    before = ((Draw, "First draw"), (Layout, "Laid out")) if Layout in types else ()
    columns: list[str] = ["Tile"]
    others: tuple[tuple[type[Event], str], ...] = ((Place, "Squares"), (Stack, "On stack"), (Take, "Takes"))
    columns += [column for event_type, column in others if event_type in types]
    if Place in types:
        columns += ["Level", "= points"]
    if Lift in types:
        columns.append("Lifts")
    players = tuple(Player(id=f"p{seat}", name=name) for seat, name in enumerate(names, 1))
    letters = letters_of(Open(game.name, players=players))
    seats = [(letters.letter(player.id) or "", player.name) for player in players]
    return Blank(
        tuple(seats),
        (*columns, "Remarks"),
        Bid in types,
        tiles * often + tiles // 3,
        tuple(words for event_type, words in before if event_type in types),
        "hand" in game.scores,
        largest,
        tuple(sorted(numbers)),
    )
