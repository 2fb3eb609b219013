"""The recorder's server: keys, repeated batches, conflicts, and games begun on a page."""

import json
import re
import sqlite3
from contextlib import closing
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_id, new_key
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record import events as e
from ledger.record.events import ACTS, Amend, AnyEvent, Bid, Deal, Draw, Insert, Note, Open, Pass, Place, Retract
from ledger.record.record import Record
from ledger.record.scene import Grid, Laid
from ledger.record.tiles import named
from ledger.stores import connection, questions
from ledger.stores.beside import Key, Named
from ledger.stores.store import SqliteStore
from sheets import PLAYERS
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.phone import offline_files
from viewer.phone.act_prompts import prompts
from viewer.phone.recorded_moves import RecordedEvent, moves_of
from viewer.phone.recorder_answers import Question, later_words, question_about
from viewer.phone.recorder_parts import LaidTile, laid_tiles
from viewer.phone.recorder_view import RecorderView, Remark, ViewQuery, recorder_view

SEED = 7


class Phone:
    """A client that records one game."""

    def __init__(self, *, recording: bool = True) -> None:
        self.ledger = TemporaryStore()
        self.key = new_key()
        self.id = Recorder(self.ledger).open(Open("zigzag", players=PLAYERS))
        self.ledger.put([Key(self.id, key_digest(self.key))])
        self.client = create_app(self.ledger.reopen, recording=recording).test_client()

    def post(self, action: str, body: Any, key: str | None = None) -> Any:
        headers = {"Authorization": f"Bearer {self.key if key is None else key}"}
        data = msgspec.json.encode(body)
        path = f"/api/v1/records/{self.id}/{action}"
        return self.client.post(path, data=data, headers=headers, content_type="application/json")

    def send(self, expected: int, *entries: tuple[str, AnyEvent], key: str | None = None) -> Any:
        rows = [{"id": id_, "event": json.loads(codec.encode_event(event))} for id_, event in entries]
        return self.post("events", {"expected": expected, "entries": rows}, key)

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        return tuple(msgspec.structs.replace(e, when=None) for e in self.ledger.read(self.id).events[1:])


@pytest.fixture
def phone() -> Phone:
    return Phone()


def test_what_is_sent_is_recorded_and_the_answer_says_where_the_record_is(phone: Phone) -> None:
    answer = phone.send(1, ("first-0001", Bid("ana", 3)), ("second-0002", Pass("ben")))
    assert answer.status_code == 200
    screen = phone.client.get(f"/api/v1/records/{phone.id}/screen").json
    assert answer.json == {"version": 3, "link": screen["link"]}
    assert [move["words"] for move in screen["moves"]] == ["Ana bids 3", "Ben passes"]
    assert screen["scene"]["seats"][2]["turn"]
    assert phone.events == (Bid("ana", 3), Pass("ben"))


def test_random_retries_lose_nothing_and_double_nothing() -> None:
    random = Random(SEED)
    acts = [event for event in simulate(catalog.find("zigzag"), 3, {"hands": 3}).events if isinstance(event, ACTS)]
    for _ in range(25):
        phone = Phone()
        end = recorded = 0
        while recorded < 30:
            end = max(end, random.randint(recorded + 1, 30))
            start = random.randint(0, recorded) if random.random() < 0.5 else recorded
            entries = [(f"entry-{n:08}", acts[n]) for n in range(start, end)]
            assert phone.send(start + 1, *entries).status_code == 200
            if random.random() < 0.6:  # otherwise the answer is lost
                recorded = end
        assert phone.events == tuple(acts[:30])


def test_the_second_of_two_sees_what_the_first_recorded(phone: Phone) -> None:
    phone.send(1, ("first-0001", Bid("ana", 3)))
    answer = phone.send(1, ("other-0001", Bid("ana", 4)), ("other-0002", Pass("ben")))
    assert answer.status_code == 409
    assert answer.content_type == "application/problem+json"
    assert answer.json["version"] == 2
    assert answer.json["done"] == 0
    (missed,) = answer.json["missed"]
    assert (missed["seq"], missed["words"], missed["event"]["bid"]) == (1, "Ana bids 3", 3)
    assert phone.events == (Bid("ana", 3),)


