"""Setting up a game of Build Up: the layout, and the draws for the first turn.

Source: the clause page of Build Up (`build-up.setup`); the rule document, as kept at pagat.com.
"""

from __future__ import annotations

from msgspec.structs import replace

from ledger.games.build_up.numbers import LAID, SET, UNKNOWN
from ledger.games.build_up.state import BuildUp, done_before
from ledger.record.events import Draw, Layout
from ledger.record.tiles import mask
from ledger.rules.shared_clauses import put


# Each player lays out six tiles; they begin the stacks, in the order in which they were laid.
def on_layout(state: BuildUp, event: Layout) -> BuildUp:
    """Each tile begins a stack; one that cannot be there counts as an unknown tile."""
    seat = state.rules.seat[event.player]
    if laid_before(state, event):
        return replace(state, last=None)
    stacks, free = list(state.stacks), SET & ~(state.laid[seat] | state.used[seat])
    for tile in event.tiles:
        stacks.append(LAID[seat][tile.index if tile.bit & free else UNKNOWN])
        free &= ~tile.bit
    laid = SET & ~(free | state.used[seat])
    return replace(state, stacks=tuple(stacks), laid=put(state.laid, seat, laid), last=None)


def laid_before(state: BuildUp, event: Layout) -> bool:
    """Whether the same layout was written down before, tile for tile."""
    tiles, laid = mask(event.tiles), state.laid[state.rules.seat[event.player]]
    return bool(tiles) and tiles == laid


# Each player draws a tile.  The player with the most pips plays first; those who tie draw again.  The tile drawn is in
# the first hand; the tiles of a tied draw go back, or stay by a ruling.
def on_draw(state: BuildUp, event: Draw) -> BuildUp:
    """Counts the draw if the player draws in this round; the last draw of a round decides it."""
    seat, tile = state.rules.seat[event.player], event.tile
    if draws_out_of_round(state, event) or done_before(state, event):
        return state
    free = tile.bit & SET & ~(state.laid[seat] | state.used[seat] | (state.drawn[seat] if state.rules.kept else 0))
    drawn = (state.drawn[seat] if state.rules.kept else 0) | free
    draws = {**dict(state.round), seat: tile.pips if free else -1}
    state = replace(state, drawn=put(state.drawn, seat, drawn), round=tuple(draws.items()), last=(seat, tile.index, 0))
    if len(draws) < state.rivals.bit_count():
        return state
    if -1 in draws.values():
        # It is unknown who drew the most, so anybody may begin or draw again.
        return replace(state, round=(), rivals=(1 << len(state.rules.players)) - 1, opener=None)
    best = [drawer for drawer, pips in draws.items() if pips == max(draws.values())]
    rivals = sum(1 << drawer for drawer in best)
    return replace(state, round=(), rivals=rivals, opener=best[0] if len(best) == 1 else None)


def draws_out_of_round(state: BuildUp, event: Draw) -> bool:
    """Whether a player draws who did not tie, or who has already drawn in this round."""
    seat = state.rules.seat[event.player]
    return not state.rivals >> seat & 1 or seat in dict(state.round)
