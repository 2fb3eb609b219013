"""Checks a replay in a file: whether its record, chain, fingerprint and page belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from ledger.audit.causes import hold
from ledger.audit.review import Review
from ledger.audit.summary import summary
from ledger.proof.checkpoints import InclusionProof, Verifier, parse_proof, proved, tree_head_in
from ledger.record import chain, codec
from ledger.record.errors import LedgerError, NotARecord
from ledger.record.event_words import in_words
from ledger.record.record import Record
from ledger.record.words import plural
from viewer.pages.alone import Notes, one_file
from viewer.pages.replay_view import ReplayView


class File(Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a file's record, and what the file notes about it (JSON, too)."""

    record: str
    noted: str


class Signature(Struct, frozen=True):
    """An Ed25519 signature, in hexadecimal digits, which the browser's own cryptography must still verify.

    `sentence` says what it shows if it holds.
    """

    text: str
    signature: str
    public: str
    sentence: str


class CheckResult(Struct, frozen=True):
    """The result: what is right, and what is wrong.

    `page` is the file as these rules write it, to be compared with the file itself.
    """

    passed: tuple[str, ...]
    faults: tuple[str, ...]
    signature: Signature | None = None
    page: str = ""


def check(file: File) -> CheckResult:
    """Checks a file: its record event by event, every state, the audit, and the notes about it."""
    try:
        notes = msgspec.json.decode(file.noted, type=Notes)
    except (msgspec.DecodeError, UnicodeError) as error:
        return CheckResult((), (f"What this file notes about its record cannot be read: {error}.",))
    try:
        record = codec.decode(file.record)
        view = ReplayView(notes.id, record, notes.causes if hold(Review(record, notes.id), notes.causes) else ())
        passed = _rebuilt(view)
    except NotARecord as error:
        return CheckResult((), (f"The record in this file cannot be read: {error}.",))
    except LedgerError as error:
        return CheckResult((), (f"The record in this file cannot be judged: {error}.",))
    faults = [*_links(view.review, notes.links), *_fingerprint(record, notes)]
    if notes.causes != view.causes:
        faults.append("What this file says of the slip behind its findings does not explain them.")
    signature = None
    if notes.proof:
        try:
            signature = signature_of(view.review, notes)
        except LedgerError as error:
            faults.append(f"The signed checkpoint does not fit: {error}.")
    return CheckResult(passed, tuple(faults), signature, one_file(view, notes, drawn=False))


def _rebuilt(view: ReplayView) -> tuple[str, ...]:
    review = view.review
    states, events = len(review.fingerprints()), len(review.record.events)
    return (
        f"{plural(events, 'event')} in the record, {plural(states, 'state')} of the table rebuilt.",
        summary(review),
        f"Fingerprint {view.fingerprint}.",
    )


def _links(review: Review, noted: Sequence[str]) -> Iterator[str]:
    """Where the chain of the record and the links in the file differ."""
    links = [link.hex() for link in chain.links(map(chain.chained_bytes, review.record.events))]
    if len(links) != len(noted):
        yield f"The record has {plural(len(links), 'event')}, but the file notes links for {len(noted)}."
    seq = next((n for n, pair in enumerate(zip(links, noted, strict=False)) if pair[0] != pair[1]), None)
    if seq is None:
        return
    if links[seq + 1 :] == list(noted[seq + 1 :]) and seq + 1 < len(links):
        yield f"The link that the file notes for event {seq} was changed; the event itself fits all the others."
    else:
        event = in_words(review.record.events[seq], review.names, review.squares)
        yield f"Event {seq} was changed: “{event}” is not what the chain was made of."


def _fingerprint(record: Record, notes: Notes) -> Iterator[str]:
    fingerprint = chain.fingerprint(chain.record_digest(record.events))
    if fingerprint != notes.fingerprint:
        yield f"The file notes the fingerprint {notes.fingerprint}, but this record has {fingerprint}."


def signature_of(review: Review, notes: Notes) -> Signature:
    """What the proof in the file shows if its signature is valid.  Raises LedgerError for a wrong proof."""
    verifier, proof = Verifier(notes.key), parse_proof(notes.proof.encode())
    signed = verifier.signed(proof.checkpoint)
    tree_head = tree_head_in(signed.text, verifier.name)
    proved(proof, tree_head)
    covered = _covered(review.record, proof)
    later_events = len(review.record.events) - covered
    addition = f"; {plural(later_events, 'event')} came later" if later_events else ""
    sentence = (
        f"Signed by {verifier.name}: the ledger had these {plural(covered, 'event')} when it had "
        f"{plural(tree_head.size, 'event')} in all{addition}. Compare the key with the one that its keeper published: "
        f"{verifier}"
    )
    return Signature(signed.text, signed.signature.hex(), signed.public.hex(), sentence)


def _covered(record: Record, proof: InclusionProof) -> int:
    """How many events of the record the proof covers.  Raises NotARecord for an event that differs."""
    bodies = [chain.chained_bytes(event).decode() for event in record.events]
    for seq, body in enumerate(proof.events):
        if seq >= len(bodies) or bodies[seq] != body:
            raise NotARecord(f"event {seq} is not the one that was signed")
    return len(proof.events)