def test_a_draft_is_the_view_with_more_events_and_before_one_of_them_and_records_nothing(phone: Phone) -> None:
    phone.send(1, ("first-0001", Bid("ana", 3)))
    more = [json.loads(codec.encode_event(event)) for event in (Pass("ben"), Retract(1, "a slip"))]
    later = phone.post("draft", {"events": more}).json
    assert (later["version"], [move["words"] for move in later["moves"]]) == (4, ["Ben passes"])
    earlier = phone.post("draft", {"events": more[:1], "before": 2}).json
    assert (earlier["before"], earlier["scene"]["seats"][1]["turn"]) == (2, True)
    assert phone.events == (Bid("ana", 3),)


def test_an_entry_that_cannot_be_recorded_is_refused_and_those_before_it_stand(phone: Phone) -> None:
    entries = (("first-0001", Bid("ana", 3)), ("second-0002", Retract(9, "why")), ("third-0003", Pass("cy")))
    answer = phone.send(1, *entries)
    assert answer.status_code == 422
    assert (answer.json["done"], answer.json["version"]) == (1, 2)
    assert "no earlier move" in answer.json["detail"]
    assert phone.events == (Bid("ana", 3),)
    assert phone.send(2, ("fourth-0004", Pass("nobody"))).status_code == 422
    assert phone.send(1, ("first-0001", Bid("ana", 9))).status_code == 422  # an id that stands for something else


@pytest.mark.parametrize("key", ["", "x", new_key()], ids=["none", "short", "another"])
def test_without_the_key_nothing_is_recorded(phone: Phone, key: str) -> None:
    answer = phone.send(1, ("first-0001", Bid("ana", 3)), key=key)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert phone.events == ()
    phone.id = Recorder(phone.ledger).open(Open("zigzag", players=PLAYERS))
    assert phone.send(1, ("first-0001", Bid("ana", 3))).status_code == 401


def test_an_invalid_batch_is_refused_with_the_reason(phone: Phone) -> None:
    path = f"/api/v1/records/{phone.id}/events"
    assert phone.client.post(path, data="{}", content_type="text/plain").status_code == 415
    for body, reason in (
        ("{", "truncated"),
        ("{}", "required field `expected`"),
        ('{"expected":1,"entries":[]}', "length >= 1"),
        ('{"expected":1,"entries":[{"id":"a","event":{"type":"pass","player":"ana"}}]}', "regex"),
        ('{"expected":1,"entries":[{"id":"aaaaaaaa","event":{"type":"jump"}}]}', "Invalid value 'jump'"),
    ):
        answer = phone.client.post(path, data=body, content_type="application/json")
        assert answer.status_code == 400
        assert reason in answer.json["detail"]
    large = phone.client.post(path, data=b" " * 1_000_001, content_type="application/json")
    assert large.status_code == 413
    assert large.content_type == "application/problem+json"


def test_an_event_that_the_game_does_not_know_is_refused(phone: Phone) -> None:
    assert "has no stack" in phone.send(1, ("first-0001", e.Stack("ana", named("1-1"), 1))).json["detail"]
    assert phone.send(1, ("first-0001", e.Play("ana", named("1-1")))).status_code == 200


# ── A game is begun ────────────────────────────────────────────────────────────────────────────────────────


def begin(client: FlaskClient, **typed: str) -> Any:
    form = {"id": new_id(), "key": new_key(), "game": "zigzag"}
    form |= {"player1": "Ana", "player2": "Ben", "player3": "Cy"}
    return client.post("/new", data=form | typed)


def id_in(location: str) -> str:
    return location.removeprefix("/r/").partition("#")[0]


