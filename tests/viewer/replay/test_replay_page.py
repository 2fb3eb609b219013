"""The replay page: points beside their player, scores as called, corrections in words, a link as a card."""

import io
import json
import re
from functools import cache
from html import unescape
from itertools import pairwise
from typing import Literal

import pytest
import resvg_py
from flask.testing import FlaskClient
from msgspec.structs import replace
from PIL import Image, ImageChops

from golden import CASES, name_of, review_of
from ledger.audit import reports
from ledger.audit.moments import moments
from ledger.audit.report_in_a_sentence import summary
from ledger.audit.review import Review
from ledger.cli.list_commands import correction_lines, frame
from ledger.examples.season import season
from ledger.games import catalog
from ledger.games.catalog import find
from ledger.keep.recorder import Recorder
from ledger.keep.stored_audits import list_entry
from ledger.play.simulate import simulate
from ledger.record import codec
from ledger.record.events import Close, Lift, Place, Player, Retract, Score, Take, kind
from ledger.record.record import Record
from ledger.record.scales import nice
from sheets import review
from temporary import TemporaryStore
from viewer.app import create_app
from viewer.every_page.one_script import one_script
from viewer.pictures.film import Film, film
from viewer.pictures.link_preview_picture import LEFT, RIGHT, WIDTH, Line, card
from viewer.pictures.png_and_gif import raster
from viewer.replay.chart import Chart
from viewer.replay.lead_band import Band
from viewer.replay.link_preview import picture
from viewer.replay.move_list import Rows
from viewer.replay.replay_view import ReplayView
from viewer.replay.score_strip import strips
from viewer.replay.story import Story
from viewer.replay.template_values import parts_of

