"""Drawings stay as they are: `tests/printed/drawings.digests` has what is drawn of known games, by game, step and look.

`pytest tests/viewer/pictures/test_drawings_kept.py --golden-update` writes them anew.  A line that changes names
the drawing to look at: draw it before and after the change.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec.structs import replace

from golden import FIXTURES, review_of
from ledger.audit.review import Review
from ledger.games import catalog
from ledger.play.simulate import simulate
from viewer.pictures import small_pictures
from viewer.pictures.drawing import description, drawing
from viewer.pictures.film import Film, film
from viewer.pictures.growing_picture import growing
from viewer.pictures.link_preview_picture import Line, card, last_open
from viewer.pictures.look import Look, Table
from viewer.pictures.reel import SHAPES, Reel, look_of
from viewer.pictures.table_svg import element, inner, position, printed

KEPT = Path(__file__).parents[2] / "printed" / "drawings.digests"
GAMES: tuple[tuple[str, dict[str, object], int, str | None], ...] = (
    ("ziggurat", {}, 2, None), ("ziggurat", {"set": 12}, 4, None), ("build-up", {}, 2, None), ("build-up", {}, 8, None),
    ("zigzag", {}, 3, None), ("domino-ziggurat", {}, 1, "1.1"), ("domino-ziggurat", {}, 4, "2"),
)  # fmt: skip
"""Game, options, number of players and edition of what is simulated."""
CASES = (
    "build-up/cover-tile-broken", "build-up/example-a-thirteenth-stack", "ziggurat/base-touch-broken",
    "ziggurat/build-score-broken", "zigzag/take-broken", "domino-ziggurat/cheats-broken",
)  # fmt: skip
LOOKS = {
    "wide": Look(width=856, height=620),
    "phone": Look(width=374, height=570, top=60),
    "plan": Look(width=856, height=620, view="plan"),
    "plan of a level on a phone": Look(width=374, height=570, view="plan", level=2),
    "short": Look(width=500, height=200),
    "turned, with numerals": Look(width=700, height=600, turn=1, numerals=True),
    "turned twice, two levels": Look(width=700, height=600, turn=2, level=2),
    "turned thrice, peeled": Look(width=700, height=600, turn=3, peel=1),
    "lower": Look(width=856, height=420),
    "higher": Look(width=420, height=620),
    "quiet": Look(width=220, height=150, quiet=True),
    "both": Look(width=1200, height=500, both=True),
}


def shown(game: Film, name: str) -> Iterator[tuple[str, object]]:
    """What is drawn of a game, by name: each fifth of it in some of the looks, all of them in turn."""
    last, looks = len(game.frames) - 1, list(LOOKS.items())
    for part in range(6):
        table = Table(game.at(last * part // 5), game.names)
        yield f"{name}, {part}/5 in words", description(table)
        for look_name, look in looks[part % 3 :: 3]:
            yield f"{name}, {part}/5 {look_name}", drawing(table, look)


def pictures(game: Film, name: str) -> Iterator[tuple[str, object]]:
    """The pictures that are made of a game: small ones, files, pages, cards, and those that grow."""
    last = len(game.frames) - 1
    middle = last // 2
    seats = [Line(name, str(number * 7), number == 1) for number, name in enumerate(game.names)]
    kinds: dict[str, Callable[[], str]] = {
        "small": lambda: small_pictures.thumbnail(game.review),
        "large": lambda: small_pictures.thumbnail(game.review, "large"),
        "step": lambda: small_pictures.step(game, middle),
        "as an address": lambda: str(small_pictures.as_address(small_pictures.step(game, last))),
        "file by night": lambda: position(
            game, middle, Look(width=600, height=580), theme="dark", title="A < B", caption=("what", "why")
        ),
        "inside": lambda: inner(Table(game.at(middle), game.names), Look(width=600, height=580)),
        "on a page": lambda: element(Table(game.at(middle), game.names)),
        "on paper": lambda: printed(game, last),
        "growing": lambda: growing(game, 320, 240),
        "still": lambda: growing(game, 320, 240, still=True),
        "card": lambda: card(game, last_open(game, last), "Game · day", seats, "Somebody plays something. " * 9),
        "card with a note": lambda: card(game, middle, "Game", seats, "News.", "It is wrong, because. " * 7),
        "card with a reason": lambda: card(game, middle, "Game" * 20, seats, "News" * 30, "A reason", ""),
    }
    for kind, make in kinds.items():
        yield f"{name}, {kind}", make()


def rims(game: Film, name: str) -> Iterator[tuple[str, object]]:
    """The first step with a mark, with each verdict."""
    steps = (place for place in range(len(game.frames)) if any(getattr(thing, "mark", "") for thing in game.at(place)))
    for place in list(steps)[:1]:
        for verdict in ("breach", "impossible", "unproven", "note"):
            things = [
                replace(thing, mark=verdict) if getattr(thing, "mark", "") else thing  # type: ignore[type-var]
                for thing in game.at(place)
            ]
            for look in ("wide", "plan", "quiet"):
                yield f"{name}, {verdict} {look}", drawing(Table(things, game.names), LOOKS[look])


def reels(game: Film, name: str) -> Iterator[tuple[str, object]]:
    """What a page that shows a short game gets, for each of its shapes."""
    if len(game.frames) > 60:
        return
    for number, shape in enumerate(SHAPES):
        whole = Reel(game, look_of(shape, ("stacked", "plan")[number % 2], number))
        yield f"{name}, reel {shape}", whole.after(whole.known(0, 0))


def all_drawings() -> Iterator[tuple[str, object]]:
    """Each drawing with its name."""
    for name, options, players, edition in GAMES:
        record = simulate(catalog.find(name), 3, options, players=players, edition=edition)  # type: ignore[arg-type]
        game, about = film(Review(record)), f"{name} for {players}"
        yield from shown(game, about)
        yield from pictures(game, about)
    for case in CASES:
        game = film(review_of(FIXTURES / f"{case}.json"))
        yield from shown(game, case)
        yield from rims(game, case)
        yield from reels(game, case)


def test_drawings_are_those_that_somebody_looked_at(golden_update: bool) -> None:
    lines = (f"{sha256(msgspec.json.encode(drawn)).hexdigest()[:12]} {name}\n" for name, drawn in all_drawings())
    now = "".join(lines)
    if golden_update:
        KEPT.write_text(now, "utf-8")
    assert KEPT.read_text("utf-8") == now