def test_a_game_is_begun_once_however_often_it_is_sent(phone: Phone) -> None:
    record_id, key = new_id(), new_key()
    for _ in range(2):
        answer = begin(phone.client, id=record_id, key=key, **{"option.first_bidder": '"seat 2"'})
        assert answer.status_code == 303
        assert answer.location == f"/r/{record_id}#{key}"
    opening = phone.ledger.read(record_id).opening
    assert [player.id for player in opening.players] == ["p1", "p2", "p3"]
    assert opening.options == {"first_bidder": "p2"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", opening.played or "")
    assert questions.roles(phone.ledger, record_id, key_digest(key))
    assert begin(phone.client, id=record_id).status_code == 409  # with another key


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        ({"player2": "ANA "}, "player2", "There are two players called ANA. Add a letter to one: “ANA L.”?"),
        ({"player1": "Zoe\u0308", "player3": "ZO\u00cb"}, "player3", "There are two players called ZO\u00cb"),
        ({"player2": ""}, "player2", "Player 2 has no name."),
        ({"player2": "\u200b \u2060"}, "player2", "Player 2 has no name."),
        ({"player4": "Dee"}, "player3", "Zigzag is for three players. Take one out."),
        ({"player1": "", "player2": "", "player3": ""}, "player1", "Zigzag is for three players. Name three more."),
        ({"player3": ""}, "player3", "Zigzag is for three players. Name one more."),
        ({"option.target": "many"}, "option.target", "“many” is not one of"),
    ],
)
def test_what_is_wrong_is_reported_at_its_field(phone: Phone, typed: dict[str, str], field: str, message: str) -> None:
    answer = begin(phone.client, **typed)
    assert answer.status_code == 422
    messages = dict(re.findall(r'<p class="wrong" id="([\w.]+)-wrong" role="alert">([^<]*)</p>', answer.text))
    assert list(messages) == [field]
    assert messages[field].startswith(message)
    assert 'value="Ben"' in answer.text or "player2" in typed
    assert "$." not in answer.text
    assert "event 0" not in answer.text
    assert len(phone.ledger.ids()) == 1


def test_what_no_form_sends_begins_nothing(phone: Phone) -> None:
    both = begin(phone.client, **{"option.target": "60", "option.hands": "3"})
    assert "A game has a target or a fixed number of hands, not both." in both.text
    for wrong in ({"game": "chess"}, {"key": "short"}):
        assert begin(phone.client, **wrong).status_code == 400
    assert len(phone.ledger.ids()) == 1


def test_the_number_of_players_depends_on_the_edition(phone: Phone) -> None:
    two = {"game": "domino-ziggurat", "player1": "Ana", "player2": "Ben", "player3": ""}
    refused = begin(phone.client, **two, edition="1.1")
    assert refused.status_code == 422
    assert "Domino Ziggurat is for one player. Take one out." in refused.text
    assert begin(phone.client, **two, edition="2").status_code == 303


def test_the_form_offers_the_people_of_the_last_tables(phone: Phone) -> None:
    begin(phone.client, player1="Dee", player2="Eli", player3="ana")
    page = phone.client.get("/new?game=ziggurat").text
    assert re.findall(r'data-name="([^"]*)"', page) == ["Dee", "Eli", "ana", "Ben", "Cy"]


def test_a_private_ledger_does_not_tell_which_records_there_are(phone: Phone) -> None:
    client = create_app(lambda: phone.ledger, private=True).test_client()
    assert {client.get(f"/r/{record_id}").status_code for record_id in ("nope", phone.id)} == {200}


def test_the_worker_stores_every_part_of_the_page(phone: Phone) -> None:
    with phone.client.get("/worker.js") as answer:
        parts = json.loads(f"[{answer.text.partition('const PARTS = [')[2].partition('];')[0]}]")
    for part in parts:
        with phone.client.get(part) as file:
            assert file.status_code == 200, part
            if part.endswith(".js"):
                for module in re.findall(r'from "\./([\w.]+)";', file.text):
                    assert f"{part.rpartition('/')[0]}/{module}" in parts
    page = phone.client.get(f"/r/{phone.id}").text
    assert set(re.findall(r'(?:src|href)="(/[^"]+\.(?:js|css|webmanifest))"', page)) <= set(parts)


def test_options_are_read_as_the_game_means_them(phone: Phone) -> None:
    typed = {"option.scoring": '"points"', "option.target": "none", "option.hands": "6", "option.split_penalty": "true"}
    record_id = id_in(begin(phone.client, **typed).location)
    opening = phone.ledger.read(record_id).opening
    assert opening.options == {"scoring": "points", "target": None, "hands": 6, "split_penalty": True}
    rematch = phone.client.get(f"/new?from={record_id}").text
    assert 'name="player1" value="Ben"' in rematch
    assert 'name="player1" value="Ana"' in phone.client.get(f"/new?again={record_id}").text
    split = rematch.partition('name="option.split_penalty"')[2].partition("</select>")[0]
    assert '<option value="true" selected>' in split


