"""Makes whole games from a seed: legal from start to end, or with one planted breach.

Every act is one of the game's `choices`, so a simulated game follows the rules.  To plant a breach, this module tries
what a table could do wrong until the audit finds exactly the wanted clause.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

from msgspec.structs import replace

from ledger.audit.auditor import audit, ruling_names
from ledger.audit.judge import judge
from ledger.audit.replay import advance
from ledger.games.catalog import player_counts
from ledger.record.errors import NotARecord, NotForNow
from ledger.record.events import Aside, Close, Correctable, Open, Pass, Player, Rank
from ledger.record.record import Record
from ledger.record.tiles import TILES, Tile, size
from ledger.rules.game import GRAVE, Clause, Game, Opening, Step
from ledger.rules.shared_clauses import is_past_end

NAMES = ("Ana", "Ben", "Cy", "Dee", "Eli", "Fay", "Gil", "Hal")
LONGEST = 1000
"""The number of events after which a game without an end is abandoned."""
CURIOUS, KEENEST, PATIENCE = 3, 8, 20
"""How much the sensible choices are preferred: at first, at most, and after how many events one step more."""
SHORTER = 600
"""The most events of a game in which a breach is planted."""
TRIES = 40
"""How many games are tried before planting a breach is given up."""
SLIPS = 240
"""How many slips are tried at one place of a game."""
WORDS = {"dir": "eswn", "end": ("left", "right"), "direction": ("regular", "reverse"), "title": ("Master of Tiles",)}
"""What can stand in the fields that have a word."""

Pick = Callable[[Any, Sequence[Correctable], Random, int], Correctable]
"""(state, choices, random, number of events so far) → the choice that is played."""


def by_whim(_state: Any, choices: Sequence[Correctable], random: Random, count: int) -> Correctable:
    """A choice as people make it who play for fun.

    The sensible choices come first.  They are picked most often, and more and more so: people try things at first, and
    want to go home in the end.
    """
    keenness = min(KEENEST, CURIOUS + count / PATIENCE)
    return choices[int(len(choices) * random.random() ** keenness)]


def simulate(
    game: Game[Any],
    seed: int,
    options: Mapping[str, Any] | None = None,
    *,
    players: int | None = None,
    edition: str | None = None,
    fault: str | None = None,
    pick: Pick = by_whim,
) -> Record:
    """One game, the same for the same arguments on every machine.

    `options` are those of the opening; `players` is their number (by default the fewest that can play).  `fault` is the
    id of the clause that the planted breach breaks.  `pick` makes the players' choices in a legal game.  Raises
    NotARecord for an option that the game does not know, NotForNow for a clause that cannot be planted.
    """
    random = Random(f"{game.name}/{seed}")  # noqa: S311  a shuffle that anybody can repeat
    open_ = open_event(game, options or {}, players, edition)
    if fault is None:
        return Record(tuple(play(game, open_, random, pick)))
    if not any(clause.id == fault and clause.on for clause in game.clauses):
        clause_ids = ", ".join(clause.id for clause in game.clauses if clause.on)
        raise NotForNow(f"{game.title} has no clause {fault!r} that an event can break; it has {clause_ids}")
    for _ in range(TRIES):
        record = _plant(game, open_, fault, random)
        if record is not None:
            return record
    raise NotForNow(
        f"no breach of {fault} came up in {TRIES} games from seed {seed}; try other options or another seed"
    )


def any_options(game: Game[Any], random: Random) -> tuple[dict[str, Any], int, str | None]:
    """Random options, a number of players and an edition that the game allows."""
    edition = random.choice(game.editions) if game.editions else None
    players = random.choice([count for count in player_counts(game, edition) if count < 5])
    seated = _seated(players)
    ids, names = tuple(player.id for player in seated), tuple(player.name for player in seated)
    opening = Opening(game.name, edition, ids, names, {})
    for _ in range(TRIES):
        options = {}
        for option in game.options:
            values = [
                *option.values,
                *(player for player in opening.players if option.valid and option.valid(player, opening)),
            ]
            options[option.name] = random.choice(values)
        try:
            game.opening(Open(game.name, edition, options, seated))
        except NotARecord:
            continue  # some options exclude each other
        return options, players, edition
    raise NotForNow(f"{game.title} refuses the options that were drawn; name them yourself")


def _seated(players: int) -> tuple[Player, ...]:
    names = (NAMES[n] if n < len(NAMES) else f"Player {n + 1}" for n in range(players))
    return tuple(Player(id=name.lower().replace(" ", ""), name=name) for name in names)


def open_event(
    game: Game[Any], options: Mapping[str, Any], players: int | None = None, edition: str | None = None
) -> Open:
    """An opening of the game; by default for the fewest who can play, and of the first edition."""
    if edition is None and game.editions:
        edition = game.editions[0]
    if players is None:
        players = player_counts(game, edition)[0]
    # A game without a revision is judged by the first, so games of the first need none, and their bytes stay the same.
    rules = game.revision if game.earlier else None
    return Open(game.name, edition, dict(options), _seated(players), rules=rules)


def play(game: Game[Any], open_: Open, random: Random, pick: Pick = by_whim) -> Iterator[Correctable]:
    """The events of a legal game, from its opening to its close."""
    state = game.start(game.opening(open_))
    yield open_
    for event, after in events_from(game, state, random, LONGEST, pick):
        state = after
        yield event
    yield Close("finished" if game.standing(state).finished else "abandoned")


def events_from(
    game: Game[Any], state: Any, random: Random, limit: int, pick: Pick = by_whim
) -> Iterator[tuple[Correctable, Any]]:
    """Legal events from a state to the end of the game (or `limit` of them), each with the state after it."""
    count = 0
    if game.choices is None:
        raise NotForNow(
            f"{game.title} cannot be simulated: its Game has no `choices`, so nothing says what may be played"
        )
    while count < limit:
        acts = game.chance(state, random)
        if not acts:
            choices = game.choices(state)
            if not choices:
                return
            acts = [pick(state, choices, random, count)]
        for act in acts:
            after = advance(game, state, act)
            recorded, *claims = game.claims(state, act, after)
            state = after
            yield recorded, state
            for claim in claims:
                state = advance(game, state, claim)
                yield claim, state
            count += 1 + len(claims)


def states_of(game: Game[Any], events: Sequence[Correctable]) -> list[Any]:
    """The state after each of these events; the first event is the opening."""
    states = [game.start(game.opening(Record((events[0],)).opening))]
    for event in events[1:]:
        states.append(advance(game, states[-1], event))
    return states


def _plant(game: Game[Any], open_: Open, fault: str, random: Random) -> Record | None:
    """A game whose only finding is one breach of that clause, or None if none came up."""
    clause = next(clause for clause in game.clauses if clause.id == fault)
    clean = list(islice(play(game, open_, random), SHORTER))
    places = list(enumerate(states_of(game, clean), 1))
    random.shuffle(places)
    for place, state in places:
        for slip in slips(game, clean, place, state, random):
            if type(slip) in clause.on and may_break(game, clause, state, slip):
                record = _with_slip(game, (*clean[:place], slip), fault, random)
                if record is not None:
                    return record
    return None


def slips(
    game: Game[Any], events: Sequence[Correctable], place: int, state: Any, random: Random
) -> Iterator[Correctable]:
    """Acts and claims that a table could get wrong at this place of a game; those that happen to be legal do no harm.

    They are the event that stands there, others of the game, legal acts and a few more; most of them are misread.
    `state` is the one before them.
    """
    opening = game.opening(Record((events[0],)).opening)
    other = [act for player in opening.players for act in (Pass(player), Rank(player, 0), Aside(TILES[:1], player))]
    sources = [events[place : place + 1], events[1:], game.choices(state) if game.choices else (), other]
    sources = [source for source in sources if source]
    for _ in range(SLIPS):
        slip: Any = random.choice(random.choice(sources))
        if type(slip) in game.events:
            fields = slip.__struct_fields__
            for name in random.sample(fields, min(len(fields), random.randrange(3))):
                slip = replace(slip, **{name: _misread(name, getattr(slip, name), game, opening, random)})
            yield slip


def _misread(name: str, value: Any, game: Game[Any], opening: Opening, random: Random) -> Any:
    """Another value for a field of this name; the same one if nobody misreads it."""
    tile = TILES[random.randrange(size(opening.options.get("set", game.largest)))]
    match value:
        case str():
            return random.choice(opening.players if name == "player" else WORDS.get(name, (value,)))
        case Tile():
            return random.choice((tile, tile.turned, value.turned, random.choice(TILES)))
        case (int(x), int(y)):
            return x + random.randint(-5, 5), y + random.randint(-2, 2)
        case tuple() if name == "winners":
            return tuple(random.sample(opening.players, random.randrange(len(opening.players))))
        case tuple():
            return random.choice((value[1:], (*value, tile), (*value[1:], tile)))
        case dict():
            return {**value, random.choice(opening.players): random.randrange(30)}
        case int() if type(value) is int:
            least = 1 if name == "level" else 0
            return max(least, random.choice((value - 1, value + 1, value + 2, 1)))
    return value


def may_break(game: Game[Any], clause: Clause[Any], state: Any, slip: Correctable) -> bool:
    """Whether an event breaks this clause and no other: a quick test before the whole audit.

    It leaves evidence about hidden hands to the audit.
    """
    after = advance(game, state, slip)
    # No other condition may be asked here, because it may rely on the impossible having been judged before it.
    if clause.when is is_past_end and not is_past_end(state, slip, after):
        return False
    step = Step(0, slip, state, after)
    # It does not matter which rulings the slip depends on, so none is asked.
    findings = judge(game, [step], {}, set(ruling_names(game))).findings
    broken = {finding.clause for finding in findings if finding.verdict in GRAVE}
    return broken <= {clause.id} and (clause.proved or bool(broken))


def _with_slip(game: Game[Any], events: tuple[Correctable, ...], fault: str, random: Random) -> Record | None:
    """The record of these events, whose last is the slip, and of the game as it goes on.

    If later events would be faulted too, the record ends with the slip.  None if the slip is not such a breach.
    """
    place = len(events) - 1
    if not _accuses_only(game, Record(events), place, fault):
        return None
    later = tuple(event for event, _state in events_from(game, states_of(game, events)[-1], random, SHORTER))
    continued = Record((*events, *later))
    return continued if later and _accuses_only(game, continued, place, fault) else Record(events)


def _accuses_only(game: Game[Any], record: Record, seq: int, clause: str) -> bool:
    """Whether the only finding of the audit is this clause at this event."""
    grave = [finding for finding in audit(game, record).findings if finding.verdict in GRAVE]
    return bool(grave) and all(finding.seq == seq and finding.clause == clause for finding in grave)
