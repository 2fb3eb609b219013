"""Pages without a script: a score card for anybody who may begin a game, and what only the owner of the ledger does."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Annotated, Any

from flask import Blueprint, abort, current_app, make_response, redirect, render_template, request, url_for
from msgspec import Meta, Struct

from ledger.club.adjustments import adjust, withdraw
from ledger.games import catalog
from ledger.keep import recovering
from ledger.keep.imports import imports
from ledger.keep.recorder import Recorder, end_link, folded, tables
from ledger.keep.renaming import Renaming, exists, rename, renamings, undo
from ledger.keep.score_cards import ScoreCard, here_already
from ledger.keep.stored_audits import audit_anew
from ledger.record import clock
from ledger.record.errors import LedgerError, NotForNow
from ledger.record.events import Text
from ledger.record.words import day, is_day, sentence
from ledger.stores.beside import Key
from ledger.stores.query import Query, Row
from viewer.club.club_addresses import event_url, player_url
from viewer.paper.evening_tables import sheet
from viewer.server.access import BY_LINK, require_owner, unauthorized
from viewer.server.context import ledger_recorder, own, store
from viewer.server.endpoints import Endpoints, Nothing
from viewer.server.phones_of_links import Hands, Phone
from viewer.server.qr_codes import phone_base
from viewer.server.roles import may_begin, roles

pages = Blueprint("owner", __name__)

FIELDS = "game", "event", "place", "played", "won", "lowest", "sure"
"""The fields of a score card, besides the scores."""
LONGEST = 200
"""The most letters of a field."""
MOST_PLAYING = 60
"""How many games in play are listed."""
MOST_ASIDE = 50
"""How many games that were set aside are listed, and how many imports."""
_NUMBER = re.compile(r"[-–—•·*\s]*(?:[0-9]{1,3}(?:[.):]\s*|\s+)(?=\D))?")
"""What stands before the names in a list: a dash, a dot, a number."""
_LINE = re.compile(r"(?P<name>.*?)(?P<between>[\s:=.,;|–—-]*[\s:=,;|])(?P<score>[-−]?[0-9]{1,9})\.?")


@pages.get("/card")
def score_card() -> Any:
    """The form for a score card."""
    blank = {"played": clock.today().isoformat(), "game": "", "event": request.args.get("event", "")}
    if not current_app.extensions["recording"]:
        return _card_page(blank, "This ledger is read-only: no score card can be kept here."), 409
    return _card_page(blank) if may_begin() else (_card_page(blank, BY_LINK), 401)


@pages.post("/card")
def enter_card() -> Any:
    """Stores a score card, and shows it."""
    recorder = ledger_recorder()
    typed = {name: " ".join(request.form.get(name, "").split()) for name in FIELDS}
    typed["scores"] = request.form.get("scores", "")
    try:
        card = _card(typed)
        record_id = recorder.import_record(card.record())
    except (ValueError, LedgerError) as error:
        return _card_page(typed, str(getattr(error, "reason", error))), 422
    audit_anew(store())
    return redirect(url_for("replay.replay", record_id=record_id), 303)


def _card_page(typed: dict[str, str], wrong: str = "") -> str:
    titles = [game.title for game in catalog.games()]
    return render_template("score_card.html", typed=typed, wrong=wrong, titles=titles)


def _card(typed: dict[str, str]) -> ScoreCard:
    """The card that somebody typed.  Raises ValueError with what is wrong."""
    if not typed["game"] or len(typed["game"]) > LONGEST:
        raise ValueError("Name the game.")
    if typed["played"] and not is_day(typed["played"]):
        raise ValueError("Write the day like 2026-11-20.")
    scores, teams = dict[str, int | None](), list[list[str]]()
    for line in filter(str.strip, typed["scores"].splitlines()):
        name, score = _name_and_score(line.strip())
        team = [" ".join(one.split()) for one in re.split(r"\s[&+]\s", name)]
        for one in team:
            if folded(one) in map(folded, scores):
                raise ValueError(f"{one} is there twice.")
            scores[one] = score
        teams += [team]
    card = ScoreCard(
        typed["game"], scores, _winners(typed["won"], scores), typed["played"] or None, typed["event"] or None,
        typed["place"] or None, teams=teams if len(teams) < len(scores) else (), lowest=bool(typed["lowest"]),
    )  # fmt: skip
    if reason := card.wrong():
        raise ValueError(sentence(reason))
    ahead = f"{day(typed['played'])} has not come yet." if clock.is_ahead(typed["played"]) else ""
    doubts = " ".join(filter(None, (ahead, here_already(store(), card))))
    if doubts and typed["sure"] != doubts:
        typed["sure"] = doubts
        raise ValueError(f"{doubts} If the card is right, keep these scores again.")
    return card


def _name_and_score(line: str) -> tuple[str, int | None]:
    """A line of a card: a name, and a score if there is one.  Raises ValueError where it could mean something else."""
    line = _NUMBER.sub("", line, count=1)
    match = _LINE.fullmatch(line)
    if match is None and not re.search(r"\d", line) and 0 < len(alone := line.rstrip(" -–—:=,;|")) <= LONGEST:
        return " ".join(alone.split()), None
    if match is None or not match["name"] or len(match["name"]) > LONGEST:
        raise ValueError(f"“{line[:60]}”: write a name and a score on each line, such as Ana 101.")
    name, between = match["name"], match["between"]
    if name[-1].isdecimal() and not {*between} & {*":="}:
        raise ValueError(
            f"“{line[:60]}” has two numbers: write the score as one, such as Ana 1000, or a colon before it."
        )
    # The dot of an initial belongs to the name.
    name += "." if between.startswith(". ") and re.search(r"\b\w{1,2}$", name) else ""
    return " ".join(name.split()), int(match["score"].replace("−", "-"))


def _winners(typed: str, scores: Iterable[str]) -> list[str] | None:
    """Who won, None if nobody says so.  Raises ValueError for somebody who did not play."""
    if folded(typed) in ("", "nobody"):
        return [] if typed else None
    names = {folded(name): name for name in scores}
    won = [" ".join(name.split()) for name in re.split("[,;&]", typed) if name.strip()]
    for name in won:
        if folded(name) not in names:
            raise ValueError(f"{name} is not among the players.")
    return [names[folded(name)] for name in won]


@pages.get("/owner")
def owner() -> Any:
    """What the owner can do; others are asked for the owner's link."""
    if "owner" not in roles(""):
        return render_template("owner.html", owner=False), 401
    aside = store().find(Query(voided=True, limit=MOST_ASIDE))
    reasons = [(row, store().read(row.id).void) for row in aside]
    return render_template(
        "owner.html",
        owner=True,
        recovering=recovering.until(store()),
        aside=reasons,
        history=renamings(store()),
        imports=imports(store())[: -MOST_ASIDE - 1 : -1],
        playing=list(_playing()),
        today=clock.today().isoformat(),
    )