@pytest.mark.parametrize("game", catalog.names())
def test_every_game_has_a_form_and_it_opens_the_game(phone: Phone, game: str) -> None:
    page = phone.client.get(f"/new?game={game}").text
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]+)"', page))
    form |= {name: f"P{n}" for n, name in enumerate(re.findall(r'name="(player\d)"[^>]*required', page))}
    options = re.findall(r'<select name="([\w.]+)"><option value="([^"]*)"', page)
    form |= {name: value.replace("&#34;", '"') for name, value in options}
    assert phone.client.post("/new", data=form).status_code == 303
    assert phone.ledger.read(form["id"]).opening.game == game


def test_the_recorder_is_one_page_for_all_records(phone: Phone) -> None:
    first, second = phone.client.get("/r/aaaaaaaaaa").data, phone.client.get("/r/bbbbbbbbbb").data
    assert first == second
    with phone.client.get("/worker.js") as worker:
        assert worker.mimetype == "text/javascript"


def test_the_worker_is_made_again_only_when_its_pages_changed(phone: Phone, monkeypatch) -> None:
    first = phone.client.get("/worker.js").data
    rendered = list[str]()
    monkeypatch.setattr(offline_files, "render_template", lambda name, **_values: rendered.append(name) or name)
    assert phone.client.get("/worker.js").data == first
    assert not rendered
    monkeypatch.setattr(offline_files, "loss", lambda: "3 of 10 events are gone")
    assert phone.client.get("/worker.js").data != first
    assert rendered == [*offline_files.STORED_PAGES]


