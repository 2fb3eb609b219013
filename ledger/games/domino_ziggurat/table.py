"""The table of Domino Ziggurat: what one event does to it."""

from collections.abc import Collection, Iterable, Mapping

from msgspec.structs import replace

from ledger.games.domino_ziggurat import state as s
from ledger.games.domino_ziggurat.tiers import TIERS, UNKNOWN, above, covered, squares
from ledger.record.events import Draw, Lift, Place
from ledger.record.tiles import named
from ledger.rules.game import Evolve, by_event

Building = tuple[dict[int, int], dict[int, tuple[int, int]], tuple[tuple[int, int, str], ...]]
"""What lies on the table: the `halves`, the `lies` and the `unknown` of a state."""


def on_draw(state: s.DominoZiggurat, event: Draw) -> s.DominoZiggurat:
    """The table after a draw; a tile that was seen before, or that is not in the set, counts as an unknown one."""
    tile, bit = event.tile, event.tile.bit
    act = s.written(event)
    if act == state.act:
        return state
    state = replace(state, act=act, refilling=True)
    if s.explains(state, event):
        state = replace(state, amiss=state.amiss - 1)
        if tile.index in state.lies:
            state = _forget(state, tile.index)
    elif not bit & s.SET & ~state.seen:
        return replace(state, unread=state.unread + 1)
    held = state.held + 1
    return replace(
        state,
        hand=state.hand | bit,
        drawn=state.drawn | bit,
        seen=state.seen | bit,
        held=held,
        most=max(state.most, held),
    )


def _forget(state: s.DominoZiggurat, index: int) -> s.DominoZiggurat:
    """The table when it turns out that a domino is not the one that was written, but an unknown one."""
    lies = state.lies.copy()
    one, other = lies.pop(index)
    name = f"{state.halves[one]}-{state.halves[other]}"
    return replace(
        state,
        lies=lies,
        halves={**state.halves, one: UNKNOWN, other: UNKNOWN},
        unknown=(*state.unknown, (one, other, name)),
        last=None if state.last == index else state.last,
    )


def on_place(state: s.DominoZiggurat, event: Place) -> s.DominoZiggurat:
    """The table after a placement; if the squares are in use, only the hand has one tile fewer."""
    act = s.written(event)
    if act == state.act:
        return state
    one, other = squares(event)
    known = not s.nameless(state, event)
    # If a lifted domino goes back, the hand stays as it is, and is not filled up now.
    put_back = event.tile.bit & state.lifted
    if not put_back:
        state = _play(state, event)
    if one in state.halves or other in state.halves:
        state = _lay_anew(state, s.laid_anew(state, (one, other)))
        if one in state.halves or other in state.halves:
            return replace(state, refilling=not put_back, act=act)
    if known:
        return _lay(state, event, one, other, act)
    return _lay_unknown(replace(state, refilling=not put_back, act=act), event, one, other)


def _play(state: s.DominoZiggurat, event: Place) -> s.DominoZiggurat:
    """The table when a tile leaves the hand.

    A tile that is not in the hand may be an unknown one that was drawn; otherwise it counts as amiss.
    """
    # How many of the first three tiles nobody wrote down.  If no draw is written at all, nothing is known.
    missing = s.short(state) if state.drawn else 0
    unread, amiss, held = state.unread + missing, state.amiss, max(0, state.held - 1)
    if not event.tile.bit & state.hand and not s.nameless(state, event):
        if unread:
            unread, held = unread - 1, state.held
        else:
            amiss += 1
    overdue = state.overdue | state.lifted if state.rules.back_at_once else 0
    return replace(state, held=held, unread=unread, amiss=amiss, overdue=overdue)


