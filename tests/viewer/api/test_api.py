"""The JSON API, and the document that describes it."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from command_output import output_of
from golden import CASES, name_of
from ledger.audit.moments import moments
from ledger.audit.review import Review
from ledger.games import catalog
from ledger.keep.recorder import Recorder, key_digest, new_key
from ledger.keep.stored_audits import audit_anew
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.chain import NO_NAMES
from ledger.record.events import Note
from ledger.record.record import Record
from ledger.stores import questions
from ledger.stores.beside import Key, Named
from ledger.stores.query import Query
from ledger.stores.store import SqliteStore
from temporary import TemporaryStore
from viewer.app import ENDPOINTS, LARGEST, create_app
from viewer.server.endpoints import BASE, openapi


def test_the_document_is_openapi_3_1_and_has_every_endpoint() -> None:
    document = openapi(ENDPOINTS)
    assert document["openapi"] == "3.1.0"
    endpoints = {(f"{BASE}{e.path}", e.method.lower()) for e in ENDPOINTS}
    assert {(path, method) for path, methods in document["paths"].items() for method in methods} == endpoints
    assert len(endpoints) == len(ENDPOINTS)
    tags = {tag["name"] for tag in document["tags"]}
    assert all(set(o["tags"]) <= tags for methods in document["paths"].values() for o in methods.values())
    assert not [name for name in document["components"]["schemas"] if "." in name]
    references = {part.partition('"')[0] for part in json.dumps(document).split('"#/components/schemas/')[1:]}
    assert references <= set(document["components"]["schemas"])


def test_the_document_says_what_may_stand_in_the_way() -> None:
    for path, operations in openapi(ENDPOINTS)["paths"].items():
        for method, operation in operations.items():
            assert {"415", "429", "503"} <= set(operation["responses"]), path
            assert len({"200", "201"} & set(operation["responses"])) == 1, path
            assert ("413" in operation["responses"]) == (method == "post")


def test_a_record_its_report_and_its_steps(client: FlaskClient, store: TemporaryStore, names: list[str]) -> None:
    path = next(path for path in CASES[::3] if path.stem.endswith("-broken"))
    name = name_of(path).replace("/", ".")
    assert codec.decode(client.get(f"/api/v1/records/{name}").data) == store.read(name)
    golden = json.loads(path.with_suffix(".report.json").read_text("utf-8"))
    assert {**client.get(f"/api/v1/records/{name}/report").json, "record": ""} == {**golden, "record": ""}
    steps = client.get(f"/api/v1/records/{name}/steps").json
    replay = path.with_suffix(".replay.txt").read_text("utf-8").splitlines()
    prints = [line.split()[1] for line in replay if line[:4].strip().isdigit()]
    assert [step["state_digest"] for step in steps["steps"]] == prints
    assert names


@pytest.mark.parametrize(
    ("command", "path"),
    [
        (("games",), "games"),
        (("clauses", "zigzag"), "games/zigzag clauses"),
        (("list",), "records records"),
        (("players",), "players players"),
        (("player", "Ana"), "players/Ana"),
        (("standings",), "events"),
        (("statistics", "zigzag"), "statistics/zigzag"),
    ],
    ids=str,
)
def test_a_command_prints_what_the_api_answers(command: tuple[str, ...], path: str, tmp_path) -> None:
    ledger = tmp_path / "a.sqlite"
    output_of("--ledger", str(ledger), "card", "zigzag", "Ana=101", "Ben=71", "Cy=88", "--event", "Spring Cup")
    with SqliteStore(ledger) as store:
        for path_ in CASES[::25]:
            Recorder(store).import_record(codec.decode(path_.read_bytes()))
        audit_anew(store)
        printed = [json.loads(line) for line in output_of("--ledger", str(ledger), *command, "--json").splitlines()]
        where, _, part = path.partition(" ")
        answer = create_app(store.reopen).test_client().get(f"{BASE}/{where}").json
    answer = answer[part] if part else answer
    assert printed
    assert printed == (answer if isinstance(answer, list) else [answer])


def test_the_story_of_a_game_is_its_moments(client: FlaskClient) -> None:
    name = name_of(CASES[0]).replace("/", ".")
    story = client.get(f"/api/v1/records/{name}/story").json
    assert story["record"] == name
    found = moments(Review(codec.decode(client.get(f"/api/v1/records/{name}").data)))
    names = ("seq", "kind", "words", "headline", "why")
    assert story["moments"] == [{name: getattr(one, name) for name in names} for one in found] != []


def test_the_causes_of_a_report_are_worked_out_when_asked_for(client: FlaskClient) -> None:
    path = next(path for path in CASES if path.stem.endswith("-broken"))
    name = name_of(path).replace("/", ".")
    causes = client.get(f"/api/v1/records/{name}/causes").json
    report = client.get(f"/api/v1/records/{name}/report").json
    graver = [n for n, finding in enumerate(report["findings"]) if finding["verdict"] in ("breach", "impossible")]
    assert sorted(index for cause in causes for index in cause["findings"]) == graver != []
    assert "causes" not in report


def test_the_list_goes_on_where_it_ended(client: FlaskClient, names: list[str]) -> None:
    ids, offset = [], 0
    while offset is not None:
        part = client.get(f"/api/v1/records?limit=17&offset={offset}").json
        ids += [row["id"] for row in part["records"]]
        offset = part["next"]
    assert set(names) <= set(ids)
    assert len(ids) == len(set(ids))


def test_the_list_is_of_the_games_asked_for(client: FlaskClient, store: TemporaryStore) -> None:
    for closed in (True, False):
        answer = client.get(f"/api/v1/records?limit=500&closed={str(closed).lower()}").json
        assert {row["id"] for row in answer["records"]} == {row.id for row in store.find(Query(closed=closed))}


@pytest.mark.parametrize(
    ("query", "status", "reason"),
    [
        ("since=yesterday", 400, "since: there is no day 'yesterday': write it as in 2026-11-20"),
        ("until=2026-02-30", 400, "until: there is no day '2026-02-30': write it as in 2026-11-20"),
        ("payer=Ana", 400, "unknown parameter 'payer'; did you mean player?"),
        ("game=zigzg", 404, "did you mean zigzag?"),
        ("clause=zigzag.tke", 404, "did you mean zigzag.take?"),
    ],
)
def test_a_query_that_can_find_nothing_is_refused_in_words(
    client: FlaskClient, query: str, status: int, reason: str
) -> None:
    for path in ("/api/v1/records", "/api/v1/records.ndjson"):
        answer = client.get(f"{path}?{query}")
        assert answer.status_code == status
        assert reason in answer.json["detail"]


def test_an_unknown_name_is_refused_with_those_that_there_are(client: FlaskClient) -> None:
    detail = client.get("/api/v1/games?colour=red").json["detail"]
    assert detail == "unknown parameter 'colour'; there are no parameters"
    detail = client.post("/api/v1/records", json={"colour": "red"}).json["detail"]
    assert detail == "unknown field 'colour'; the fields are opening, id, key, sure"


def test_a_game_begins_once_however_often_it_is_sent() -> None:
    store = TemporaryStore()
    client = create_app(store.reopen).test_client()
    opening = {"type": "open", "game": "zigzag", "players": [{"id": "ana"}, {"id": "ben"}, {"id": "cy"}]}
    first = client.post("/api/v1/records", json={"opening": opening})
    assert first.status_code == 201
    beginning = first.json
    assert beginning is not None
    assert first.headers["Location"] == f"/api/v1/records/{beginning['id']}"
    assert beginning["version"] == 1
    with_own_id = {"opening": opening, "id": "0123456789", "key": "k" * 43}
    assert [client.post("/api/v1/records", json=with_own_id).status_code for _ in range(2)] == [201, 201]
    with_other_key = client.post("/api/v1/records", json={**with_own_id, "key": "o" * 43})
    assert (with_other_key.status_code, with_other_key.json["title"]) == (409, "Another game has this id")
    # The same game with a key that is not valid any more: a new id would make a second game of it.
    of_phone = {**opening, "when": "2026-11-22T20:00:00.000Z", "rules": store.read("0123456789").opening.rules}
    phone_id = {"id": "abcdefghij", "opening": of_phone}
    assert client.post("/api/v1/records", json={**phone_id, "key": "k" * 43}).status_code == 201
    other_link = client.post("/api/v1/records", json={**phone_id, "key": "o" * 43})
    assert (other_link.status_code, other_link.json["title"]) == (409, "This game has another link")
    assert len(store.ids()) == 3
    for wrong, status in (
        ({**opening, "game": "chess"}, 422), ({**opening, "players": []}, 400), ({"type": "note", "text": ""}, 400),
        ({**opening, "players": [{"id": "ana"}, {"id": "ana"}, {"id": "cy"}]}, 422),
        ({**opening, "players": [{"id": "ana"}]}, 422), ({**opening, "options": {"foo": 1}}, 422),
    ):  # fmt: skip
        answer = client.post("/api/v1/records", json={"opening": wrong})
        assert answer.status_code == status, wrong
        assert answer.json
    assert len(store.ids()) == 3
    elsewhere = client.post(
        "/api/v1/records", json={"opening": opening}, headers={"Origin": "https://elsewhere.example"}
    )
    assert elsewhere.status_code == 403
    assert len(store.ids()) == 3
    read_only = create_app(store.reopen, recording=False).test_client()
    assert read_only.post("/api/v1/records", json={"opening": opening}).status_code == 409


def test_an_answer_about_a_record_is_not_made_again_for_a_client_that_has_it() -> None:
    store = TemporaryStore()  # its own: the record grows
    Recorder(store).import_record(codec.decode(CASES[0].read_bytes()))
    client = create_app(store.reopen).test_client()
    name = store.ids()[0]
    for path in ("", "/report", "/steps", "/history", "/screen"):
        first = client.get(f"/api/v1/records/{name}{path}")
        tag = first.headers["ETag"]
        assert first.headers["Cache-Control"] == "private, no-cache"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(store, "read", lambda *_: pytest.fail("the record was read"))
            second = client.get(f"/api/v1/records/{name}{path}", headers={"If-None-Match": tag})
        assert (second.status_code, second.data, second.headers["ETag"]) == (304, b"", tag)
    tag = client.get(f"/api/v1/records/{name}").headers["ETag"]
    store.append(name, store.version(name), [Note("tea")])
    assert client.get(f"/api/v1/records/{name}", headers={"If-None-Match": tag}).status_code == 200
    tag = client.get(f"/api/v1/records/{name}").headers["ETag"]
    store.put(Named(named.record, named.seq, NO_NAMES) for named in list(store.kept(Named)) if named.record == name)
    assert client.get(f"/api/v1/records/{name}", headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/api/v1/records", "/api/v1/games", "/api/v1/players", "/api/openapi.json", "/schema/domino-ledger-1.json", "/",
     "/g/{}", "/rules", "/rules/zigzag", "/style.css", "/statistics/zigzag"],
)  # fmt: skip
@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_an_answer_is_not_sent_again_to_a_client_that_has_it(
    client: FlaskClient, names: list[str], path: str, encoding: str
) -> None:
    address, accepts = path.format(names[0]), {"Accept-Encoding": encoding}
    first = client.get(address, headers=accepts)
    assert first.headers["Cache-Control"] != ""
    second = client.get(address, headers=accepts | {"If-None-Match": first.headers["ETag"]})
    assert (second.status_code, second.data, second.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert "Content-Encoding" not in second.headers
    assert second.headers["Cache-Control"] == first.headers["Cache-Control"]
    assert second.headers["Content-Security-Policy"]
    changed = client.get(address, headers=accepts | {"If-None-Match": 'W/"another"'})
    assert (changed.status_code, changed.data) == (200, first.data)


def test_what_nobody_may_keep_has_no_tag(client: FlaskClient) -> None:
    answer = client.get("/new")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers


def test_many_records_come_as_an_archive(client: FlaskClient, store: TemporaryStore) -> None:
    answer = client.get("/api/v1/records.ndjson?game=zigzag&limit=5&reverse=true")
    assert answer.mimetype == "application/x-ndjson"
    records = [line.result for line in codec.read_archive(answer.data.splitlines(keepends=True))]
    assert records == [store.read(row.id) for row in store.find(Query(game="zigzag", limit=5, reverse=True))]
    assert client.get("/api/v1/records.ndjson?limit=x").status_code == 400
    assert client.get("/api/v1/records.ndjson?colour=red").status_code == 400


def test_other_sites_may_read_where_that_is_switched_on(store: TemporaryStore) -> None:
    origin = {"Origin": "https://club.example"}
    name = store.ids()[0]
    without_origins = create_app(store.reopen).test_client().get(f"/api/v1/records/{name}", headers=origin)
    assert "Access-Control-Allow-Origin" not in without_origins.headers

    def readable(*origins: str) -> FlaskClient:
        return create_app(store.reopen, readers=origins).test_client()

    client = readable("https://club.example")
    answer = client.get(f"/api/v1/records/{name}", headers=origin)
    assert answer.headers["Access-Control-Allow-Origin"] == "https://club.example"
    assert "Origin" in answer.headers["Vary"]
    elsewhere = client.get(f"/api/v1/records/{name}", headers={"Origin": "https://elsewhere.example"})
    assert "Access-Control-Allow-Origin" not in elsewhere.headers
    assert "Access-Control-Allow-Origin" not in client.get(f"/g/{name}", headers=origin).headers
    write = client.post("/api/v1/records", json={}, headers=origin)
    assert "Access-Control-Allow-Origin" not in write.headers
    preflight = client.options("/api/v1/games", headers=origin | {"Access-Control-Request-Headers": "if-none-match"})
    assert preflight.headers["Access-Control-Allow-Origin"] == "https://club.example"
    assert preflight.headers["Access-Control-Allow-Headers"] == "If-None-Match"
    assert preflight.headers["Access-Control-Allow-Methods"] == "GET, HEAD"
    any_origin = readable("*").get("/api/v1/games", headers=origin)
    assert any_origin.headers["Access-Control-Allow-Origin"] == "*"


# ---- Whole records by POST: each is stored once, each line has an outcome, and only the owner may send them.


PATH = "/api/v1/records.ndjson"


@pytest.fixture
def sender(ledger: TemporaryStore, owner_key: str) -> FlaskClient:
    """A program of the owner that sends records."""
    client = create_app(ledger.reopen).test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {owner_key}"
    return client


def send(sender: FlaskClient, *lines: Record | bytes, path: str = PATH, **options: Any) -> TestResponse:
    body = b"\n".join(line if isinstance(line, bytes) else codec.encode(line) for line in lines)
    headers = {"Authorization": f"Bearer {options.pop('key')}"} if "key" in options else None
    return sender.post(path, data=body, content_type=options.pop("kind", "application/x-ndjson"), headers=headers)


def outcomes(answer: TestResponse) -> list[tuple[int, str]]:
    return [(line["line"], line["outcome"]) for line in json.loads(answer.data)["lines"]]


def test_a_downloaded_archive_can_be_sent_to_another_ledger(sender: FlaskClient, ledger: TemporaryStore) -> None:
    records = {codec.encode(codec.decode(path.read_bytes())) for path in CASES[:40]}
    answer = send(sender, *records)
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    report = json.loads(answer.data)
    assert (report["imported"], report["known"], report["continued"], report["refused"]) == (len(records), 0, 0, 0)
    assert [line["record"] for line in report["lines"]] == list(ledger.ids())
    assert questions.unaudited(ledger) == ()
    archive = sender.get(f"{PATH}?limit=500").data
    assert {*archive.splitlines()} == records
    second = send(sender, archive)
    assert (second.status_code, json.loads(second.data)["known"]) == (200, len(records))
    assert len(ledger.ids()) == len(records)


def test_each_line_has_an_outcome(sender: FlaskClient, ledger: TemporaryStore) -> None:
    game, other_game = simulate(catalog.find("zigzag"), 1), simulate(catalog.find("build-up"), 2)
    half = Record(game.events[: len(game.events) // 2])
    assert outcomes(send(sender, half)) == [(1, "imported")]
    (record_id,) = ledger.ids()
    differing = Record((*game.events[:-3], Note("it went on in another way")))
    answer = send(sender, b"", game, b"{}", other_game, b"  ", differing, b'{"format":"domino-ledger/1","events":[{}]}')
    assert answer.status_code == 207
    assert outcomes(answer) == [(2, "continued"), (3, "refused"), (4, "imported"), (6, "refused"), (7, "refused")]
    lines = json.loads(answer.data)["lines"]
    assert lines[0] == {"line": 2, "outcome": "continued", "record": record_id, "reason": ""}
    assert ledger.read(record_id) == game
    assert lines[3]["record"] == record_id
    assert lines[3]["reason"].startswith(f"it begins like record {record_id} and differs from event")
    assert [line["record"] for line in (lines[1], lines[4])] == ["", ""]
    assert lines[1]["reason"]
    assert lines[4]["reason"].startswith("event 0: ")
    assert len(ledger.ids()) == 2
    as_new = send(sender, differing, path=f"{PATH}?as_new=true")
    assert (as_new.status_code, outcomes(as_new)) == (200, [(1, "imported")])
    assert len(ledger.ids()) == 3


def test_one_record_may_come_as_json(sender: FlaskClient, ledger: TemporaryStore) -> None:
    answer = send(sender, simulate(catalog.find("ziggurat"), 1), kind="application/json")
    assert (answer.status_code, len(ledger.ids())) == (200, 1)


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ({"key": ""}, 401),
        ({"key": new_key()}, 401),
        ({"kind": "text/plain"}, 415),
        ({"path": f"{PATH}?as_new=perhaps"}, 400),
        ({"path": f"{PATH}?colour=red"}, 400),
    ],
    ids=["no key", "another key", "text", "no boolean", "unknown"],
)
def test_an_invalid_request_stores_nothing(
    sender: FlaskClient, ledger: TemporaryStore, options: dict[str, str], status: int
) -> None:
    answer = send(sender, simulate(catalog.find("ziggurat"), 1), **options)
    assert (answer.status_code, answer.mimetype, ledger.ids()) == (status, "application/problem+json", ())
    assert status != 401 or answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_recorders_key_imports_nothing(sender: FlaskClient, ledger: TemporaryStore, owner_key: str) -> None:
    key = new_key()
    ledger.put([Key("mine", key_digest(key))])
    answer = send(sender, simulate(catalog.find("ziggurat"), 1), key=key)
    assert (answer.status_code, ledger.ids()) == (401, ())
    assert "domino-ledger link" in json.loads(answer.data)["detail"]
    # The browser sends a cookie even with posts from another site, so it is not enough.
    sender.set_cookie("domino", owner_key)
    assert send(sender, simulate(catalog.find("ziggurat"), 1), key="").status_code == 401


def test_too_much_nothing_and_a_read_only_ledger_are_refused_whole(sender: FlaskClient, ledger: TemporaryStore) -> None:
    record = simulate(catalog.find("zigzag"), 1)
    answer = send(sender, record, b" " * LARGEST)
    assert (answer.status_code, ledger.ids()) == (413, ())
    assert send(sender, b"\n \n").status_code == 400
    read_only = create_app(ledger.reopen, recording=False).test_client()
    assert (send(read_only, record).status_code, ledger.ids()) == (409, ())
