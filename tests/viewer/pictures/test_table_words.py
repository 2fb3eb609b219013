"""The words on the table: who has won, who bid, and whose tiles these are, for names of any length and direction."""

import re

from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.simulate import simulate
from viewer.pictures.drawing import SIDE, description, drawing
from viewer.pictures.film import film
from viewer.pictures.flat_tiles import measure
from viewer.pictures.look import Look, Table
from viewer.pictures.things import Contract, Heading, Held


def test_where_all_tiles_were_taken_the_table_names_the_winner() -> None:
    review = Review(simulate(catalog.find("zigzag"), 3))
    frames = film(review)
    standing = review.standing(len(review.steps) - 1)
    scores = sorted(standing.scores, reverse=True)
    name = review.opening.names[standing.winners[0]]
    outcomes = [Table(frames.at(place), frames.names).outcome for place in range(len(frames.frames))]
    ends = [place for place, outcome in enumerate(outcomes) if outcome and " win" in outcome.words]
    # From the step that ends the game to the last one: at the end of an earlier hand nobody has won.
    assert ends == list(range(ends[0], len(frames.frames)))
    assert not review.standing(ends[0] - 1).winners
    table = Table(frames.at(len(frames.frames) - 1), frames.names)
    assert table.outcome is not None
    margin = f"by {scores[0] - scores[1]} points"
    assert description(table).startswith(f"{name} wins {margin}. ")
    # In a low frame there is no room: the bar and the scores say it.
    assert "outcome" not in dict(drawing(table, Look(width=460, height=190)))
    for look in (Look(width=374, height=415, both=True), Look(width=856, height=440)):
        pieces = dict(drawing(table, look))
        assert f">{name} wins</text>" in pieces["outcome"]
        assert f">{margin}</text>" in pieces["outcome"]
        # The words stand above everything else.
        lowest = max(float(y) for y in re.findall(r' y="([\d.]+)"', pieces["outcome"]))
        title = next(svg for key, svg in pieces.items() if key.startswith("title "))
        assert lowest + 10 < float(re.findall(r' y="([\d.]+)"', title)[0])
        # Below them stand the points of each hand, which add up.
        assert pieces["totals"].count(" bid ") == len([hand for hand, _ in table.outcome.hands if " bid " in hand])
        for seat, total in enumerate(standing.scores):
            assert sum(points[seat] for _words, points in table.outcome.hands) == total
            assert f">{total}</text>" in pieces["totals"]


def headings(game: str, **options: int) -> list[str]:
    """What the table is headed with, at each step of a simulated game."""
    frames = film(Review(simulate(catalog.find(game), 3, options)))
    tables = [Table(frames.at(place), frames.names) for place in range(len(frames.frames))]
    for table in tables:
        look = Look(width=856, height=620)
        pieces = dict(drawing(table, look))
        assert (f">{table.heading}</t" in pieces["heading"]) if table.heading else ("heading" not in pieces)
        assert description(table).startswith(table.heading)
    return [table.heading for table in tables]


def test_the_table_says_which_hand_it_is_and_of_how_many() -> None:
    assert list(dict.fromkeys(headings("build-up"))) == ["", *(f"Hand {n} of 4" for n in range(1, 5))]
    assert list(dict.fromkeys(headings("zigzag", hands=3))) == ["", "Hand 1 of 3", "Hand 2 of 3", "Hand 3 of 3"]
    # A game to a target has no fixed number of hands.
    assert {"Hand 1", "Hand 2"} <= set(headings("zigzag"))
    assert set(headings("ziggurat")) == {""}


def test_a_table_of_stacks_says_how_many_and_that_the_top_tile_counts() -> None:
    frames = film(Review(simulate(catalog.find("build-up"), 3)))
    table = Table(frames.at(len(frames.frames) // 2), frames.names)
    svgs = {width: dict(drawing(table, Look(width=width, height=620)))["heading"] for width in (290, 360, 856)}
    assert [">12 stacks, top tile counts</tspan>" in svg for svg in svgs.values()] == [False, True, True]
    assert SIDE + 2 + measure(f"{table.heading}12 stacks, top tile counts") + 6 < 360


def test_a_narrow_table_has_the_hand_above_the_contract_and_a_wide_one_beside_it() -> None:
    table = Table([Heading("Hand 12 of 12"), Contract(0, 12, 2, "tiles"), Held(0, ("1-2",), 0)], ("Wolfeschlegelst",))

    def position(key: str, width: float) -> tuple[float, float]:
        svg = dict(drawing(table, Look(width=width, height=570)))[key]
        x, y = re.findall(r' x="([-\d.]+)" y="([-\d.]+)"', svg)[0]
        return float(x), float(y)

    assert position("heading", 374)[1] < position("goal", 374)[1]
    assert position("heading", 856)[1] > position("goal", 856)[1]
    assert position("heading", 856)[0] + measure("Hand 12 of 12") < position("goal", 856)[0]
    assert "heading" not in dict(drawing(table, Look(width=374, height=200)))


def test_a_name_from_right_to_left_leaves_the_number_beside_it_in_its_place() -> None:
    things = [Held(0, ("1-2",), 0), Held(1, ("3-3",), 0)]
    pieces = dict(drawing(Table(things, ("שרה", "Ana")), Look(width=374, height=570)))
    assert ">\u2068שרה\u2069</tspan>" in pieces["hand 0"]
    assert ">Ana</tspan>" in pieces["hand 1"]


def test_the_contract_of_a_long_name_stays_on_the_table() -> None:
    table = Table([Contract(0, 12, 2, "tiles")], ("Wolfeschlegelsteinhausen",))
    svg = dict(drawing(table, Look(width=374, height=570)))["goal"]
    x, wide = (float(re.findall(rf'class="t-band"[^>]* {name}="([-\d.]+)"', svg)[0]) for name in ("x", "width"))
    assert 0 < x < x + wide < 374
