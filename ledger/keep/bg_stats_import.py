"""Reads the export of the app BG Stats (its backup in JSON) as score cards.

Source: the files that the app writes under Settings, "Export all data"; the app documents no fields.
"""

from __future__ import annotations

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


class _Named(Struct):
    id: int
    name: str = ""


class _Player(_Named):
    isAnonymous: bool = False  # noqa: N815


class _GameNamed(_Named):
    highestWins: bool = True  # noqa: N815  the app's own names of fields
    cooperative: bool = False


class _Score(Struct):
    playerRefId: int  # noqa: N815
    score: str | float | None = None
    winner: bool | None = None
    rank: int | None = None
    team: str | None = None
    seatOrder: int | None = None  # noqa: N815


class _Play(Struct):
    gameRefId: int  # noqa: N815
    uuid: str = ""
    playDate: str = ""  # noqa: N815
    locationRefId: int | None = None  # noqa: N815
    playerScores: list[_Score] = []  # noqa: N815
    ignored: bool = False


class _Export(Struct):
    plays: list[_Play]
    games: list[_GameNamed]
    players: list[_Player]
    locations: list[_Named] = []


def read_plays(text: bytes, source: str, plan: Plan) -> Reading:
    """The plays as score cards, and why others were refused.  Raises NotARecord for another text."""
    try:
        export = msgspec.json.decode(text.removeprefix(b"\xef\xbb\xbf"), type=_Export)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise NotARecord(f"not an export of BG Stats: {error}", source=source) from None
    games = {game.id: game for game in export.games}
    players = {player.id: player for player in export.players}
    places = {place.id: " ".join(place.name.split()) for place in export.locations}
    cards, errors, left = list[ScoreCard](), list[NotARecord](), 0
    for play in export.plays:
        game = games.get(play.gameRefId)
        title = " ".join(game.name.split()) if game else ""
        name = titled(title) or title
        if play.ignored or not plan.wants(name):
            left += 1
            continue
        played = play.playDate[:10] if re.match(r"\d{4}-\d{2}-\d{2}", play.playDate) else None
        at = f"{day(played or '') or 'no day'}, {title or 'no game'}"
        of = Source(from_="bgstats", id=play.uuid) if play.uuid else None
        card = ScoreCard(
            name, {}, None, played, plan.event, places.get(play.locationRefId or 0) or None, None,
            lowest=plan.low(name) or (game is not None and not game.highestWins), source=of, at=at,
        )  # fmt: skip
        try:
            card = _ended(card, play.playerScores, players, plan, together=game is not None and game.cooperative)
            reason = card.wrong() if title else "no game"
        except ValueError as error:
            reason = str(error)
        if reason:
            errors.append(NotARecord(f"{at}: {reason}", source=source))
        else:
            cards.append(card)
    return Reading(cards, errors, rows=len(export.plays), left_out=left, faulty=len(errors))


def _ended(
    card: ScoreCard, seats: Sequence[_Score], players: Mapping[int, _Player], plan: Plan, *, together: bool
) -> ScoreCard:
    """The card with the points, winners, ranks and teams of a play.  Raises ValueError."""
    ordered = sorted(seats, key=lambda seat: seat.seatOrder or 0)
    by_name = dict(zip(_names(ordered, players, plan), ordered, strict=True))
    scores = {name: _points(seat.score) for name, seat in by_name.items()}
    winners = [name for name, seat in by_name.items() if seat.winner]
    # The app marks the winners of a play that has an end: where no seat is marked, nobody won.
    ended = bool(winners) or together or None not in scores.values()
    said = ended and any(seat.winner is not None for seat in seats)
    ranks = {name: seat.rank or 0 for name, seat in by_name.items()}
    ranked = min(ranks.values(), default=0) > 0 and {name for name in ranks if ranks[name] == 1} == {*winners} != set()
    teams = dict[str, list[str]]()
    for name, seat in by_name.items():
        teams.setdefault("" if together else seat.team or name, []).append(name)
    return card._replace(
        scores=scores, winners=winners if said else None, ranks=ranks if ranked else {},
        teams=[*teams.values()] if together or len(teams) < len(scores) else (),
    )  # fmt: skip


def _names(seats: Sequence[_Score], players: Mapping[int, _Player], plan: Plan) -> Iterator[str]:
    """The names at a table, with numbers for anonymous players.  Raises ValueError for somebody who is there twice."""
    seen, anonymous = set[str](), 0
    for seat in seats:
        player = players.get(seat.playerRefId, _Player(0))
        name = plan.same_name(" ".join(player.name.split()))
        if not name or player.isAnonymous:
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