def _lay(state: s.DominoZiggurat, event: Place, one: int, other: int, act: tuple[str | int, ...]) -> s.DominoZiggurat:
    """The table when a domino comes to lie on these squares; `act` is what was written."""
    tile, rest = event.tile, ~event.tile.bit
    lies = {**state.lies, tile.index: (one, other)}
    return replace(
        state,
        halves={**state.halves, one: tile.first, other: tile.second},
        lies=lies,
        hand=state.hand & rest,
        seen=state.seen | tile.bit,
        lifted=state.lifted & rest,
        overdue=state.overdue & rest,
        refilling=not tile.bit & state.lifted,
        last=tile.index,
        act=act,
        ended=finished(lies, state.unknown),
    )


def _lay_unknown(state: s.DominoZiggurat, event: Place, one: int, other: int) -> s.DominoZiggurat:
    """The table with a domino on these squares that cannot be the one written, so it is unknown.

    If all tiles of the set are on the table, there is no other.
    """
    if len(state.lies) + len(state.unknown) >= s.WHOLE:
        return state
    unknown = (*state.unknown, (one, other, str(event.tile)))
    return replace(
        state,
        halves={**state.halves, one: UNKNOWN, other: UNKNOWN},
        unknown=unknown,
        last=None,
        ended=finished(state.lies, unknown),
    )


def _lay_anew(state: s.DominoZiggurat, tiles: Iterable[int]) -> s.DominoZiggurat:
    """The table when it turns out that tiles were lifted, though nobody wrote it down, before they were laid again."""
    for index in tiles:
        domino = next(domino for domino in reversed(state.unknown) if named(domino[2]).index == index)
        one, other, name = domino
        tile, old = named(name), state.lies[index]
        halves = {at: pips for at, pips in state.halves.items() if at not in old}
        state = replace(
            state,
            halves={**halves, one: tile.first, other: tile.second},
            lies={**state.lies, index: (one, other)},
            unknown=tuple(entry for entry in state.unknown if entry is not domino),
            held=min(state.held + 1, state.most),
            once=state.once | tile.bit,
            cheats=state.cheats + (not (tile.bit & state.once and state.rules.each_domino)),
        )
    return state


# Every lifted domino is a cheat, even one that is lifted to reach another; by a ruling each domino counts only once.
def on_lift(state: s.DominoZiggurat, event: Lift) -> s.DominoZiggurat:
    """The table after a lift; a domino that is not there, or that something rests on, stays where it is."""
    act = s.written(event)
    if act == state.act:
        return state
    both, bit = s.liftable(state, event), event.tile.bit
    if both is None and not s.unwritten(state, event):
        return replace(state, act=act)
    if both is None:
        state = replace(state, held=state.held - 1, most=max(s.HAND, state.most - 1))
    elif state.unknown and covered(state.halves, both):
        state = _lay_anew(state, s.laid_anew(state, above(both)))
    halves, lies, unknown = _without(state, event.tile.index, both)
    return replace(
        state,
        act=act,
        halves=halves,
        lies=lies,
        unknown=unknown,
        hand=state.hand & ~bit,
        seen=state.seen | bit,
        lifted=state.lifted | bit,
        once=state.once | bit,
        overdue=state.overdue & ~bit,
        refilling=False,
        cheats=state.cheats + (not (bit & state.once and state.rules.each_domino)),
        last=None,
    )


def _without(state: s.DominoZiggurat, index: int, both: tuple[int, int] | None) -> Building:
    """What lies there without the domino on these squares; None if it lies nowhere."""
    if both is None:
        return state.halves, state.lies, state.unknown
    halves, lies, unknown = state.halves.copy(), state.lies.copy(), state.unknown
    del halves[both[0]], halves[both[1]]
    lies.pop(index, None)
    return halves, lies, tuple([domino for domino in unknown if domino[0] in halves]) if unknown else unknown


def finished(lies: Mapping[int, tuple[int, int]], unknown: Collection[tuple[int, int, str]]) -> bool:
    """Whether the ziggurat of these dominoes is finished: none is missing or lifted."""
    return len(lies) + len(unknown) == s.WHOLE and s.on_tiers(lies, unknown) == tuple(TIERS.values())


evolve: Evolve[s.DominoZiggurat] = by_event({Draw: on_draw, Place: on_place, Lift: on_lift})
"""The table after an act."""