def _playing() -> Iterator[tuple[Row, list[tuple[str, list[Phone]]]]]:
    """The games in play with a recorder's link, the latest first; of each link the digest in hex and its phones."""
    for row in store().find(Query(closed=False, limit=MOST_PLAYING)):
        if row.card or (row.audit and row.audit.finished):
            continue
        digests = [key.digest for key in store().kept(Key, row.id) if key.role == "record"]
        links = [(digest.hex(), own(Hands).of(row.id, digest)) for digest in digests]
        if links:
            yield row, links


@pages.post("/owner/tables")
def table_sheet() -> Any:
    """A sheet to print, with a new recorder's link for each game of a day that is in play."""
    ledger_recorder()
    if "owner" not in roles(""):
        return unauthorized("Only the owner may do this", "open the owner's link first")
    day = request.form.get("played", "").strip() or clock.today().isoformat()
    event = request.form.get("event", "").strip()[:LONGEST]
    if not is_day(day):
        raise NotForNow(f"{day!r} is not a day: write it like 2026-11-20")
    rows = tables(store(), day, event)
    if not rows:
        raise NotForNow(f"no game of {day} is in play: begin the games first, or choose another day")
    base = phone_base()
    made = sheet(
        store(),
        rows,
        base or request.host_url.rstrip("/"),
        only="only" in request.form,
        private=current_app.extensions["private"],
    )
    answer = make_response(render_template("evening_tables.html", tables=made, day=day, unreachable=not base))
    answer.headers["Cache-Control"] = "no-store"  # its codes record
    return answer


@pages.post("/owner/<act>")
def owner_acts(act: str) -> Any:
    """Sets a game aside, renames a person, takes one of them back, or ends a link; then shows what has changed.

    A new name that somebody else has is a question first.
    """
    recorder = ledger_recorder()
    if "owner" not in roles(""):
        return unauthorized("Only the owner may do this", "open the owner's link first")
    if act not in ACTS:
        abort(404)
    typed = {name: request.form.get(name, "").strip()[: 2 * LONGEST] for name in request.form}
    if act == "rename" and "old" in typed and "merge" not in typed and _is_somebody_else(typed):
        return render_template("one_person.html", old=typed["old"], new=typed["new"])
    address = ACTS[act](recorder, typed)
    audit_anew(store())
    return redirect(address if typed.get("then") or act == "rename" else url_for("owner.owner"), 303)