NAMES = ("Ana", "Ben", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal")


def simulated(game: str, seed: int = 5, **options: object) -> Record:
    """A simulated game of Ana, Ben and others."""
    record = simulate(catalog.find(game), seed, **options)  # type: ignore[arg-type]
    ids = [player.id for player in record.opening.players]
    players = tuple(Player(id=id_, name=name) for id_, name in zip(ids, NAMES, strict=False))
    return Record((replace(record.opening, players=players, played="2026-11-12"), *record.events[1:]))


def text(html: str) -> str:
    """The visible text of some HTML."""
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", "", html)))


def client_of(record: Record) -> tuple[FlaskClient, str]:
    """A viewer with one record, and its id."""
    store = TemporaryStore()
    name = Recorder(store).import_record(record)
    return create_app(store.reopen).test_client(), name


def client_page(record: Record) -> str:
    """The page of a record."""
    client, name = client_of(record)
    return client.get(f"/g/{name}").text


# ── The story ──────────────────────────────────────────────────────────────────────────────────────────────


def test_points_stand_beside_the_player_who_got_them() -> None:
    story = Story(Review(simulated("build-up", players=5)))
    rows = Rows(story)
    line = next(line for line in story.lines if sum(map(bool, line.gains)) > 1)
    cells = text(rows.cells(line))
    for name, points in zip(story.names, line.gains, strict=True):
        assert not points or f"{name} +{points}" in cells
    assert f"+{sum(line.gains)}" not in cells


def test_a_shared_cheat_is_one_cheat() -> None:
    record = simulated("domino-ziggurat", edition="2", players=3)
    story = Story(Review(record))
    assert any(isinstance(event, Lift) for event in record.events)
    line = next(line for line in story.lines if any(line.gains))
    assert line.gains == (1, 1, 1)
    assert text(Rows(story).cells(line)).endswith("+1 cheat")
    client, name = client_of(record)
    page = client.get(f"/g/{name}").text
    assert page.count('<b class="n">') == 1  # the score of all
    assert "+3 cheats" not in text(page)


def test_levels_and_hands_are_chapters_with_their_points() -> None:
    story = Story(Review(simulated("ziggurat", seed=4)))
    assert [chapter.title for chapter in story.chapters[:3]] == ["Level 1", "Level 2", "Level 3"]
    totals = [sum(chapter.gains[seat] for chapter in story.chapters) for seat in (0, 1)]
    assert tuple(totals) == story.review.standing().scores
    hands = Story(Review(simulated("build-up", players=3))).chapters
    assert [chapter.title for chapter in hands] == [f"Hand {n}" for n in range(1, len(hands) + 1)]
    assert len(hands) > 1


def test_a_game_that_has_only_begun_has_no_chapters() -> None:
    record = Record(simulated("zigzag").events[:1])
    assert Story(Review(record)).chapters == []
    client, name = client_of(record)
    assert client.get(f"/g/{name}").status_code == 200


def test_a_different_claim_of_the_table_is_shown_below_the_score() -> None:
    record = simulated("ziggurat", seed=4)
    place = next(n for n, event in enumerate(record.events) if isinstance(event, Place))
    event = record.events[place]
    assert isinstance(event, Place)
    wrong = replace(event, points=(event.points or 0) + 7)
    story = Story(Review(Record((*record.events[:place], wrong, *record.events[place + 1 :]))))
    before, at, *later = strips(story)[place - 1 :]
    seat = story.lines[place].phrase.seat
    assert seat is not None
    assert "called" not in before.notes[seat]
    assert at.notes[seat].startswith(f"called {at.scores[seat] + 7}")
    assert "called" not in at.notes[1 - seat]
    cells = text(Rows(story).cells(story.lines[place]))
    assert f"+{wrong.points} → {event.points or 0}" in cells
    total = next(n for n, step in enumerate(story.review.steps) if isinstance(step.event, Score))
    assert "called" not in later[total - place - 1].notes[seat], "the totals at the end were called right"


def test_the_strip_says_whose_turn_it_is_and_who_won() -> None:
    story = Story(Review(simulated("ziggurat", seed=4)))
    all_strips = strips(story)
    middle = all_strips[len(all_strips) // 2]
    assert middle.next_ == f"{story.names[middle.turns[0]]} to play"
    assert all_strips[-1].wins == story.review.standing().winners
    assert all_strips[-1].next_ == f"{story.moves} moves"
    assert story.ending().startswith("Game over. ")
    assert story.ending() in text(Rows(story).html(0)).replace("\N{NO-BREAK SPACE}", " ")


def test_tiles_and_scores_do_not_break() -> None:
    html = Rows(Story(Review(simulated("build-up", players=3)))).html(0)
    words = re.sub(r"<code>.*?</code>|<[^>]+>", "", html)
    assert not re.search(r"\d-\d", words)
    assert not re.search(r"\w (\d+)(, |<)", words)


# ── Chart ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_chart_has_a_scale_and_an_end_value_for_each_player() -> None:
    scores = [[n * (seat + 1) for seat in range(8)] for n in range(20)]
    svg = Chart(scores, NAMES, claimed=[(3, 0, 99)], flags=[5]).svg(10)
    for seat, name in enumerate(NAMES):
        assert f">{name} {scores[-1][seat]}</text>" in svg
    assert len(set(re.findall(r'class="curve p(\d)"', svg))) == 8
    assert len(set(re.findall(r'stroke-dasharray="([^"]+)"', svg))) == 7
    heights = sorted({float(y) for y in re.findall(r'class="en p\d" x="\d+" y="([\d.]+)"', svg)})
    assert all(lower - upper >= 13 for upper, lower in pairwise(heights))
    assert heights[-1] <= 120
    assert svg.count('class="ring') == 1
    assert svg.count('class="flagged"') == 1
    others = Chart(scores, NAMES, flags={2: "unproven", 5: "breach", 7: "impossible"}).svg(10)
    marks = re.findall('class="(flagged.*?|strike)"', others)
    assert marks == ["flagged unproven", "flagged", "flagged impossible", "strike"]


def test_only_breaches_and_what_is_impossible_count_as_mistakes() -> None:
    sheet = "Game: ziggurat\nPlayers: A Ana, B Ben\n\nA 1-2 a6-b6\nB 2-5 c6-c5\n"
    story = Story(review(sheet))
    assert (story.flags, story.mistakes) == ([1, 2], [])
    assert 'class="flagged' not in "".join(Rows(story).items())
    assert Story(review(sheet + "A 1-2 c4-d4\ntotal: A 0, B 7\n")).mistakes == [3, 4]


@pytest.mark.parametrize("game", ["ziggurat", "domino-ziggurat", "build-up", "zigzag"])
def test_moves_are_counted_once_for_all(game: str) -> None:
    view = ReplayView("x", simulate(catalog.find(game), 3))
    tiles = sum(kind(event) in ("place", "stack", "play") for event in view.record.events)
    assert tiles == view.story.moves == list_entry(view.review).moves == sum(moves for _, _, moves, _ in view.summary())
    assert view.strips[-1].next_ == f"{tiles} moves"


def test_a_called_number_that_is_only_noted_stands_with_its_reason() -> None:
    (path,) = (path for path in CASES if name_of(path) == "zigzag/hands-noted")
    view = ReplayView("x", review_of(path).record)
    values = parts_of(view, 0)
    assert values["sentence"] == "No mistakes found."
    assert values["balance"].endswith(
        "all 80 called scores check out; noted, no mistake: 4 hands are not a multiple of 3, "
        "so not everybody begins the bidding equally often"
    )


@pytest.mark.parametrize(("value", "round_"), [(0.2, 1), (1, 1), (3, 5), (11, 20), (21, 50), (101, 200)])
def test_a_scale_has_round_numbers(value: float, round_: int) -> None:
    assert nice(value) == round_


def test_a_chart_of_one_step_and_of_negative_scores_is_drawn() -> None:
    assert "<svg" in Chart([[0, 0]], ["A", "B"]).svg(0)
    assert ">-60</text>" in Chart([[0, 0], [-41, 3]], ["A", "B"]).svg(1)


def test_a_hand_with_a_contract_has_a_chart_of_what_is_taken() -> None:
    record = simulated("zigzag", seed=3)
    view = ReplayView("x", record)
    scores, *hands = view.plots(0)
    last = len(view.strips) - 1
    assert (scores.title, scores.first, scores.last, scores.shown) == ("Score", 0, last, True)
    assert len(hands) == view.review.game.hand_number(view.review.end)  # type: ignore[misc]
    for hand in hands:
        start, end = view.strips[hand.first], view.strips[hand.last]
        # It begins with the contract, and ends with the last take, which ends the contract: all 45 tiles are taken.
        assert view.strips[hand.first - 1].goal is None
        assert start.goal is not None
        assert end.goal is None
        assert sum(start.taken) == 0
        assert sum(end.taken) == 45
        assert hand.note == f"this hand, {start.goal.bid} to make"
        for name, tiles_taken in zip(view.review.opening.names, end.taken, strict=True):
            assert f">{name} {tiles_taken}</text>" in hand.svg
        # Only the chart of the step is shown; after the hand it is that of the scores again.
        before, after = hand.first - 1, hand.last + 1
        for place, visible in ((before, scores), (hand.first, hand), (hand.last, hand), (after, scores)):
            shown = [(plot.first, plot.last) for plot in view.plots(place) if plot.shown]
            assert shown == [(visible.first, visible.last)]
    page = client_page(record)
    ids = re.findall(r'id="((?:chart|past)\d*)"', page)
    assert len(ids) == len(set(ids)) == 2 * (1 + len(hands))


def test_a_hand_in_play_has_a_chart_up_to_now_and_other_games_have_one_chart() -> None:
    record = simulated("zigzag", seed=3)
    view = ReplayView("x", Record(record.events[:40]))
    (scores, hand) = view.plots(39)
    assert (hand.last, hand.shown, scores.shown) == (39, True, False)
    assert [plot.title for plot in ReplayView("x", simulated("build-up")).plots(3)] == ["Lead"]


# ── History ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_correction_is_explained_in_words() -> None:
    record = simulated("ziggurat", seed=4)
    seq = next(n for n, event in enumerate(record.events) if isinstance(event, Place))
    place = record.events[seq]
    assert isinstance(place, Place)
    when = "2026-11-22T03:44:56.753Z"
    record = Record((*record.events[: seq + 3], Retract(seq=seq, why="a slip in recording", when=when, by="dee")))
    client, name = client_of(record)
    page = text(client.get(f"/g/{name}").text).replace("\N{NON-BREAKING HYPHEN}", "-")
    words = rf"Ana's {place.tile} on level 1, \w\d-\w\d was taken out"
    assert re.search(rf"22 Nov 2026, 03:44 UTC, dee: {words} \(a slip in recording\)", page)


def test_a_move_that_was_deleted_and_put_back_has_the_number_of_its_place_everywhere() -> None:
    lines = "A bids 12\nB bids 11\nC passes\nretract 2 because tapped twice\ninsert before 3: B bids 11\nnote 5: Tea?\n"
    judged = review(f"Game: zigzag\nPlayers: A Ana, B Ben, C Cy\n\n{lines}")
    assert [step.seq for step in judged.steps] == [0, 1, 5, 3, 6]
    assert summary(judged) == "One mistake: Ben's bid of 11 at move 2."
    assert "  ⚑ breach at move 2: Ben bids 11" in [*reports.text(judged)]
    assert "**⚑ breach at move 2**" in reports.markdown(judged)
    assert [line.split()[0] for line in reports.step_lines(judged) if line[:5].strip()] == [*"01234"]
    assert frame(judged, 2)[0] == "Zigzag · move 2 of 4"
    assert [line for line in correction_lines(judged) if line[0] != " "] == [
        "4  event 2 deleted",
        "5  inserted as move 2",
    ]
    assert judged.words(4) == "Note on move 2: Tea?"
    client, name = client_of(judged.record)
    page, printed = (client.get(f"/g/{name}{path}").text for path in ("", "/print"))
    assert re.search(r'<li id="p5".*?<span class="no">2</span>', page, re.DOTALL)
    assert "“Ben bids 11” was put in as move 2" in text(page)
    assert "Mistake at move 2" in text(printed)


# ── A link is a card ───────────────────────────────────────────────────────────────────────────────────────


def tags(page: str) -> dict[str, str]:
    """The tags for previews in chats."""
    pairs = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)"', page)
    return {name: unescape(content) for name, content in pairs}


def test_a_link_is_a_card_with_the_picture_of_its_step() -> None:
    client, name = client_of(simulated("ziggurat", seed=4))
    for path, step in ((f"/g/{name}", ""), (f"/g/{name}?ply=9", "?ply=9"), (f"/embed/{name}?ply=9", "?ply=9")):
        card = tags(client.get(path, base_url="https://games.example").text)
        assert card["og:url"] == f"https://games.example/g/{name}{step}"
        assert card["og:image"] == f"https://games.example/g/{name}/card.png{step}"
        assert card["twitter:card"] == "summary_large_image"
        assert "Ana" in card["og:title"] + card["og:description"]
        assert card["description"] == card["og:description"]
        assert ("move 9" in card["og:title"]) == bool(step)
        picture = client.get(card["og:image"].removeprefix("https://games.example"))
        assert picture.mimetype == "image/png"
        assert picture.data.startswith(b"\x89PNG")
        assert picture.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_the_card_of_a_mistake_has_its_sentence(client: FlaskClient, names: list[str]) -> None:
    name = next(name for name in names if name.endswith("-broken"))
    review = Review(codec.decode(next(case for case in CASES if case.stem == name.partition(".")[2]).read_bytes()))
    finding = next(finding for finding in review.judged if finding.verdict == "breach")
    card = tags(client.get(f"/g/{name}?ply={finding.seq}").text)
    assert review.message(finding).rstrip(".")[1:] in card["og:description"]


# ── Downloads ──────────────────────────────────────────────────────────────────────────────────────────────


def test_an_animation_may_leave_steps_out_but_not_the_last() -> None:
    client, name = client_of(simulated("ziggurat", seed=4))
    all_steps = client.get(f"/g/{name}/animation.gif?from=3&to=9").data
    some_steps = client.get(f"/g/{name}/animation.gif?from=3&to=9&every=4").data
    assert len(some_steps) < len(all_steps)
    assert client.get(f"/g/{name}/animation.gif?every=x&to=4").status_code == 200


@pytest.mark.parametrize(
    ("path", "inside"),
    [("/replay.js", "class Stepper"), ("/record.js", "class Recorder"), ("/kept.js", "class PhoneRules")],
)
def test_the_script_of_a_page_is_one_and_complete(client: FlaskClient, path: str, inside: str) -> None:
    answer = client.get(path)
    assert answer.mimetype == "text/javascript"
    assert inside in answer.text
    assert not re.search(r"^(import|export)\b", answer.text, re.MULTILINE)
    again = client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_an_import_of_another_form_is_noticed(tmp_path) -> None:
    (tmp_path / "a.js").write_text('import b from "./b.js";\n')
    with pytest.raises(ValueError, match=r"a\.js: import b"):
        one_script(tmp_path, "a.js")
    (tmp_path / "a.js").write_text('import { one } from "./b.js";\nexport const two = one + 1;\n')
    (tmp_path / "b.js").write_text("export const one = 1;\n")
    assert one_script(tmp_path, "a.js").count("return {") == 2


# ---- The strip of moments on the page of a game: its pictures, its words, the reason on the table.


@pytest.fixture(scope="module")
def ledger() -> TemporaryStore:
    """A ledger of its own."""
    return TemporaryStore()


@pytest.fixture(scope="module")
def game(ledger: TemporaryStore) -> str:
    """The id of a simulated game in it."""
    return Recorder(ledger).import_record(simulate(find("ziggurat"), 1))


@pytest.fixture
def reader(ledger: TemporaryStore) -> FlaskClient:
    """A viewer of it."""
    return create_app(lambda: ledger).test_client()


def test_the_strip_has_a_picture_and_the_words_of_each_moment(
    reader: FlaskClient, ledger: TemporaryStore, game: str
) -> None:
    page = unescape(reader.get(f"/g/{game}").text).replace("\u00a0", " ")
    texts = {re.sub("<[^>]*>", "", words) for words in re.findall("<span>(<b>.*?)</span></a>", page)}
    found = moments(Review(ledger.read(game)))
    assert page.count("data-moment ") == len(found)
    for moment in found:
        assert f"{moment.seq} {moment.words}" in texts
        assert f'title="{moment.headline}"' in page
        picture = reader.get(f"/g/{game}/moment.svg?ply={moment.seq}&v={len(ledger.read(game).events)}")
        assert picture.mimetype == "image/svg+xml"
        assert "<image" not in picture.text
        assert "max-age=" in picture.headers["Cache-Control"]


def test_a_long_name_is_cut_before_what_happened() -> None:
    record = simulate(find("zigzag"), 3, players=3)
    names = ("Maximiliana-Theodora", "علي الفيتوري", "Cy")
    players = tuple(replace(player, name=name) for player, name in zip(record.opening.players, names, strict=True))
    view = ReplayView("one", Record((replace(record.opening, players=players), *record.events[1:])))
    parted = [view.words_of(moment) for moment in view.moments]
    assert {who for who, _what in parted} >= {"Maximiliana-Theodora", "علي"}
    for who, what in parted:
        assert not who or what[0] == "+" or what[0].islower(), what


def test_the_reason_stands_on_the_table_at_a_moment_and_only_there(
    reader: FlaskClient, ledger: TemporaryStore, game: str
) -> None:
    for moment in moments(Review(ledger.read(game)))[:2]:
        page = unescape(reader.get(f"/g/{game}?ply={moment.seq}").text)
        words = f"<b>{moment.headline}</b> {moment.why}"
        assert f'id="caption" aria-hidden="true"><span>{words}</span></p>' in re.sub("[\u00a0]", " ", page).replace(
            "\u2011", "-"
        )
    assert 'id="caption" aria-hidden="true" hidden>' in reader.get(f"/g/{game}?ply=9").text


def test_a_page_that_follows_a_game_gets_its_moments(reader: FlaskClient, game: str) -> None:
    strip = reader.get(f"/g/{game}/parts").json["story"]
    assert strip.startswith("{#") is False
    assert "moment.svg?ply=29" in unescape(strip)


def test_a_file_has_the_strip_without_pictures(reader: FlaskClient, game: str) -> None:
    page = reader.get(f"/g/{game}/replay.html").text
    assert "data-moment " in page
    assert "moment.svg" not in page


def test_gif_and_card_tell_the_moments() -> None:
    record = simulate(find("ziggurat"), 3)
    view = ReplayView("one", record)
    store = TemporaryStore()
    Recorder(store).import_record(record, "one")
    reader = create_app(store.reopen).test_client()
    whole = reader.get("/g/one/animation.gif?every=100").data
    with Image.open(io.BytesIO(whole)) as gif:
        places = sorted({0, len(view.strips) - 1, *(moment.place for moment in view.moments)})
        assert gif.n_frames == len(places)
        seconds = {moment.place: moment.seconds for moment in view.moments}
        for number, place in enumerate(places[:-1]):
            gif.seek(number)
            assert gif.info["duration"] == pytest.approx(1000 * seconds.get(place, 0.7), abs=10)
    for moment in view.moments:
        drawing = reader.get(f"/g/one/position.svg?ply={moment.seq}").text
        assert f'class="t-headline" x="16" y="686">{moment.headline}</text>' in drawing
    moment = next(moment for moment in view.moments if not view.story.lines[moment.place].findings)
    with reader.application.test_request_context():
        card = picture(view, moment.place)
    assert moment.headline.split()[0] in card
    assert "flag-breach" not in card.partition("</defs>")[2]


# ---- A game told as it was played: a tile and the pile it gave away are one step; an end that is none gets no tick.


def test_a_pile_that_is_taken_belongs_to_the_tile_that_was_played_before() -> None:
    story = Story(Review(simulate(catalog.find("zigzag"), 3)))
    rows, steps = Rows(story), story.review.steps
    assert len(story.joined) > 20
    for place in story.joined:
        line, before = story.lines[place], story.lines[place - 1]
        event = steps[place].event
        assert type(event) is Take
        assert not line.findings
        taker = story.names[story.review.opening.seat(event.player)]
        assert f">· {taker} takes {event.tiles}</span>" in rows.cells(before)
        assert taker in rows.aloud(before)
        assert story.shown(place) == place - 1
    hidden = [item for item in rows.items() if " hidden" in item.partition(">")[0]]
    assert len(hidden) == len(story.joined)


def test_a_hand_is_headed_by_its_contract() -> None:
    story = Story(Review(simulate(catalog.find("zigzag"), 3)))
    bids = {f"{story.names[goal.seat]} bid {goal.bid}" for scene in map(story.review.scene, range(len(story.lines)))
            if (goal := scene.goal)}  # fmt: skip
    assert {chapter.contract for chapter in story.chapters} - {""} == bids
    assert any(f"· {bid}</h3>" in item for bid in bids for item in Rows(story).items())


@pytest.mark.parametrize("why", ["abandoned", "finished"])
def test_a_game_that_was_not_finished_gets_no_tick_and_nobody_is_next(why: Literal["abandoned", "finished"]) -> None:
    record = simulate(catalog.find("ziggurat"), 3)
    story = Story(Review(replace(record, events=(*record.events[:15], Close(why=why)))))
    assert "ic-check" not in Rows(story).cells(story.lines[-1])
    assert (strips(story)[-1].turns, strips(story)[-1].next_) == ((), "")
    assert strips(story)[-2].turns
    whole = Story(Review(record))
    assert "ic-check" in Rows(whole).cells(whole.lines[-1])


# ---- The chart of two players is a band of who leads; that of many has the names of the best.


def test_the_band_of_two_players_shows_who_leads_and_by_how_much() -> None:
    svg = Band([(0, 0), (4, 0), (4, 9), (6, 9)], ["Ana", "Ben"], flags=[2]).svg(3)
    first, second = re.findall(r'class="area p\d" d="([^"]*)"', svg)[:2]
    tops = [float(y) for y in re.findall(r"V([\d.]+)", first)]
    middle, bottoms = tops[-1], [float(y) for y in re.findall(r"V([\d.]+)", second)]
    assert min(tops) < middle == max(tops)  # Ana is ahead above the middle line, Ben below it
    assert max(bottoms) > middle == min(bottoms)
    assert "Ana ahead" in svg
    assert "Ben ahead" in svg
    assert ">+3</text>" in svg
    level = Band([(0, 0), (2, 2)], ["Ana", "Ben"]).svg(1)
    assert ">level</text>" in level


def test_of_many_names_the_chart_has_the_best_and_never_cuts_the_leaders() -> None:
    names = [f"Player {n}" for n in range(10)] + ["Maximiliana-Theodora"]
    svg = Chart([[0] * 11, list(range(11))], names).svg(1)
    assert len(re.findall(r'class="en ', svg)) == 7
    assert "and 4 more" in svg
    assert ">Maximiliana-Theodora 10</text>" in svg.replace("\N{NON-BREAKING HYPHEN}", "-")


# ---- The picture of a link: its words stay inside it and apart from each other, whatever people are called.


LETTERS = "WMmw@a漢"


@pytest.fixture(scope="module")
def shared_game() -> Film:
    return film(Review(simulate(catalog.find("ziggurat"), 1)))


@cache
def drawn(svg: str) -> Image.Image:
    """The pixels of a picture at half its size; several tests compare with the same one."""
    return Image.open(io.BytesIO(raster(svg, WIDTH // 2))).convert("RGB")


def extent(first: str, second: str) -> tuple[int, int]:
    """The first and the last column of pixels in which two pictures differ, a pixel further apart at the most."""
    box = ImageChops.difference(drawn(first), drawn(second)).getbbox()
    assert box is not None
    return 2 * box[0], 2 * box[2]


def test_a_line_with_letters_of_east_asia_names_fonts_without_serifs(monkeypatch) -> None:
    svgs = list[str]()
    monkeypatch.setattr(resvg_py, "svg_to_bytes", lambda svg_string, **_width: svgs.append(svg_string) or b"")
    players = [Line(name, "12", first=False) for name in ("佐藤 健", "김민준", "Ana", "\u0644\u064a\u0644\u0649")]
    raster(card(None, 0, "Zigzag", players, "佐藤 健 wins in 43 moves"), WIDTH)
    (svg,) = svgs
    texts = re.findall(r"<text ([^>]*)>([^<]*)", svg)
    fonts = {words: re.findall('font-family="([^,]*)', attributes) for attributes, words in texts}
    assert {words for words, families in fonts.items() if families == ["Noto Sans CJK JP"]} == {
        "佐", "김", "佐藤 健", "김민준", "佐藤 健 wins in 43 moves"
    }  # fmt: skip
    assert fonts["Ana"] == fonts["12"] == []


@pytest.mark.every(5)
@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("players", [2, 4, 5])
def test_a_long_name_ends_before_its_score(shared_game: Film, letter: str, players: int) -> None:
    def picture(name: str, score: str) -> str:
        others = [Line("Ben", "118", first=False)] * (players - 1)
        return card(shared_game, 3, "Ziggurat", [Line(name, score, first=True), *others], "Move 3")

    name = letter * 40
    name_end = extent(picture(name, "1137"), picture(letter, "1137"))[1]
    score_begin = extent(picture(letter, "1137"), picture(letter, ""))[0]
    assert name_end < score_begin
    cut = re.search(f"{letter}{letter}+…", picture(name, "1137"))
    assert cut, "it is cut, and says so"


@pytest.mark.every(5)
@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("part", ["about", "news", "note", "other"])
def test_a_long_line_ends_inside_the_picture(shared_game: Film, letter: str, part: str) -> None:
    def picture(words: str) -> str:
        parts = {"about": "Ziggurat", "news": "Ana wins", "note": "1 mistake", "other": "Ben"} | {part: words}
        players = [Line("Ana", "137", first=True), Line(parts["other"], "", first=False)]
        return card(shared_game, 3, parts["about"], players, parts["news"], parts["note"])

    start, end = extent(picture(f"{letter * 40} wins in 90 moves"), picture("."))
    assert start >= LEFT
    assert end <= RIGHT


LONG = "Maximiliana-Theodora von Hohenzollern-Sigmaringen"
SENTENCE = "Ben's 2-4 has 6 pips, but on the 3-3 of stack 12 it needs more than 6 pips."


def sizes(svg: str, *names: str) -> set[str]:
    """The sizes of the letters of these names."""
    return {size for name in names for size in re.findall(rf"font-size:([\d.]+)px\">{re.escape(name)}", svg)}


@pytest.mark.parametrize("winner", ["Ana", LONG, "Ana Lindqvist"])
@pytest.mark.parametrize("loser", ["Ben", "Ben Okafor", LONG])
def test_all_names_have_one_size(shared_game: Film, winner: str, loser: str) -> None:
    players = [Line(winner, "13", first=True), Line(loser, "6", first=False)]
    assert len(sizes(card(shared_game, 3, "Ziggurat", players, "news"), winner[:3], loser[:3])) == 1


@pytest.mark.parametrize("name", ["Ben", LONG])
@pytest.mark.parametrize("players", [2, 4])
def test_what_is_wrong_stands_whole_on_up_to_three_lines(shared_game: Film, name: str, players: int) -> None:
    sentence = SENTENCE.replace("Ben", name)
    people = [Line(name, "13", first=True)] * players
    svg = card(shared_game, 3, "Ziggurat", people, f"48: 2-4, on stack 12 · {name}", sentence)
    lines = [unescape(line) for line in re.findall(r'class="t-name" x="662"[^>]*>([^<]+)</text>', svg)]
    assert " ".join(lines) == sentence
    assert 1 < len(lines) <= 3


def test_a_sentence_that_is_too_long_ends_after_a_word(shared_game: Film) -> None:
    sentence = " ".join(["a-word"] * 60)
    svg = card(shared_game, 3, "Ziggurat", [Line("Ana", "1", first=True)], "news", sentence)
    lines = re.findall(r'class="t-name" x="662"[^>]*>([^<]+)</text>', svg)
    assert re.fullmatch(r"(a-word )+…", " ".join(lines))


def test_the_move_stands_before_the_name_and_the_count_is_not_cut() -> None:
    record = simulate(catalog.find("ziggurat"), 1)
    names = tuple(replace(player, name=LONG) for player in record.opening.players)
    view = ReplayView("x", Record((replace(record.opening, players=names), *record.events[1:])))
    words = [
        unescape(" ".join(re.findall(r'class="t-title" [^>]*>([^<]+)</text>', picture(view, n))))
        for n in (8, len(record.events) - 1)
    ]
    phrase = view.story.lines[8].phrase
    assert f"8: {phrase.tile}, {phrase.place.partition(', ')[2]} · {LONG}" in words[0]
    assert re.search("wins? in 28 moves", words[1])


@pytest.mark.parametrize("name", ["محمد عبد الرحمن الفيتوري", "יוסף בן־דוד"])
def test_the_end_of_a_name_from_right_to_left_is_cut(shared_game: Film, name: str) -> None:
    svg = card(
        shared_game, 3, "Zigzag", [Line(f"{name} {name}", "13", first=True), Line("Ben", "1", first=False)], "news"
    )
    assert re.search(f">\u2068{name[:10]}[^<]*…\u2069</text>", svg)


# ---- The film of a game: never longer than 45 seconds, as long as it says, and slow enough to read.


LONG_FILM = [
    ("ziggurat", {"set": 12}, 4),
    ("build-up", {}, 9),
    ("zigzag", {"hands": 9, "target": None}, 3),
    ("domino-ziggurat", {}, None),
]


def played(view: ReplayView) -> tuple[int, list[int]]:
    """The milliseconds that the player of the page takes, and the places that it shows."""
    data = json.loads(view.data)
    (wait, stride), last, joined = data["pace"], len(data["steps"]) - 1, set(data["joined"])
    stays = {place: stay for place, stay, _headline, _why in data["moments"]}
    place, time, shown = 0, 0, [0]
    while place < last:
        time += stays.get(place, wait)
        target = min(last, place + stride + (place + stride in joined))
        place = min([target, *(moment for moment in stays if moment > place)])
        shown.append(place)
    return time + stays.get(last, 0), shown


def checked(record: Record) -> None:
    view = ReplayView("one", record)
    time, shown = played(view)
    assert time <= 45_000
    assert abs(time / 1000 - view.film_pace.seconds) <= 2
    for moment in view.moments:
        assert moment.place in shown
        words = [word for word in f"{moment.headline} {moment.why}".split() if any(map(str.isalnum, word))]
        assert moment.seconds == pytest.approx(0.8 + 0.3 * len(words))
        assert len(words) <= 14


@pytest.mark.every(4)
@pytest.mark.parametrize("example", season(), ids=lambda example: example.id)
def test_a_film_of_the_season_is_as_long_as_it_says_and_at_most_45_seconds(example) -> None:
    checked(example.record)


@pytest.mark.parametrize(
    ("game", "options", "players"), LONG_FILM, ids=[name for name, _options, _players in LONG_FILM]
)
@pytest.mark.parametrize("seed", range(2))
def test_a_film_of_a_long_game_is_not_longer(game: str, options: dict[str, object], players: int, seed: int) -> None:
    checked(simulate(catalog.find(game), seed, options, players=players))
