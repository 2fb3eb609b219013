"""A replay as one file for a disk: the page, its drawings and scripts, and the record."""

from ledger.audit.review import Review
from ledger.audit.slip.slip_search import causes
from ledger.record import codec
from ledger.record.record import Record
from ledger.record.visible import visible_json
from viewer.every_page.one_script import one_script
from viewer.every_page.templates import VIEWER, filled, style
from viewer.replay.reels_for_pages import packed
from viewer.replay.replay_view import ReplayView
from viewer.replay.template_values import parts_of


def one_file(view: ReplayView, decided_hands: str = "") -> str:
    """The page of a record.  It needs no server and fetches nothing; `decided_hands` is where the game was decided."""
    return filled(
        "one_file.html",
        **parts_of(view, len(view.review.steps) - 1),
        style=style("replay/static/replay.css"),
        # Nothing in a script ends the element around it.
        script=one_script(VIEWER, "replay/static/replay_page.js").replace("</script", "<\\/script"),
        reels=packed(view),
        record=visible_json(codec.encode_lines(view.record).decode()).replace("<", "\\u003c"),
        alone=True,
        decided_hands=decided_hands,
    )


def html(record_id: str, record: Record) -> bytes:
    """The page of a record with the causes of its mistakes, for `export --html` (entry point in pyproject.toml)."""
    return one_file(ReplayView(record_id, record, causes(Review(record, record_id)))).encode()