def _is_somebody_else(typed: dict[str, str]) -> bool:
    """Whether another person has the new name already.  Raises NotForNow if the form says so, and nobody has."""
    known = exists(store(), typed.get("new", ""))
    if "known" in typed and not known:
        raise NotForNow(f"nobody here is called {typed.get('new', '')!r}")
    return known and exists(store(), typed["old"]) and folded(typed["new"]) != folded(typed["old"])


def _void(recorder: Recorder, typed: dict[str, str], *, undo: bool = False) -> str:
    record_id = typed.get("record", "")
    recorder.void(record_id, "" if undo else typed.get("why", ""), undo=undo)
    return url_for("replay.replay", record_id=record_id)


def _rename(_recorder: Recorder, typed: dict[str, str]) -> str:
    return player_url(rename(store(), typed.get("old", ""), typed.get("new", ""), merge="merge" in typed).new)


def _end(_recorder: Recorder, typed: dict[str, str]) -> str:
    digest = typed.get("link", "")
    if not re.fullmatch("[0-9a-f]{64}", digest):
        raise NotForNow("this is not a link of a game")
    end_link(store(), typed.get("record", ""), bytes.fromhex(digest))
    return url_for("owner.owner")


def _undo(_recorder: Recorder, typed: dict[str, str]) -> str:
    return player_url(undo(store(), _number(typed.get("number", ""))).old)


def _adjust(_recorder: Recorder, typed: dict[str, str]) -> str:
    points = typed.get("points", "")
    number = int(points) if re.fullmatch(r"[-+]?[0-9]{1,7}", points) else 0
    adjustment = adjust(store(), typed.get("event", ""), typed.get("player", ""), number, typed.get("why", ""))
    return event_url(adjustment.event)


def _withdraw(_recorder: Recorder, typed: dict[str, str]) -> str:
    withdraw(store(), _number(typed.get("number", "")))
    return event_url(typed.get("event", ""))


def _number(text: str) -> int:
    """The number in a form or an address; 0 if the text is not a number."""
    return int(text) if text.isdecimal() and len(text) < 10 else 0


ACTS: dict[str, Callable[[Recorder, dict[str, str]], str]] = {
    "void": _void,
    "restore": partial(_void, undo=True),
    "rename": _rename,
    "undo": _undo,
    "end": _end,
    "adjust": _adjust,
    "withdraw": _withdraw,
}
"""What the owner can do, by the end of its address; each returns the page of the game or the person."""
endpoint = Endpoints()


class VoidRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Why a game is set aside; with `undo` it is brought back."""

    why: Text = ""
    undo: bool = False


class VoidReply(Struct, frozen=True):
    """The record, whether it is set aside, and its version."""

    record: str
    voided: bool
    version: int


class RenameRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The new name of a person; `merge` if somebody who has it already is the same person."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    merge: bool = False


class UndoRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing more than the number of the renaming, in the address."""


@endpoint("/records/{record_id}/void", VoidReply, problems=(400, 401, 404, 409, 415), body=VoidRequest, keyed=True)
def void(wanted: VoidRequest, record_id: str) -> VoidReply:
    """Sets a game aside, so that no list, count, standings or statistics have it, or brings it back."""
    recorder = ledger_recorder()
    require_owner()
    version = recorder.void(record_id, wanted.why, undo=wanted.undo)
    audit_anew(store())
    return VoidReply(record_id, not wanted.undo, version)


@endpoint("/players/{name}/rename", Renaming, problems=(400, 401, 409, 415), body=RenameRequest, keyed=True)
def rename_player(wanted: RenameRequest, name: str) -> Renaming:
    """Renames a person in every record.  Fingerprints stay as they are."""
    ledger_recorder()
    require_owner()
    renaming = rename(store(), name, wanted.name, merge=wanted.merge)
    audit_anew(store())
    return renaming


@endpoint("/renamings", list[Renaming], problems=(400, 401))
def renaming_list(_query: Nothing) -> list[Renaming]:
    """What was renamed and not taken back, the earliest first: for the owner, because an old name may be private."""
    require_owner(writing=False)
    return renamings(store())


@endpoint("/renamings/{number}/undo", Renaming, problems=(400, 401, 409, 415), body=UndoRequest, keyed=True)
def undo_renaming(_wanted: UndoRequest, number: str) -> Renaming:
    """Takes a renaming back."""
    ledger_recorder()
    require_owner()
    renaming = undo(store(), _number(number))
    audit_anew(store())
    return renaming
