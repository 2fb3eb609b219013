"""The picture of a link: its words stay inside it and apart from each other, whatever people are called."""

import io
import re
from functools import cache
from html import unescape

import pytest
import resvg_py
from msgspec.structs import replace
from PIL import Image, ImageChops

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.simulate import simulate
from ledger.record.record import Record
from viewer.pictures.film import Film, film
from viewer.pictures.link_preview_picture import LEFT, RIGHT, WIDTH, Line, card
from viewer.pictures.png_and_gif import raster
from viewer.replay.link_preview import picture
from viewer.replay.replay_view import ReplayView

LETTERS = "WMmw@a漢"


@pytest.fixture(scope="module")
def game() -> Film:
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


def test_a_line_with_letters_of_east_asia_names_fonts_without_serifs(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_long_name_ends_before_its_score(game: Film, letter: str, players: int) -> None:
    def picture(name: str, score: str) -> str:
        others = [Line("Ben", "118", first=False)] * (players - 1)
        return card(game, 3, "Ziggurat", [Line(name, score, first=True), *others], "Move 3")

    name = letter * 40
    name_end = extent(picture(name, "1137"), picture(letter, "1137"))[1]
    score_begin = extent(picture(letter, "1137"), picture(letter, ""))[0]
    assert name_end < score_begin
    cut = re.search(f"{letter}{letter}+…", picture(name, "1137"))
    assert cut, "it is cut, and says so"


@pytest.mark.every(5)
@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("part", ["about", "news", "note", "other"])
def test_a_long_line_ends_inside_the_picture(game: Film, letter: str, part: str) -> None:
    def picture(words: str) -> str:
        parts = {"about": "Ziggurat", "news": "Ana wins", "note": "1 mistake", "other": "Ben"} | {part: words}
        players = [Line("Ana", "137", first=True), Line(parts["other"], "", first=False)]
        return card(game, 3, parts["about"], players, parts["news"], parts["note"])

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
def test_all_names_have_one_size(game: Film, winner: str, loser: str) -> None:
    players = [Line(winner, "13", first=True), Line(loser, "6", first=False)]
    assert len(sizes(card(game, 3, "Ziggurat", players, "news"), winner[:3], loser[:3])) == 1


@pytest.mark.parametrize("name", ["Ben", LONG])
@pytest.mark.parametrize("players", [2, 4])
def test_what_is_wrong_stands_whole_on_up_to_three_lines(game: Film, name: str, players: int) -> None:
    sentence = SENTENCE.replace("Ben", name)
    people = [Line(name, "13", first=True)] * players
    svg = card(game, 3, "Ziggurat", people, f"48: 2-4, on stack 12 · {name}", sentence)
    lines = [unescape(line) for line in re.findall(r'class="t-name" x="662"[^>]*>([^<]+)</text>', svg)]
    assert " ".join(lines) == sentence
    assert 1 < len(lines) <= 3


def test_a_sentence_that_is_too_long_ends_after_a_word(game: Film) -> None:
    sentence = " ".join(["a-word"] * 60)
    svg = card(game, 3, "Ziggurat", [Line("Ana", "1", first=True)], "news", sentence)
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
def test_the_end_of_a_name_from_right_to_left_is_cut(game: Film, name: str) -> None:
    svg = card(game, 3, "Zigzag", [Line(f"{name} {name}", "13", first=True), Line("Ben", "1", first=False)], "news")
    assert re.search(f">\u2068{name[:10]}[^<]*…\u2069</text>", svg)
