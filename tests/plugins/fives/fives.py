"""Fives (Muggins, All Fives without a spinner), for two, as a draw game with a double-six set.

The document leaves some things open.  Here doubles are no spinners: a line has two ends.  The last two tiles of the
boneyard stay there unless the players agree otherwise.  The game ends as soon as a total reaches the target.

Source: Foster's Complete Hoyle, "Muggins, or All Fives".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Literal

from msgspec.structs import replace

from ledger.common import (
    NOTHING,
    a_count,
    a_player,
    after_end,
    by_player,
    compare_deal,
    compare_points,
    compare_winners,
    in_set,
    once,
    unfinished,
)
from ledger.events import Aside, Correctable, Deal, Draw, Event, LineEnd, Pass, Play, Result, Score
from ledger.game import (
    Clause,
    Fault,
    Game,
    Opening,
    Option,
    Points,
    Simulation,
    Standing,
    State,
    Tally,
    WithClaims,
    clause,
)
from ledger.scene import Hand, Pile, Row, Scene, Seat
from ledger.tiles import TILES, Tile, full, mask, members, names

SET, HAND = full(6), 7
Acted = Deal | Draw | Play | Pass


class Fives(State, frozen=True, kw_only=True, gc=False):
    """The totals, and the hand that is played or was played last.

    `line` has the tiles from left to right as they lie, `held` by seat what is in the hand now, as bits; None where the
    record does not know.  `phase`: a hand is played; or the players still have to show what they have left (`out` has
    nothing; nobody is out if the line is blocked); or it is counted.  `leader` begins a hand.  `lost` tells that some
    hand was never counted, because nobody wrote down what was left.
    """

    players: tuple[str, ...]
    target: int
    stay: int
    totals: tuple[int, ...] = (0, 0)
    phase: Literal["play", "show", "over"] = "over"
    hand: int = 0
    line: tuple[Tile, ...] = ()
    held: tuple[int | None, ...] = (None, None)
    turn: int | None = None
    leader: int | None = None
    out: int | None = None
    passes: int = 0
    lost: bool = False


# ── What an event does to the table ────────────────────────────────────────────────────────────────────────


def start(opening: Opening) -> Fives:
    """Before the first hand."""
    first = opening.options["first"]
    leader = None if first is None else opening.seat(first)
    stay = 2 if opening.options["last_two"] else 0
    return Fives(players=opening.players, target=opening.options["target"], stay=stay, leader=leader)


def evolve(state: Fives, event: Correctable) -> Fives:
    """The table after one event."""
    match event:
        case Deal():
            return deal(begun(state), event)
        case Draw():
            return draw(begun(state), event)
        case Play():
            return play(begun(state), event)
        case Pass():
            return passed(begun(state), event)
        case Aside():
            return show(state, event)
    return state


def begun(state: Fives) -> Fives:
    """The hand that is played; a new one if the last is over."""
    if state.phase == "play":
        return state
    return replace(
        state, phase="play", hand=state.hand + 1, line=(), held=(None, None), turn=state.leader, out=None, passes=0,
        lost=state.lost or state.phase == "show",
    )  # fmt: skip


def seat_of(state: Fives, event: Acted) -> int:
    """The seat of who acts."""
    return state.players.index(event.player)


def deal(state: Fives, event: Deal) -> Fives:
    """A whole hand is written down; a part of one proves nothing here."""
    if event.partial:
        return state
    return replace(state, held=put(state.held, seat_of(state, event), mask(event.tiles) & SET))


def draw(state: Fives, event: Draw) -> Fives:
    """A tile comes from the boneyard into a hand; the turn stays."""
    seat = seat_of(state, event)
    own = state.held[seat]
    if own is None or not event.tile.bit & boneyard(state):
        return state
    return replace(state, held=put(state.held, seat, own | event.tile.bit))


def play(state: Fives, event: Play) -> Fives:
    """A tile goes on the line; the ends may score, and who has no tile left is out."""
    bit, seat = event.tile.bit, seat_of(state, event)
    if not bit & SET & ~lying(state):  # no table could show it, so nothing changes
        return state
    held = tuple(None if bits is None else bits & ~bit for bits in state.held)
    line = longer(state.line, event.tile, event.end)
    leader = seat if state.leader is None else state.leader
    state = replace(state, line=line, held=held, turn=1 - seat, leader=leader, passes=0)
    state = scored(state, seat, worth(line))
    return state if state.ended or held[seat] != 0 else finish(state, seat)


def passed(state: Fives, event: Pass) -> Fives:
    """A player cannot go on; if neither can, the line is blocked."""
    state = replace(state, turn=1 - seat_of(state, event), passes=state.passes + 1)
    return finish(state, None) if state.passes == 2 else state


def show(state: Fives, event: Aside) -> Fives:
    """A player shows the tiles left: while a hand is played it says that the other one is out."""
    if event.player is None or state.phase == "over":
        return state
    seat = state.players.index(event.player)
    out = 1 - seat if state.phase == "play" else state.out
    return finish(replace(state, held=put(state.held, seat, mask(event.tiles) & SET)), out)


def finish(state: Fives, out: int | None) -> Fives:
    """The hand after its last act; it is counted once the tiles that are left are known."""
    one, other = (0 if seat == out else bits for seat, bits in enumerate(state.held))
    leader = state.leader if out is None else out
    state = replace(state, phase="show", held=(one, other), out=out, leader=leader, turn=None)
    if one is None or other is None:
        return state
    state, pips = replace(state, phase="over"), (pips_of(one), pips_of(other))
    if pips[0] == pips[1]:
        return state
    winner = int(pips[1] < pips[0])
    return scored(replace(state, leader=winner), winner, nearest_five(pips[1 - winner]))


def scored(state: Fives, seat: int, points: int) -> Fives:
    """The totals with these points; the game ends when one of them reaches the target."""
    totals = tuple(total + points * (n == seat) for n, total in enumerate(state.totals))
    ended = totals[seat] >= state.target
    return replace(state, totals=totals, ended=ended, phase="over" if ended else state.phase)


def put(held: tuple[int | None, ...], seat: int, bits: int) -> tuple[int | None, ...]:
    """The hands with other tiles for one seat."""
    return tuple(bits if n == seat else known for n, known in enumerate(held))


# ── What lies where, and what it is worth ──────────────────────────────────────────────────────────────────


def longer(line: tuple[Tile, ...], tile: Tile, end: LineEnd | None) -> tuple[Tile, ...]:
    """The line with one tile more, turned so that equal halves meet if they can."""
    if not line:
        return (tile,)
    if (end or next(iter(fitting(line, tile)), "right")) == "left":
        return (tile if tile.second == line[0].first else tile.turned, *line)
    return (*line, tile if tile.first == line[-1].second else tile.turned)


def fitting(line: tuple[Tile, ...], tile: Tile) -> Sequence[LineEnd | None]:
    """The ends of the line that a tile fits.  The first tile of a line goes to no end: None."""
    if not line:
        return (None,)
    ends: tuple[tuple[LineEnd, int], ...] = (("left", line[0].first), ("right", line[-1].second))
    return [end for end, half in ends if half in (tile.first, tile.second)]


def fits(state: Fives, bits: int) -> Sequence[Tile]:
    """Those of these tiles that can be played now."""
    line = () if state.phase != "play" else state.line
    return [tile for tile in members(bits) if fitting(line, tile)]


def lying(state: Fives) -> int:
    """The tiles on the table."""
    return mask(state.line)


def possible(state: Fives, seat: int) -> int:
    """What a seat may hold: its hand or, where nobody wrote it down, all that is nowhere else."""
    if state.phase != "play":
        return SET
    own, other = state.held[seat], state.held[1 - seat]
    return SET & ~(other or 0) & ~lying(state) if own is None else own


def boneyard(state: Fives) -> int:
    """The tiles that may lie in the boneyard: those that the record has nowhere else."""
    return SET & ~lying(state) & ~(state.held[0] or 0) & ~(state.held[1] or 0)


def stock(state: Fives) -> int | None:
    """How many tiles can still be drawn; None where a hand is not known."""
    return None if None in state.held else max(0, boneyard(state).bit_count() - state.stay)


def ends(line: tuple[Tile, ...]) -> int:
    """What the open ends count; a double lies crosswise and counts both halves."""
    if len(line) == 1:
        return line[0].pips
    left, right = line[0], line[-1]
    return left.first * (1 + left.double) + right.second * (1 + right.double)


def worth(line: tuple[Tile, ...]) -> int:
    """What a play scores: the count of the ends if it is a multiple of five."""
    return 0 if ends(line) % 5 else ends(line)


def pips_of(bits: int) -> int:
    """The pips of these tiles."""
    return sum(tile.pips for tile in members(bits))


def nearest_five(pips: int) -> int:
    """Pips, rounded to the nearest multiple of five."""
    return (pips + 2) // 5 * 5


# ── What the rules demand ──────────────────────────────────────────────────────────────────────────────────


# Each player has seven tiles, written down before the first one is played.
@clause("fives.deal", "Each player has seven tiles, written down before the first one is played.", Deal)
def dealing(before: Fives, event: Deal, _after: Fives, _evidence: object) -> Iterable[Fault]:
    if before.phase == "play" and before.line:
        return [Fault(f"{event.player}'s hand is written down after the first tile was played")]
    return compare_deal(event, HAND)


# Players act in turn.  The winner of a hand leads the next.
@clause("fives.turn", "Players act in turn; the winner of a hand leads the next.", Draw, Play, Pass)
def turn(before: Fives, event: Draw | Play | Pass, _after: Fives, _evidence: object) -> Iterable[Fault]:
    seat = begun(before).turn
    if seat is None or before.players[seat] == event.player:
        return NOTHING
    return [Fault(f"It was {before.players[seat]}'s turn", before.players[seat], event.player)]


# A player plays a tile of their own hand.
@clause("fives.hand", "A player plays a tile of their own hand.", Play)
def holding(before: Fives, event: Play, _after: Fives, _evidence: object) -> Iterable[Fault]:
    if event.tile.bit & possible(before, seat_of(before, event)):
        return NOTHING
    return [Fault(f"{event.player} does not hold the {event.tile}", claimed=str(event.tile))]


# A tile goes on an end that equals one of its halves.  One that fits both ends goes on the end that is said.
@clause("fives.fit", "A tile goes on an end that equals one of its halves; where both do, the play says which.", Play)
def fit(before: Fives, event: Play, _after: Fives, _evidence: object) -> Iterable[Fault]:
    line = begun(before).line
    open_ends = fitting(line, event.tile)
    if not open_ends:
        return [Fault(f"The {event.tile} fits neither the {line[0].first} nor the {line[-1].second}")]
    if line and event.end not in (None, *open_ends):
        return [Fault(f"The {event.tile} does not fit on the {event.end}", open_ends[0], event.end)]
    if event.end is None and len(open_ends) == 2:
        return [Fault(f"The {event.tile} fits both ends, and the play does not say which")]
    return NOTHING


# A player draws only when no tile in the hand fits, and leaves the last two tiles where they are.
@clause("fives.draw", "A player draws only when no tile fits, and never the last two tiles of the boneyard.", Draw)
def drawing(before: Fives, event: Draw, _after: Fives, _evidence: object) -> Iterable[Fault]:
    state = begun(before)
    own = state.held[seat_of(state, event)]
    able = fits(state, own or 0)
    if able:
        return [Fault(f"{event.player} draws, but the {able[0]} in hand fits")]
    return [Fault("No tiles are left to draw")] if stock(state) == 0 else NOTHING


# A player passes only when no tile in the hand fits and none is left to be drawn.
@clause("fives.pass", "A player passes only when no tile fits and none is left to be drawn.", Pass)
def passing(before: Fives, event: Pass, _after: Fives, _evidence: object) -> Iterable[Fault]:
    state = begun(before)
    own = state.held[seat_of(state, event)]
    able, left = fits(state, own or 0), stock(state)
    if able:
        return [Fault(f"{event.player} passes, but the {able[0]} in hand fits")]
    if left:
        return [Fault(f"{event.player} passes, but {left} tiles are left to draw")]
    return (
        NOTHING
        if left == 0
        else [Fault(f"The record does not show whether {event.player} could go on", verdict="unproven")]
    )


# When a hand is over, the players show what they have left.
@clause("fives.show", "When a hand is over, the players show what they have left, and it is counted.", Aside)
def showing(before: Fives, event: Aside, _after: Fives, _evidence: object) -> Iterable[Fault]:
    if event.player is None:
        return [Fault("It is not written down who shows these tiles")]
    seat = before.players.index(event.player)
    own, other = before.held[seat], before.held[1 - seat]
    if before.phase == "play" and (before.turn != seat or other or before.passes):
        return [Fault(f"{event.player} shows tiles while the hand is played")]
    if before.hand == 0 or (own is not None and mask(event.tiles) != own):
        return [Fault(f"{event.player} has {names(own or 0)} left", names(own or 0), names(mask(event.tiles)))]
    return NOTHING


# A hand is counted before the next one begins.
@clause(
    "fives.counted", "Every hand is counted before the next one begins.", Deal, Draw, Play, Pass, verdict="unproven"
)
def counted(before: Fives, _event: Acted, _after: Fives, _evidence: object) -> Iterable[Fault]:
    return [Fault("Nobody wrote down what was left in the last hand")] if before.phase == "show" else NOTHING


# The totals are the points of all plays and of all hands that were won.
@clause("fives.score", "The totals are the points of all plays and of all hands that were won.", Score)
def totals(before: Fives, event: Score, _after: Fives, _evidence: object) -> Iterable[Fault]:
    faults = compare_points(event, by_player(before.players, before.totals), "total")
    open_ = before.lost or before.phase == "show"
    return [replace(fault, verdict="unproven") for fault in faults] if open_ else faults


# Who first reaches the target has won.
@clause("fives.win", "Who first reaches the target has won.", Result)
def win(before: Fives, event: Result, _after: Fives, _evidence: object) -> Iterable[Fault]:
    winners = [before.players[seat] for seat in standing(before).winners]
    return compare_winners(event, winners, f"{before.target} points") if before.ended else NOTHING


def missing(state: Fives) -> str:
    """What was still to come when a result was claimed."""
    return f"nobody has {state.target} points"


def standing(state: Fives) -> Standing:
    """The totals, and who has won."""
    winners = tuple(seat for seat in (0, 1) if state.totals[seat] >= state.target)
    return Standing(state.ended, state.totals, winners if state.ended else ())


def points(before: Fives, event: Correctable, after: Fives) -> Iterator[Points]:
    """Why somebody scored: the ends of the line, and what the other one had left."""
    for seat in (0, 1):
        gained = after.totals[seat] - before.totals[seat]
        at_ends = worth(after.line) if isinstance(event, Play) and event.player == after.players[seat] else 0
        if gained and at_ends:
            yield Points(seat, at_ends, "fives.ends", f"the ends count {at_ends}")
        if gained > at_ends:
            left = pips_of(after.held[1 - seat] or 0)
            yield Points(seat, gained - at_ends, "fives.left", f"{after.players[1 - seat]} has {left} pips left")


def elsewhere(state: Fives, event: Deal | Draw | Play | Aside) -> Iterator[tuple[int, str]]:
    """Where the record has tiles that an event names."""
    if state.phase == "play" or isinstance(event, Aside):
        yield lying(state), "is in the line already"
    if state.phase == "play" and isinstance(event, Deal | Draw):
        for seat, player in enumerate(state.players):
            if isinstance(event, Draw) or player != event.player:
                yield state.held[seat] or 0, f"is in the hand of {player}"


# ── What is seen ───────────────────────────────────────────────────────────────────────────────────────────


def scene(state: Fives) -> Scene:
    """The players with their totals, the line as it lies, the boneyard and the hands."""
    seats = tuple(Seat(player, state.totals[n], turn=n == state.turn) for n, player in enumerate(state.players))
    areas = [Row("the line", tuple(Pile(str(tile), (tile,)) for tile in state.line))]
    if state.hand and None not in state.held:
        areas.append(Row("boneyard", (Pile("face down", hidden=boneyard(state).bit_count()),)))
    hands = tuple(
        Hand(seat, (), None) if bits is None else Hand(seat, members(bits)) for seat, bits in enumerate(state.held)
    )
    return Scene(seats, tuple(areas), hands, status(state))


def status(state: Fives) -> str:
    """How things stand, in a line."""
    if state.ended:
        return "the game is over"
    if state.phase == "show":
        return "the players show what they have left"
    if state.phase == "over":
        leads = f", {state.players[state.leader]} leads" if state.leader is not None else ""
        return f"hand {state.hand + 1} is to be dealt{leads}"
    turn_ = f": {state.players[state.turn]} to play" if state.turn is not None else ""
    return f"hand {state.hand}, the ends count {ends(state.line)}{turn_}" if state.line else f"hand {state.hand}{turn_}"


def tally(state: Fives) -> Sequence[Tally]:
    """Where the tiles are, as far as the record knows."""
    held = (state.held[0] or 0).bit_count() + (state.held[1] or 0).bit_count()
    line = len(state.line)
    return (Tally("on the table", line), Tally("in hands", held), Tally("elsewhere", 28 - line - held))


# ── What may be done, and what playing by itself needs ─────────────────────────────────────────────────────


def choices(state: Fives) -> Sequence[Correctable]:
    """The legal acts now.  What is left to be shown nobody can know, and a draw comes from the boneyard."""
    if state.ended or state.phase == "show":
        return ()
    state = begun(state)
    acts: list[Correctable] = []
    for seat in (0, 1) if state.turn is None else (state.turn,):
        player, known = state.players[seat], state.held[seat] is not None
        plays = [
            Play(player, tile, end) for tile in fits(state, possible(state, seat)) for end in fitting(state.line, tile)
        ]
        acts += plays
        if state.line and not (known and plays) and not stock(state):
            acts.append(Pass(player))
    return acts


def tray(state: Fives, kind: type[Event], seat: int) -> Sequence[Tile]:
    """The tiles that an event could name: of the whole set for a hand that is written or shown."""
    if kind is Play:
        return members(possible(state, seat))
    return members(boneyard(state) if kind is Draw and state.phase == "play" else SET)


def chance(state: Fives, random: Random) -> Sequence[Correctable]:
    """A deal at the start of a hand; a tile from the boneyard for a player who cannot play."""
    if state.ended or state.phase == "show":
        return ()
    if state.phase == "over":
        tiles = random.sample(members(SET), 2 * HAND)
        return [Deal(player, tuple(tiles[n * HAND : (n + 1) * HAND])) for n, player in enumerate(state.players)]
    if state.turn is None or not state.line or not stock(state) or fits(state, state.held[state.turn] or 0):
        return ()
    return [Draw(state.players[state.turn], random.choice(members(boneyard(state))))]


def claims(before: Fives, act: Correctable, after: Fives) -> WithClaims:
    """What a careful table says: the totals after each hand, and who has won."""
    said: list[Correctable] = []
    if after.phase == "over" and (before.phase != "over" or after.ended) and not isinstance(act, Aside):
        said.append(Score("game", by_player(after.players, after.totals)))
    if after.ended and not before.ended:
        said.append(Result(tuple(after.players[seat] for seat in standing(after).winners)))
    return WithClaims(act, tuple(said))


def slips(state: Fives, random: Random) -> Iterator[Correctable]:
    """What a table could get wrong."""
    yield Score("game", by_player(state.players, [total + random.choice((0, 5)) for total in state.totals]))
    for seat, player in enumerate(state.players):
        yield Pass(player)
        yield Result((player,))
        yield Deal(player, tuple(random.sample(members(SET), HAND - 1)))
        yield Aside(tuple(random.sample(members(SET), 2)), player)
        for tile in random.sample(TILES[:40], 4):
            yield Draw(player, tile)
        for tile in (*members(possible(state, seat)), *random.sample(TILES[:40], 8)):
            yield Play(player, tile, random.choice(("left", "right")))


GAME = Game(
    name="fives",
    title="Fives",
    author="everybody",
    document="Foster's Complete Hoyle",
    seats="two players",
    seated=lambda opening: len(opening.players) == 2,
    options=(
        Option("target", "variant", (100, 150, 200), "the total that wins the game", "a whole number", a_count),
        Option("last_two", "variant", (True, False), "the last two tiles of the boneyard are never drawn"),
        Option("first", "fact", (None,), "who leads the first hand", "a player", a_player),
    ),
    events=(Deal, Draw, Play, Pass, Aside, Score, Result),
    scores=("game",),
    line_ends=True,
    closing=(Aside,),
    start=start,
    evolve=evolve,
    clauses=(
        in_set((Deal, Draw, Play, Aside), lambda _state: 6),
        once((Deal, Draw, Play, Aside), elsewhere),
        dealing,
        turn,
        holding,
        fit,
        drawing,
        passing,
        showing,
        counted,
        totals,
        Clause("fives.ends", "A play scores what the ends of the line count, if that is a multiple of five."),
        Clause("fives.left", "The winner of a hand scores the other's pips, rounded to the nearest five."),
        win,
        clause("fives.unfinished", "A result is called only when somebody has reached the target.", Result)(
            unfinished(standing, missing)
        ),
        after_end((Deal, Draw, Play, Pass)),
    ),
    standing=standing,
    points=lambda before, event, after: tuple(points(before, event, after)),
    scene=scene,
    tally=tally,
    choices=choices,
    tray=tray,
    simulation=Simulation(chance, claims, slips),
)