def test_a_form_that_cannot_be_recorded_now_keeps_what_was_typed(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(connection, "PATIENCE", 0.1)
    ledger = SqliteStore(tmp_path / "a.sqlite")
    client = create_app(ledger.reopen).test_client()
    form = {"id": new_id(), "key": new_key(), "game": "zigzag", "player1": "Zoë", "player2": "Ben", "player3": "Cy",
            "place": "the kitchen", "option.set": "6"}  # fmt: skip
    with closing(sqlite3.connect(tmp_path / "a.sqlite", isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        answer = client.post("/new", data=form)
        writer.execute("ROLLBACK")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert "press Begin again" in answer.text
    for typed in (form["id"], form["key"], "Zoë", "Ben", "the kitchen"):
        assert f'value="{typed}"' in answer.text
    assert ledger.ids() == ()
    assert client.post("/new", data=form).status_code == 303
    assert len(ledger.ids()) == 1
    ledger.close()


# ---- What the recorder offers to be called in one tap: the points of a placement, and the claims after a move.


def acts_only(record: Record) -> Record:
    """The record without its claims."""
    events = (replace(e, points=None) if isinstance(e, Place) else e for e in record.events if isinstance(e, ACTS))
    return Record((record.opening, *events))


def shown(record: Record) -> RecorderView:
    return recorder_view(Review(record, "x"))


def test_the_points_of_a_placement_are_counted_and_called() -> None:
    record = acts_only(simulate(catalog.find("ziggurat"), 2))
    scoring = 0
    for count in range(4, len(record.events)):
        part = Record(record.events[:count])
        placed = shown(part).parts.placed
        assert placed is not None
        assert placed.called is None
        scoring += placed.counted > 0
        last = part.events[-1]
        assert isinstance(last, Place)
        called = shown(Record((*part.events[:-1], replace(last, points=7)))).parts.placed
        assert called is not None
        assert (called.counted, called.called) == (placed.counted, 7)
    assert scoring


@pytest.mark.parametrize(("game", "claim", "options"), [("build-up", e.Score, {}), ("zigzag", e.Take, {"hands": 3})])
def test_claims_are_offered_after_their_move_until_they_are_recorded(
    game: str, claim: type, options: dict[str, int]
) -> None:
    record = simulate(catalog.find(game), 2, options)
    at = next(n for n, event in enumerate(record.events) if isinstance(event, claim))
    before, after = shown(Record(record.events[:at])), shown(Record(record.events[: at + 1]))
    assert [replace(call, when=None) for call in before.calls] == [replace(record.events[at], when=None)]
    assert not any(isinstance(call, claim) for call in after.calls)
    assert not shown(Record(record.events[: at - 1])).calls
    assert not shown(record).calls  # the game is over: the result is called


# ---- The tiles on the squares of a recorder's page, from above.


GAMES = ("ziggurat", "domino-ziggurat")


def grid_of(game: str, share: float) -> Grid:
    """The squares of a simulated game after this share of its events."""
    events = simulate(catalog.find(game), 2).events
    review = Review(Record(events[: int(len(events) * share)]))
    return next(area for area in review.game.scene(review.steps[-1].after).areas if isinstance(area, Grid))


def on_top(grid: Grid) -> dict[tuple[int, int], Laid]:
    """The highest tile of each square."""
    tops: dict[tuple[int, int], Laid] = {}
    for laid in sorted(grid.laid, key=lambda laid: laid.level):
        tops |= {laid.at: laid, laid.to: laid}
    return tops


def grid_of_view(view: RecorderView) -> Grid:
    return next(area for area in view.scene.areas if isinstance(area, Grid))


def squares_of(tile: LaidTile) -> tuple[tuple[int, int], tuple[int, int]]:
    right, down = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[tile.turn]
    return (tile.x, tile.y), (tile.x + right, tile.y + down)


@pytest.mark.parametrize("share", [0.1, 0.5, 1])
@pytest.mark.parametrize("game", GAMES)
def test_the_highest_tile_of_each_square_is_drawn_last(game: str, share: float) -> None:
    grid = grid_of(game, share)
    drawn = list(laid_tiles(grid))
    last = {square: (tile.first, tile.second) for tile in drawn for square in squares_of(tile)}
    assert last == {square: (laid.tile.first, laid.tile.second) for square, laid in on_top(grid).items()}
    assert len(drawn) <= len(grid.laid)


@pytest.mark.parametrize("game", GAMES)
def test_a_level_stands_on_every_tile_that_nothing_covers(game: str) -> None:
    grid = grid_of(game, 0.8)
    tops = on_top(grid)
    bare = {laid.at: laid.level for laid in grid.laid if tops[laid.at] is laid is tops[laid.to] and laid.level > 1}
    drawn = [tile for tile in laid_tiles(grid) if tile.level]
    assert {(tile.x, tile.y): tile.level for tile in drawn} == bare
    assert len(bare) > 1


def test_the_lower_a_face_lies_the_darker_it_is() -> None:
    grid = grid_of("ziggurat", 1)
    levels = {str(laid.tile): laid.level for laid in grid.laid}
    veils = [(levels[f"{tile.first}-{tile.second}"], tile.veil) for tile in laid_tiles(grid)]
    assert veils == sorted(veils, key=lambda both: (both[0], -both[1]))
    assert veils[-1][1] == 0 < veils[0][1]


@pytest.mark.parametrize("game", GAMES)
def test_every_square_that_a_tile_can_cover_has_its_name(game: str) -> None:
    events = simulate(catalog.find(game), 2).events
    for count in (1, 2, 6, len(events) // 2, len(events)):
        review = Review(Record(events[:count]), "a")
        view = recorder_view(review)
        names, squares = view.squares, review.squares
        places = [at for way in view.form.ways if way.kind == "place" for group in way.legal for at in group.at]
        covered = {(int(x), int(y)) for x, y, *_ in places} | on_top(grid_of_view(view)).keys()
        for x, y in covered:
            assert names.columns[x - names.left] + names.rows[y - names.top] == squares.name((x, y))
        assert (names.columns[0], names.rows[-1]) == ("a", "1")


# ---- What the recorder asks before an entry is recorded, and what it says about the next one.


RECORD = simulate(catalog.find("ziggurat"), 2)
FIRST = next(seq for seq, event in enumerate(RECORD.events) if isinstance(event, Place))


def asked(event: AnyEvent, record: Record = RECORD) -> Question | None:
    return question_about("x", record, (event,))


def text(question: Question | None) -> str:
    assert question is not None
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", question.body)).strip()


def test_a_deletion_asks_about_deleting_with_what_stays_and_what_no_longer_fits() -> None:
    place = RECORD.events[FIRST]
    assert isinstance(place, Place)
    question = asked(Retract(FIRST, "a slip"))
    assert question is not None
    name = next(player.name for player in RECORD.opening.players if player.id == place.player)
    assert question.title == f"Delete {name}\u2019s {place.tile}?".replace(
        f"{place.tile}", str(place.tile).replace("-", "\u2011")
    )
    assert question.yes == "Delete"
    moves = sum(type(event) in e.MOVES for event in RECORD.events[FIRST + 1 :])
    assert re.match(rf"({moves}|[A-Z][a-z]+) later moves stay; \w+ no longer fits?\.", text(question))


def test_an_entry_that_is_not_a_move_is_named_by_its_words() -> None:
    seq = len(RECORD.events)
    record = Record((*RECORD.events, Note("rain")))
    question = asked(Retract(seq, "a slip"), record)
    assert question == Question("Delete \u201cNote: rain\u201d?", "", "Delete")


def test_what_breaks_no_rule_is_not_asked() -> None:
    place = RECORD.events[FIRST]
    assert asked(place, Record(RECORD.events[:FIRST])) is None
    assert asked(Amend(FIRST, place, "the same")) is None  # type: ignore[arg-type]  # it is a placement
    assert asked(Note("rain")) is None


def test_a_breach_is_asked_and_what_cannot_be_is_refused() -> None:
    place = RECORD.events[FIRST]
    assert isinstance(place, Place)
    before = Record(RECORD.events[:FIRST])
    other = next(player.id for player in RECORD.opening.players if player.id != place.player)
    wrong = asked(Place(other, place.tile, place.at, place.dir, place.level), before)
    assert wrong is not None
    assert (wrong.title, wrong.yes) == ("That breaks a rule. Did it happen anyway?", "Yes, record it")
    assert '<p class="finding">' in wrong.body
    twice = asked(place, Record(RECORD.events[: FIRST + 1]))
    assert twice is not None
    assert (twice.title, twice.yes) == ("That cannot be recorded", "")


def test_a_change_and_an_insertion_name_both_entries() -> None:
    place = RECORD.events[FIRST]
    assert isinstance(place, Place)
    other = next(player.id for player in RECORD.opening.players if player.id != place.player)
    wrong = Place(other, place.tile, place.at, place.dir, place.level)
    names = {player.id: player.name for player in RECORD.opening.players}
    tile = str(place.tile).replace("-", "\u2011")
    first, second = f"{names[place.player]}\u2019s {tile}", f"{names[other]}\u2019s {tile}"
    change = asked(Amend(FIRST, wrong, "a slip"))
    assert change is not None
    assert (change.title, change.yes) == (f"Change {first} to {second}?", "Change")
    insertion = asked(Insert(FIRST, wrong, "a slip"))
    assert insertion is not None
    assert (insertion.title, insertion.yes) == (f"Insert {second} before {first}?", "Insert")


def test_a_move_in_the_list_asks_about_moving() -> None:
    places = [seq for seq, event in enumerate(RECORD.events) if isinstance(event, Place)]
    first, second = places[3], places[4]
    event = RECORD.events[second]
    assert isinstance(event, Place)
    both = (Retract(second, "a slip"), Insert(first, event, "a slip"))
    question = question_about("x", RECORD, both)
    assert question is not None
    names = {player.id: player.name for player in RECORD.opening.players}
    earlier = RECORD.events[first]
    assert isinstance(earlier, Place)
    moved, other = (f"{names[place.player]}\u2019s {place.tile}".replace("-", "\u2011") for place in (event, earlier))
    assert (question.title, question.yes) == (f"Move {moved} before {other}?", "Move")
    assert "later moves stay" in text(question)
    another = RECORD.events[places[5]]
    assert isinstance(another, Place)
    apart = question_about("x", RECORD, (Retract(second, "a slip"), Insert(first, another, "a slip")))
    assert apart is None or apart.title.startswith("Insert")
    note = (Note("rain"),)
    record = Record((*RECORD.events, Note("tea"), *note))
    last = len(record.events) - 1
    assert question_about("x", record, (Retract(last, "x"), Insert(last - 1, Note("rain"), "x"))) is None


@pytest.mark.parametrize(
    ("moves", "misfits", "others", "words"),
    [
        (6, 2, 0, "Six later moves stay; two no longer fit."),
        (6, 1, 0, "Six later moves stay; one no longer fits."),
        (1, 1, 0, "One later move stays; it no longer fits."),
        (13, 13, 2, "13 later moves stay; 13 no longer fit. Two other entries no longer fit."),
        (0, 0, 0, ""),
    ],
)
def test_the_words_follow_the_numbers(moves: int, misfits: int, others: int, words: str) -> None:
    assert later_words(moves, misfits, others) == words


FILLED = {"who", "tiles", "tile", "tap", "fits"}
"""What the page fills in."""


@pytest.mark.parametrize("game", catalog.built_in())
def test_every_kind_of_act_of_a_game_has_its_words(game: str) -> None:
    rules = catalog.find(game)
    rows = prompts(rules, ())
    assert {row.kind for row in rows} == {event.__name__.lower() for event in rules.events if event in ACTS}
    for row in rows:
        assert row.label
        assert not set(re.findall(r"{(\w+)}", row.ask + row.hint + row.held + row.held_hint)) - FILLED
        assert row.many or row.kind not in ("layout", "deal", "aside")
        assert row.bare or row.kind != "pass"
        assert not (row.many or row.bare) or row.kind not in ("draw", "over", "rank", "place", "stack", "play", "bid")


def test_a_tie_is_drawn_again() -> None:
    players = (e.Player(id="ana", name="Ana"), e.Player(id="ben", name="Ben"))
    opening = Open("build-up", None, {}, players)
    draws = (Draw("ana", named("1-2")), Draw("ben", named("3-4")))

    def again(*events: AnyEvent) -> dict[str, str]:
        record = Record((opening, *events))
        rows = recorder_view(Review(record, "x")).prompts
        return next((row.again for row in rows if row.kind == "draw"), {})

    assert set(again(*draws)) == {"ana", "ben"}
    assert set(again(draws[0])) == {"ana"}
    assert again(*draws, e.Layout("ana", (named("0-0"),))) == {}
    assert again() == {}


def test_the_calls_of_a_round_stand_at_the_seats() -> None:
    record = simulate(catalog.find("zigzag"), 3)
    bids = [seq for seq, event in enumerate(record.events) if isinstance(event, Bid | Pass)]
    seq = next(seq for seq in bids if seq + 1 in bids)
    view = recorder_view(Review(Record(record.events[: seq + 1]), "x"))
    call = record.events[seq]
    words = f"bid {call.bid}" if isinstance(call, Bid) else "passed"
    assert f"<small>{words}&nbsp;" in view.parts.seats.replace("\u00a0", "&nbsp;")
    if isinstance(call, Bid):
        assert view.parts.least == call.bid + 1
        assert f"<strong>{call.bid}</strong>" in view.parts.middle
    play = next(seq for seq, event in enumerate(record.events) if isinstance(event, e.Play | e.Stack))
    assert recorder_view(Review(Record(record.events[: play + 1]), "x")).parts.least == 0


# ---- A phone gets only the moves that it does not have, and still has all of them.


LONG = {"scoring": "points", "hands": 12}


class Follower:
    """A phone that keeps the moves that it was sent."""

    def __init__(self) -> None:
        self.version: int | None = None
        self.digests: tuple[str | None, str | None] = (None, None)
        self.moves: tuple[RecordedEvent, ...] = ()
        self.findings: tuple[Remark, ...] | None = None

    def look(self, record: Record, review: Review | None = None) -> RecorderView:
        """The answer to this phone, which keeps its moves and findings."""
        query = ViewQuery(seen=self.version, moves=self.digests[0], findings=self.digests[1])
        view = recorder_view(review or Review(record, "x"), query)
        self.moves = (*self.moves[: view.kept], *view.moves)
        self.findings = self.findings if view.findings is None else view.findings
        self.version, self.digests = view.version, (view.moves_digest, view.findings_digest)
        return view


def slip(events: list[AnyEvent], random: Random) -> AnyEvent:
    """A correction of an act, or a note."""
    seq = random.choice([seq for seq, event in enumerate(events) if isinstance(event, ACTS)])
    act = events[random.choice([seq for seq, event in enumerate(events) if isinstance(event, ACTS)])]
    kinds: list[AnyEvent] = [Retract(seq, "why"), Amend(seq, act, "why"), Insert(seq, act, "why"), Note("rain")]  # type: ignore[arg-type]
    return random.choice(kinds)


@pytest.mark.parametrize("game", catalog.built_in())
def test_a_phone_has_every_move_and_finding_as_a_view_of_the_whole_record_has_it(game: str) -> None:
    random, phone = Random(SEED), Follower()
    record, review = Record(()), None
    for event in simulate(catalog.find(game), 3).events[:50]:
        events = [event]
        while random.random() < 0.15 and any(isinstance(event, ACTS) for event in record.events):
            events.append(slip([*record.events, *events], random))
        for more in events:
            record = codec.check_longer(record, (more,)) if record.events else codec.check((more,))
            review = review.longer(record) if review else Review(record, "x")
            assert record == codec.check(record.events)
            whole = recorder_view(Review(record, "x"))
            assert recorder_view(review) == whole
            if random.random() < 0.7:  # it misses some, and the server may have forgotten what it had
                phone.look(record, review if random.random() < 0.5 else None)
                assert (phone.moves, phone.findings) == (whole.moves, whole.findings)


def test_the_answer_to_one_tap_does_not_grow_with_the_game() -> None:
    events, phone = simulate(catalog.find("zigzag"), 1, LONG).events, Follower()
    deals = [n for n, event in enumerate(events) if isinstance(event, Deal) and not isinstance(events[n - 1], Deal)]
    assert len(events) > 300

    def largest_answer(begin: int, end: int) -> int:
        phone.look(Record(events[:begin]))
        return max(len(msgspec.json.encode(phone.look(Record(events[:n])))) for n in range(begin + 1, end + 1))

    first, last = largest_answer(*deals[:2]), largest_answer(*deals[-2:])
    assert last < 1.1 * first  # the scores have more digits
    assert len(msgspec.json.encode(phone.moves)) > 10 * last


def test_findings_are_sent_only_when_they_change() -> None:
    wrong, phone = simulate(catalog.find("zigzag"), 1, fault="zigzag.bid.raise").events, Follower()
    answers = [phone.look(Record((*wrong[:length],))) for length in range(1, len(wrong) + 1)]
    changed = [a.findings_digest != b.findings_digest for a, b in pairwise(answers)]
    assert [answer.findings is not None for answer in answers] == [True, *changed]
    assert phone.findings
    assert {True, False} == {*changed}


def test_taking_back_the_last_move_sends_no_move() -> None:
    events, phone = simulate(catalog.find("zigzag"), 1).events[:50], Follower()
    phone.look(Record(events))
    taken_back = Record((*events, Retract(49, "taken back at once")))
    on_phone = phone.look(taken_back, Review(Record(events), "x").longer(taken_back))
    assert (on_phone.kept, on_phone.moves) == (48, ())
    again = Follower()
    again.look(Record(events))
    assert again.look(taken_back) == on_phone


@pytest.fixture
def table() -> tuple[TemporaryStore, str, FlaskClient]:
    store, record = TemporaryStore(), codec.check(simulate(catalog.find("zigzag"), 1).events[:40])
    record_id = Recorder(store).import_record(record, "aaaaaaaaaa")
    return store, record_id, create_app(store.reopen).test_client()


def test_a_forgotten_name_sends_everything(table: tuple[TemporaryStore, str, FlaskClient]) -> None:
    store, record_id, client = table
    path = f"/api/v1/records/{record_id}/screen"
    screen = client.get(path).json
    newer = f"{path}?seen={screen['version']}&moves={screen['moves_digest']}&findings={screen['findings_digest']}"
    assert client.get(newer).json["moves"] == []
    assert client.get(newer).json["findings"] is None
    assert client.get(f"{newer}&before=20").json["moves"] == []
    name = screen["players"][0][1]
    store.put([Named(*named[:2], named.names.without({name})) for named in store.kept(Named)])
    answer = client.get(newer).json
    assert answer["kept"] == 0
    assert len(answer["moves"]) == len(screen["moves"])
    assert any(name in move["words"] for move in screen["moves"])
    assert not any(name in move["words"] for move in answer["moves"])


def test_a_digest_that_cannot_be_one_is_refused(table: tuple[TemporaryStore, str, FlaskClient]) -> None:
    _store, record_id, client = table
    answer = client.get(f"/api/v1/records/{record_id}/screen?seen=1&moves=nonsense")
    assert answer.status_code == 400
    assert "moves" in answer.json["detail"]


def test_moves_are_said_anew_and_all_are_sent_when_a_name_changes() -> None:
    phone = Follower()
    events = simulate(catalog.find("zigzag"), SEED).events[:30]
    opening = events[0]
    assert isinstance(opening, Open)
    first = Review(Record(events[:20]), "x")
    assert moves_of(first)
    grown = first.longer(Record(events))
    assert moves_of(grown) == moves_of(Review(Record(events), "x"))
    others = tuple(replace(player, name=f"{player.name} II") for player in opening.players)
    renamed = Record((*events, Amend(0, replace(opening, players=others), "a name")))
    phone.look(Record(events), grown)
    assert phone.look(renamed, grown.longer(renamed)).kept == 0
    after = moves_of(grown.longer(renamed))
    assert after == moves_of(Review(renamed, "x"))
    assert all(" II" in move.phrase.sentence for move in after if move.phrase.seat is not None)
