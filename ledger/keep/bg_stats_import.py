"""Reads the export of the app BG Stats (its backup in JSON) as score cards.

Source: the files that the app writes under Settings, "Export all data"; the app documents no fields.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from ledger.games.catalog import titled
from ledger.keep.recorder import folded
from ledger.keep.score_cards import ScoreCard
from ledger.keep.score_tables import Plan, Reading
from ledger.record.errors import NotARecord
from ledger.record.events import Source
from ledger.record.words import day


class _Named(Struct, rename="camel"):
    """A game, a player or a place."""

    id: int
    name: str = ""
    is_anonymous: bool = False
    highest_wins: bool = True
    cooperative: bool = False

    @property
    def title(self) -> str:
        return " ".join(self.name.split())


class _Score(Struct, rename="camel"):
    player_ref_id: int
    score: str | float | None = None
    winner: bool | None = None
    rank: int | None = None
    team: str | int | None = None
    seat_order: int | None = None


class _Play(Struct, rename="camel"):
    game_ref_id: int | None = None
    uuid: str | None = None
    play_date: str | None = None
    location_ref_id: int | None = None
    player_scores: list[_Score] | None = None
    uses_teams: bool = False
    ignored: bool = False


class _Export(Struct):
    plays: list[_Play]
    games: list[_Named]
    players: list[_Named]
    locations: list[_Named] = []


def read_plays(text: bytes, source: str, plan: Plan) -> Reading:
    """The plays as score cards, and why others were refused.  Raises NotARecord for another text."""
    try:
        export = msgspec.json.decode(text.removeprefix(b"\xef\xbb\xbf"), type=_Export, strict=False)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise NotARecord(f"not an export of BG Stats: {error}", source=source) from None
    games, players, places = ({one.id: one for one in of} for of in (export.games, export.players, export.locations))
    cards, errors, left = list[ScoreCard](), list[NotARecord](), 0
    for play in export.plays:
        game = games.get(play.game_ref_id or 0, _Named(0))
        name = titled(game.title) or game.title
        if not plan.wants(name):
            left += 1
            continue
        played = play.play_date[:10] if play.play_date else None
        at = f"{day(played or '') or 'no day'}, {game.title or 'no game'}"
        card = ScoreCard(
            name, {}, None, played, plan.event, places.get(play.location_ref_id or 0, _Named(0)).title or None,
            lowest=plan.low(name) or not game.highest_wins,
            source=Source(from_="bgstats", id=play.uuid) if play.uuid else None, at=at,
        )  # fmt: skip
        try:
            card = _ended(card, play, players, plan, together=game.cooperative)
            reason = "no game" if not name else "the app ignores it" if play.ignored else card.wrong()
        except ValueError as error:
            reason = str(error)
        if reason:
            errors.append(NotARecord(f"{at}: {reason}", source=source))
        else:
            cards.append(card)
    return Reading(cards, errors, rows=len(export.plays), left_out=left, faulty=len(errors))


def _ended(card: ScoreCard, play: _Play, players: Mapping[int, _Named], plan: Plan, *, together: bool) -> ScoreCard:
    seats = sorted(play.player_scores or (), key=lambda seat: seat.seat_order or 0)
    by_name = dict(zip(_names(seats, players, plan), seats, strict=True))
    scores = {name: _points(seat.score) for name, seat in by_name.items()}
    winners = [name for name, seat in by_name.items() if seat.winner]
    # The app marks the winners of a play that has an end: where no seat is marked, nobody won.
    ended = bool(winners) or together or None not in scores.values()
    said = ended and any(seat.winner is not None for seat in seats)
    ranks = {name: seat.rank or 0 for name, seat in by_name.items()}
    ranked = min(ranks.values(), default=0) > 0 and {name for name in ranks if ranks[name] == 1} == {*winners} != set()
    teams = dict[str, list[str]]()
    for name, seat in by_name.items():
        # The app writes a team, 0, for players of games without teams, too.
        team = str(seat.team) if play.uses_teams and seat.team not in (None, "") else ""
        teams.setdefault("" if together else team or name, []).append(name)
    return card._replace(
        scores=scores, winners=winners if said else None, ranks=ranks if ranked else {},
        teams=[*teams.values()] if together or len(teams) < len(scores) else (),
    )  # fmt: skip


def _names(seats: Sequence[_Score], players: Mapping[int, _Named], plan: Plan) -> Iterator[str]:
    """The names at a table, with numbers for anonymous players.  Raises ValueError for somebody who is there twice."""
    seen, anonymous = set[str](), 0
    for seat in seats:
        player = players.get(seat.player_ref_id, _Named(0))
        name = plan.meant(player.title)
        if not name or player.is_anonymous:
            anonymous += 1
            name = f"Anonymous {anonymous}"
        if folded(name) in seen:
            raise ValueError(f"{name} is twice in the play")
        seen.add(folded(name))
        yield name


def _points(score: str | float | None) -> int | None:
    """A score, which the app also keeps as a sum such as ``40+5``.  Raises ValueError for another text."""
    text = "" if score is None else re.sub(r"[.,]0{1,2}(?![0-9])", "", str(score).replace(" ", ""))
    if not text:
        return None
    if not re.fullmatch(r"[-+]?\d{1,9}([-+]\d{1,9})*", text):
        raise ValueError(f"the score “{score}” is not a whole number")
    return sum(map(int, re.findall(r"[-+]?\d+", text)))
