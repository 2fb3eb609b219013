"""Reads the export of the app BG Stats (its backup in JSON) as score cards.

Source: the files that the app writes under Settings, "Export all data"; the app documents no fields.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from ledger.games.catalog import titled
from ledger.keep.score_cards import ScoreCard
from ledger.record.errors import NotARecord


class _Named(Struct):
    id: int
    name: str = ""


class _GameNamed(_Named):
    highestWins: bool = True  # noqa: N815  the app's own names of fields


class _Score(Struct):
    playerRefId: int  # noqa: N815
    score: str | int | None = None
    winner: bool = False
    seatOrder: int = 0  # noqa: N815


class _Play(Struct):
    gameRefId: int  # noqa: N815
    playDate: str = ""  # noqa: N815
    locationRefId: int | None = None  # noqa: N815
    playerScores: list[_Score] = []  # noqa: N815
    ignored: bool = False


class _Export(Struct):
    plays: list[_Play]
    games: list[_GameNamed]
    players: list[_Named]
    locations: list[_Named] = []


def read_plays(text: bytes, source: str, event: str | None = None) -> tuple[list[ScoreCard], list[NotARecord]]:
    """The plays as score cards, and why others were refused.  Raises NotARecord for another text."""
    try:
        export = msgspec.json.decode(text, type=_Export)
    except msgspec.DecodeError as error:
        raise NotARecord(f"not an export of BG Stats: {error}", source=source) from None
    games = {game.id: game for game in export.games}
    players = {player.id: player.name for player in export.players}
    places = {place.id: place.name for place in export.locations}
    cards, errors = list[ScoreCard](), list[NotARecord]()
    for number, play in enumerate(export.plays):
        if play.ignored:
            continue
        try:
            cards.append(_card(play, games, players, places.get(play.locationRefId or 0), event))
        except (LookupError, ValueError) as error:
            errors.append(NotARecord(str(error).strip("'"), source=source, field=f"$.plays[{number}]"))
    return cards, errors


def _card(
    play: _Play, games: Mapping[int, _GameNamed], players: Mapping[int, str], place: str | None, event: str | None
) -> ScoreCard:
    """A play as a card.  Raises ValueError or LookupError for a play without scores, or of unknown players."""
    game = games[play.gameRefId]
    seats = sorted(play.playerScores, key=lambda score: score.seatOrder)
    scores = {players[seat.playerRefId]: _points(seat.score) for seat in seats}
    if not scores or len(scores) < len(seats):
        raise ValueError("the play has no players, or two with one name")
    winners: list[str] | None = [players[seat.playerRefId] for seat in seats if seat.winner]
    if not winners and not game.highestWins:
        winners = [name for name, score in scores.items() if score == min(scores.values())]
    played = play.playDate[:10] if re.fullmatch(r"\d{4}-\d{2}-\d{2}.*", play.playDate) else None
    return ScoreCard(titled(game.name) or game.name, scores, winners or None, played, event, place or None)


def _points(score: Any) -> int:
    """A score, which the app also keeps as a sum such as ``40+5``."""
    text = str("" if score is None else score).replace(" ", "")
    if not re.fullmatch(r"[-+]?\d{1,9}([-+]\d{1,9})*", text):
        raise ValueError(f"the score {text!r} is not a whole number")
    return sum(map(int, re.findall(r"[-+]?\d+", text)))
