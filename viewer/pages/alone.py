"""A replay as one file that can check itself: the record, notes about it, and the page that shows it."""

from __future__ import annotations

import base64

import msgspec
from msgspec import Struct

from ledger.audit.repairs import Cause
from ledger.record import chain, codec
from ledger.record.record import Record
from ledger.record.visible import visible_json
from viewer.pages.bundle import one_script
from viewer.pages.parts import parts_of
from viewer.pages.reels import packed
from viewer.pages.replay_view import ReplayView
from viewer.pages.templates import STATIC, environment, style
from viewer.runtime import NOTICE, PACK, PYTHON, WORKER, Runtime


class Notes(Struct, frozen=True, forbid_unknown_fields=True):
    """What a file notes about its record, for the check.

    `links` are the links of the chain, event by event.  `runtime` is the digest of the rules that wrote the file, and
    `source` the address where they are, unless they are embedded.  `proof` is an inclusion proof as JSON, and `key` the
    public key of its signer.  `causes` explain what is wrong, as far as that was known.
    """

    id: str
    fingerprint: str
    links: tuple[str, ...]
    runtime: str = ""
    source: str = ""
    proof: str = ""
    key: str = ""
    causes: tuple[Cause, ...] = ()


def notes_on(
    record_id: str,
    record: Record,
    runtime: str = "",
    source: str = "",
    *,
    proof: str = "",
    key: str = "",
    causes: tuple[Cause, ...] = (),
) -> Notes:
    """What a file notes about a record."""
    links = tuple(link.hex() for link in chain.links(map(chain.chained_bytes, record.events)))
    fingerprint = chain.fingerprint(chain.record_digest(record.events))
    return Notes(record_id, fingerprint, links, runtime, source, proof.strip(), key.strip(), causes)


def one_file(view: ReplayView, notes: Notes, embedded: Runtime | None = None, *, drawn: bool = True) -> str:
    """The page of a record with the notes about it, and with the rules if they are `embedded`.

    A check compares the drawings one by one, with a page that is not `drawn`.
    """
    rules = {}
    if embedded is not None:
        for name in (f"{PYTHON}.gz", PACK):
            rules[name.partition(".")[0]] = base64.b64encode((embedded.folder / name).read_bytes()).decode()
    return (
        environment()
        .get_template("alone.html")
        .render(
            **parts_of(view, len(view.review.steps) - 1),
            style=style("replay"),
            script=_inside_script(one_script(STATIC, "alone.js")),
            worker=_inside_script((STATIC / "rules" / WORKER).read_text("utf-8")),
            reels=packed(view) if drawn else "{}",
            record=_inside_json(codec.encode_lines(view.record)),
            noted=_inside_json(msgspec.json.encode(notes)),
            source=notes.source,
            embedded=rules,
            licences=(embedded.folder / NOTICE).read_text("utf-8") if embedded else "",
            alone=True,
        )
    )


def _inside_script(text: str) -> str:
    """A script as the text of a script element, so that nothing in it ends the element."""
    return text.replace("</script", "<\\/script")


def _inside_json(text: bytes) -> str:
    return visible_json(text.decode()).replace("<", "\\u003c")
