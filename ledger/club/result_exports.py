"""Results for other programs: rows for a spreadsheet, and a link that enters a finished game in the app BG Stats.

Source of the link's fields: https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/
"""

import csv
import io
from collections.abc import Iterable
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any
from urllib.parse import quote

import msgspec

from ledger.audit.review import Review
from ledger.club.people import Played
from ledger.games.catalog import together
from ledger.keep.stored_audits import list_entry
from ledger.record import events as e
from ledger.record.errors import NotForNow
from ledger.stores import schema
from ledger.stores.record_list import result_rows, row_of

COLUMNS = (
    "record", "day", "event", "where", "game", "edition", "seat", "player", "score", "won", "rank", "team", "players",
    "finished", "moves", "hands", "mistakes", "card",
)  # fmt: skip
YES = ("no", "yes")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Spreadsheets treat a text that begins with one of these as a formula."""


def csv_bytes(games: Iterable[Played], delimiter: str = ",") -> bytes:
    """The results of these games as CSV in UTF-8: a row for each player, with this mark between the cells.

    Unknown values are empty.
    It begins with a byte order mark: without one, Excel takes the letters for those of another encoding.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(COLUMNS)
    for game in games:
        for number, seat in enumerate(game.seats, 1):
            writer.writerow((
                game.record, game.day, safe(game.event), safe(game.place), safe(game.game), safe(game.edition),
                number, safe(seat.name), seat.score, YES[seat.won] if game.decided else None, seat.rank,
                seat.side if seat.side > 0 else None, game.players, YES[game.finished], game.moves,
                game.hands, game.mistakes, YES[game.card],
            ))  # fmt: skip
    return text.getvalue().encode("utf-8-sig")


def safe(text: str | None) -> str | None:
    """A text that no spreadsheet treats as a formula: it gets an apostrophe in front if it would be one."""
    return f"'{text}" if text and text.startswith(_FORMULA) else text


APP = "bgstats://app.bgstatsapp.com/createPlay.html?data="
"""The address that opens the app BG Stats.  That of its web site works too, but tells the site who played."""
LONGEST = 24 * 60
"""Minutes beyond which a game was probably interrupted, so that its times do not show how long it took."""
_PLAYER = itemgetter(*(schema.COLUMNS["result"].index(name) - 1 for name in ("player", "name", "score", "won", "rank")))
_NOT_MOVES = (e.Deal, e.Aside, e.Layout)


def bg_stats(review: Review) -> str:
    """The link that enters a finished game in BG Stats; the app asks before it saves the game.

    Raises NotForNow for a game that is not finished, or that says no day: the app would take today for it.
    """
    opening = review.effective.opening
    if not review.report.finished:
        raise NotForNow(f"record {review.name}: only a finished game goes to BG Stats")
    results = result_rows(row_of(review.name, review.record), (), list_entry(review))
    ended, minutes = _times(review)
    if not (opening.played or ended):
        raise NotForNow(f"record {review.name}: it says no day, and BG Stats would take today")
    first_player = _first_player(review)
    standing = review.standing()
    teams = {player: str(number) for number, team in enumerate(opening.teams, 1) for player in team}
    if len(opening.teams) == 1 and len(teams) == len(results):  # all play together
        teams = {}
    low_wins = review.game.name in together() or standing.low_wins
    play: dict[str, Any] = {
        "sourceName": "Domino Ledger",
        "sourcePlayId": review.name,
        "playDate": f"{opening.played} 12:00:00" if opening.played and ended[:10] != opening.played else ended,
        "durationMin": minutes,
        "comments": opening.event,
        "location": opening.place,
        "game": {
            "name": review.game.title,
            "sourceGameId": review.game.name,
            "highestWins": not low_wins,
            "noPoints": len(standing.unsaid) == len(results),
        },
        # The app needs `winner` and `startPlayer` for every player, even if they are false.
        "players": [
            {
                "name": name,
                "sourcePlayerId": name,
                **({} if score is None else {"score": score}),
                **({} if rank is None else {"rank": rank}),
                "winner": won == 1,
                "startPlayer": player == first_player,
                **({"team": teams[player]} if player in teams else {}),
            }
            for player, name, score, won, rank in map(_PLAYER, results)
        ],
    }
    fields = {field: value for field, value in play.items() if value not in (None, "")}
    return APP + quote(msgspec.json.encode(fields).decode(), safe="")


def _times(review: Review) -> tuple[str, int | None]:
    """When the game ended, in UTC as the app wants it (empty if unknown), and how many minutes it took, if known.

    A record that was continued days later does not show when the game ended: then this is when it began.
    """
    moments = []
    for event in review.record.events:
        try:
            moment = datetime.fromisoformat(event.when or "")
        except ValueError:
            continue
        moments.append(moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC))
    if not moments:
        return "", None
    minutes = round((moments[-1] - moments[0]).total_seconds() / 60)
    plausible = 0 <= minutes <= LONGEST
    return moments[-1 if plausible else 0].strftime("%Y-%m-%d %H:%M:%S"), minutes if plausible and minutes else None


def _first_player(review: Review) -> str | None:
    """The id of the player who acted first; hands, layouts and tiles set aside do not count as moves."""
    acts = (
        step.event for step in review.steps if type(step.event) in e.ACTS and not isinstance(step.event, _NOT_MOVES)
    )
    return next((player for event in acts if (player := e.actor(event)) is not None), None)
