"""What the recorder's page says about each kind of act: one row for each kind, in the order in which they are offered.

A kind that is not here can be entered, too: `prompts` makes up a row for it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.record.events import ACTS, MOVES, Bid, Draw, Event, Layout, Note, Pass, kind
from ledger.rules.game import Game, Step


class Prompt(Struct, frozen=True, omit_defaults=True):
    """A kind of act: its name on a button, what its player is about to do, a question, and a hint beside it.

    The page fills in ``{who}``, the player; ``{tiles}``, how many are named; ``{tile}``, the one in hand; ``{fits}``,
    where that may go; and ``{tap}``, what names a tile: its numbers or itself.

    `many`: it names several tiles.  `lays`: it lays tiles on the table.  `own`: it lays one of a set that is the
    player's alone.  `dealt`: it comes before the play.  `bare`: it names no tile and says nothing more.  `held` and
    `held_hint` are the question and the hint while a tile is in hand.  `again` is the question to players who do it
    once more.
    """

    kind: str
    label: str
    doing: str
    ask: str
    hint: str = ""
    many: bool = False
    bare: bool = False
    lays: bool = False
    own: bool = False
    dealt: bool = False
    held: str = ""
    held_hint: str = ""
    again: dict[str, str] = {}


_TABLE = (
    Prompt("layout", "Lay out", "to lay out", "Tap the {tiles} that {who} lays out", dealt=True),
    Prompt("draw", "Draw", "to draw", "Tap the tile that {who} draws", dealt=True),
    Prompt("over", "Tile over", "takes the tile over", "Tap the tile over, which goes to {who}", dealt=True),
    Prompt("rank", "Ranking", "to rank", "Which number does {who} rank highest?",
           "↓ the others follow downwards, ↑ upwards"),
    Prompt("place", "Place", "to play", "{who} plays", "tap {tap}, then its place",
           held="{who}\u2019s {tile}", held_hint="{fits}"),
    Prompt("stack", "Stack", "to play", "{who} plays", "tap {tap}, then its stack", own=True,
           held="{who}\u2019s {tile}", held_hint="{fits}"),
    Prompt("play", "Play", "to play", "{who} plays", "tap {tap}", held="Which end does the {tile} go to?"),
    Prompt("bid", "Bid", "to bid", "What does {who} bid?"),
    Prompt("lift", "Lift", "to lift", "{who} lifts", "tap the tile here or on the table"),
    Prompt("pass", "Pass", "to pass", "{who} passes"),
    Prompt("deal", "Hand", "hand", "Tap the {tiles} in {who}\u2019s hand", "Hands may be skipped", dealt=True),
    Prompt("aside", "Set aside", "to set aside", "Tap the {tiles} that are set aside", dealt=True),
)  # fmt: skip
_TIE = "A tie: tap the tile that {who} draws now"


def prompts(game: Game[Any], steps: Sequence[Step]) -> tuple[Prompt, ...]:
    """The kinds of acts that a game has, in the order in which they are offered, after these steps."""
    types = {kind(event_type): event_type for event_type in game.events if event_type in ACTS}
    known = [row for row in _TABLE if row.kind in types]
    others = types.keys() - {row.kind for row in known}
    made_up = [
        Prompt(name, name.capitalize(), f"to {name}", f"{name.capitalize()}: {{who}}") for name in sorted(others)
    ]
    tied = dict.fromkeys(_tied(steps) if Layout in game.events else (), _TIE)
    return tuple(_completed(row, types[row.kind], tied) for row in (*known, *made_up))


def _completed(row: Prompt, event_type: type[Event], tied: dict[str, str]) -> Prompt:
    fields = set(event_type.__struct_fields__) - {"when", "by", "player"}
    lays, again = event_type in MOVES or event_type is Layout, tied if event_type is Draw else {}
    return replace(row, many="tiles" in fields, bare=not fields, lays=lays, again=again)


def _tied(steps: Sequence[Step]) -> Iterable[str]:
    """Who draws once more because the draws were equal: those who drew last, one after the other."""
    players = list[str]()
    for step in reversed(steps):
        if not isinstance(step.event, Draw):
            break
        players.append(step.event.player)
    return players


def calls(steps: Sequence[Step]) -> list[Bid | Pass]:
    """The bids and passes of a round that still runs, in their order."""
    heard = list[Bid | Pass]()
    for step in reversed(steps):
        if isinstance(step.event, Bid | Pass):
            heard.append(step.event)
        elif not isinstance(step.event, Note):
            break
    return heard[::-1]
