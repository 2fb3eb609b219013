"""The reels of a record, for a page that shows it, and packed for a page that is saved in one file."""

import base64
import gzip
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import msgspec
from msgspec import Struct

from ledger.record import codec
from viewer.pictures.look import Look
from viewer.pictures.reel import Known, Reel, Sent, look_of
from viewer.replay.replay_view import ReplayView

PACKED = ("wide", "phone")
"""The shapes in a saved page: a low and a small one show that of a phone, a tablet the wide one."""
VIEWS, TURNS = ("stacked", "plan"), 4


class ReelQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """A record as JSON, and how its reel looks."""

    record: str
    shape: str
    view: str = "stacked"
    turn: int = 0


def drawn_reel(question: ReelQuestion) -> Sent:
    """The reel of a record that is in no ledger.  Raises NotARecord, UnknownGame."""
    look = look_of(question.shape, question.view, question.turn)
    return Reel(_view_of(question.record).film, look).after(Known())


@lru_cache(maxsize=1)
def _view_of(record: str) -> ReplayView:
    """The replay of the record that was asked about last: a page asks for several of its reels."""
    return ReplayView("", codec.decode(record))


def reel_json(view: ReplayView, look: Look, known: Known) -> bytes:
    """What a page needs of a reel, as JSON."""
    return msgspec.json.encode(Reel(view.film, look).after(known))


def packed(view: ReplayView) -> str:
    """Every reel that a saved page can show, as JSON: by shape, view and turn."""
    return msgspec.json.encode(dict(_packed(view))).decode()


def _packed(view: ReplayView) -> Iterator[tuple[str, str]]:
    # Without squares there is no plan, and nothing to turn.
    looks = [*product(VIEWS, range(TURNS))] if view.planned else [(VIEWS[0], 0)]
    for shape, (name, turn) in product(PACKED, looks):
        drawing = Reel(view.film, look_of(shape, name, turn))
        text = gzip.compress(msgspec.json.encode(drawing.after(Known())), mtime=0)
        yield f"{shape} {name} {turn}", base64.b64encode(text).decode()
