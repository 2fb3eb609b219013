"""Pages for an evening on paper: bring score sheets, mend them in place, keep them; and print blank ones."""

from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, abort, current_app, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from ledger.games import catalog
from ledger.games.catalog import player_counts
from ledger.keep.importing import Importer
from ledger.keep.recorder import new_link
from ledger.keep.sources import of_another_kind
from ledger.notation.refusals import text_of
from ledger.record.errors import NotARecord
from viewer.paper.blank_sheet import HANDS, blank_sheet_for
from viewer.paper.brought_sheets import MOST, Sheet, read_sheet, split_sheets
from viewer.paper.table_pages import LARGEST, tried
from viewer.server.access import BY_LINK
from viewer.server.context import ledger_recorder, store
from viewer.server.qr_codes import phone_link, qr_code
from viewer.server.roles import may_begin

paper = Blueprint("paper", __name__, static_folder="static", static_url_path="/paper/static")


@paper.get("/bring")
def bring() -> Any:
    """The page for score sheets that somebody pastes, drops or types from a photograph."""
    if not current_app.extensions["recording"]:
        return _page([], refusal="This ledger is read-only: no sheet can be kept here."), 409
    return _page([]) if may_begin() else (_page([], refusal=BY_LINK), 401)


@paper.post("/bring")
def read_sheets() -> Any:
    """Reads sheets, with faults marked in their lines; with ``do=keep`` it keeps those that can be read."""
    ledger_recorder()
    request.max_content_length = LARGEST
    texts = [text.replace("\r\n", "\n") for text in request.form.getlist("text")]
    chosen = [file for file in request.files.getlist("file") if not file.mimetype.startswith("image/")]
    files = [(file.filename or "the file", file.read()) for file in chosen]
    for name, data in (*files, *(("", text.encode()) for text in texts)):
        if _is_table(name, data):
            return _try(name, data)
    refusals = list[str]()
    for name, data in files:
        try:
            texts.append(text_of(data))
        except NotARecord as error:
            refusals.append(str(error.at(name)))
    sheets = [read_sheet(text) for text in [one for text in texts for one in split_sheets(text)][:MOST]]
    if refusals or not sheets:
        refusal = ". ".join(refusals) or "There is no sheet yet: paste one, or choose its file."
        return _page(sheets, refusal=refusal), 422
    kept = list[tuple[str, str, str]]()
    if request.form.get("do") == "keep":
        kept, sheets = _keep(sheets)
    return _page(sheets, kept)


def _is_table(name: str, data: bytes) -> bool:
    """Whether a file has only the results of games."""
    if name.lower().endswith((".csv", ".tsv")):
        return True
    try:
        return bool(of_another_kind(text_of(data).encode()))
    except NotARecord:
        return False


def _try(name: str, data: bytes) -> Any:
    try:
        return tried(MultiDict([("name", name)]), data)
    except NotARecord as error:
        return _page([], refusal=str(error)), 422


def _keep(sheets: list[Sheet]) -> tuple[list[tuple[str, str, str]], list[Sheet]]:
    """Keeps the sheets that can be read; returns title, record and new link of each, and the sheets that are left."""
    kept, left = list[tuple[str, str, str]](), list[Sheet]()
    readable = [sheet for sheet in sheets if sheet.record is not None]
    outcomes = Importer(store()).run(sheet.record for sheet in readable if sheet.record is not None)
    for sheet, outcome in zip(readable, outcomes, strict=True):
        if outcome.outcome == "refused":
            left.append(sheet._replace(summary=f"Not kept: {outcome.reason}."))
            continue
        link = ""
        if outcome.outcome == "imported":
            key = new_link(store(), outcome.record, "record")
            link = f"{url_for('phone.record', record_id=outcome.record)}#{key}"
        kept.append((sheet.title, outcome.record, link))
    return kept, left + [sheet for sheet in sheets if sheet.record is None]


def _page(sheets: list[Sheet], kept: list[tuple[str, str, str]] | None = None, refusal: str = "") -> str:
    games = [(game, player_counts(game)) for game in catalog.games()]
    return render_template("bring_sheets.html", sheets=sheets, kept=kept or [], refusal=refusal, games=games)


@paper.get("/bring/blank/<name>")
def blank_sheet(name: str) -> str:
    """A blank sheet to print, with a QR code that begins a game with its seats; `?player=` names them in order.

    `?players=` is their number if some have no name yet, `?set=` the largest number of the set.
    """
    if name not in catalog.names():
        abort(404)
    game = catalog.find(name)
    counts = player_counts(game)
    names = request.args.getlist("player")[: counts[-1]]
    wanted = request.args.get("players", len(names) or counts[0], type=int)
    count = min((n for n in counts if n >= max(wanted, len(names))), default=counts[-1])
    names = [*names, *[""] * (count - len(names))]
    sheet = blank_sheet_for(game, names, request.args.get("set", type=int))
    begin = phone_link()
    query = urlencode([("game", name), *(("player", each) for each in names if each)])
    link = begin and f"{begin}?{query}"
    return render_template(
        "blank_sheet.html", game=game, sheet=sheet, hands=HANDS, qr=qr_code(link), link=begin, counts=counts
    )
