"""A blank score sheet to print: its seats, its columns, and how many rows."""

from typing import Any

from ledger.notation.setting import letters_of
from ledger.record.events import Bid, Draw, Event, Layout, Lift, Open, Place, Player, Stack, Take
from ledger.record.tiles import full, members
from ledger.rules.game import Game

_LIFTS = 6
"""So many lines a tile fill a sheet where tiles are drawn and lifted again: simulated games have up to 174."""
HANDS = 6
"""The hands for whose points a blank sheet has room."""


def blank_sheet_for(game: Game[Any], names: list[str], largest: int | None) -> dict[str, Any]:
    """A blank sheet for these players, some of whom may have no name yet, and the set up to this number.

    Without one it is for the set that the game is played with if nobody says more.  It has the seats with their letters
    and names, the columns beside the players', how many rows, and what each player does `before` the play; `hands`: the
    points of each hand are called; `sets` are those that the game can be played with.
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
    return {
        "seats": seats,
        "columns": [*columns, "Remarks"],
        "bids": Bid in types,
        "rows": tiles * often + tiles // 3,
        "before": [words for event_type, words in before if event_type in types],
        "hands": "hand" in game.scores,
        "largest": largest,
        "sets": sorted(numbers),
    }
