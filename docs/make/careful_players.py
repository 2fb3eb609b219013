"""How the careful players of the made-up season choose: they try what comes out best, and see all hands."""

from collections.abc import Sequence
from random import Random
from typing import Any

from ledger.audit.replay import advance
from ledger.play.simulate import Pick
from ledger.record.events import Cheats, Correctable, Over, Play, Stack, actor
from ledger.rules.game import Game

CANDIDATES, REPLIES, ROLLOUTS = 16, 24, 8
"""How many choices are compared, how many replies to each, and how often the rest of a hand is tried."""
LOOSE = 0.01
"""How often a builder of a Domino Ziggurat does something else than the most sensible."""


def careful(game: Game[Any]) -> Pick:
    """How a careful player chooses: by how a hand ends, by the next reply or, where all win together, by sense."""
    way = by_trying if game.hand_number else by_sense if Cheats in game.events else by_replies
    return lambda state, choices, random, _count: way(game, state, choices, random)


def by_sense(_game: Game[Any], _state: Any, choices: Sequence[Correctable], random: Random) -> Correctable:
    """Nearly always the most sensible choice."""
    return random.choice(choices[:4]) if random.random() < LOOSE else choices[0]


def by_replies(game: Game[Any], state: Any, choices: Sequence[Correctable], random: Random) -> Correctable:
    """The choice after which the player is furthest ahead, whatever the next player replies."""
    standings = [(lead(game, advance(game, state, act), act), random.random(), act) for act in choices]
    best = sorted(standings, key=lambda entry: entry[:2], reverse=True)[:CANDIDATES]
    return max(best, key=lambda entry: _after_reply(game, state, entry[2], random))[2]


def _after_reply(game: Game[Any], state: Any, act: Correctable, random: Random) -> float:
    after = advance(game, state, act)
    replies = game.choices(after) if game.choices else ()
    tried = random.sample(replies, min(REPLIES, len(replies)))
    return min((lead(game, advance(game, after, reply), act) for reply in tried), default=lead(game, after, act))


def lead(game: Game[Any], state: Any, act: Correctable) -> float:
    """By how many points the player of an act is ahead of the others, on average."""
    seat, scores = state.rules.seat[actor(act)], game.standing(state).scores
    others = [score for other, score in enumerate(scores) if other != seat]
    return float(scores[seat] - sum(others) / len(others))


def by_trying(game: Game[Any], state: Any, choices: Sequence[Correctable], random: Random) -> Correctable:
    """The choice after which the hand ends best for the player when it is played on at random, some times."""
    if len(choices) == 1:
        return choices[0]
    tiles = [act for act in choices if isinstance(act, Stack | Play)] if len(choices) > CANDIDATES else choices
    step = max(1, len(choices) // CANDIDATES)
    tried = choices[::step] if not tiles else tiles if len(tiles) <= CANDIDATES else random.sample(tiles, CANDIDATES)
    return max(tried, key=lambda act: sum(_played_on(game, state, act, random) for _ in range(ROLLOUTS)))


def _played_on(game: Game[Any], state: Any, act: Correctable, random: Random) -> float:
    """How far ahead the player is when the hand is over, after this act and others at random."""
    after = advance(game, state, act)
    while True:
        acts = game.chance(after, random)
        if acts and not all(isinstance(dealt, Over) for dealt in acts):
            return lead(game, after, act)  # the next hand is dealt
        choices = [] if acts or game.choices is None else game.choices(after)
        if not acts and not choices:
            return lead(game, after, act)
        after = advance(game, after, acts[0] if acts else _any(choices, random))


def _any(choices: Sequence[Correctable], random: Random) -> Correctable:
    """Any tile; without one, the first choice, which is to pass."""
    tiles = [choice for choice in choices if isinstance(choice, Stack | Play)]
    return random.choice(tiles) if tiles else choices[0]
