"""Comments: short remarks by readers on a move, kept beside the record, never in it.

Everybody who may see a game may comment on it; its recorder and the ledger's owner may fold a comment away.
"""

from datetime import UTC

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from ledger.record import clock
from ledger.stores.beside import Comment
from viewer.replay.replay_routes import replay_of
from viewer.server.access import unauthorized
from viewer.server.context import ledger_recorder, store
from viewer.server.roles import holds_key, roles

comments = Blueprint("comments", __name__)

LONGEST, LONGEST_NAME = 500, 60
"""Maximum length of a comment and of its author's name, in characters."""


@comments.post("/g/<record_id>/comments")
def add_comment(record_id: str) -> Answer:
    """Stores a comment, and redirects to its move."""
    ledger_recorder()
    text, author = (" ".join(request.form.get(field, "").split()) for field in ("text", "author"))
    seq = request.form.get("seq", "")
    if not text or len(text) > LONGEST or len(author) > LONGEST_NAME:
        abort(400, f"A comment has 1 to {LONGEST} characters, and a name at most {LONGEST_NAME}.")
    if not seq.isdecimal() or len(seq) > 6 or replay_of(record_id).review.place(int(seq)) is None:
        abort(400, "There is no such move.")
    when = clock.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    store().put([Comment(record_id, 0, int(seq), text, author, when)])
    return redirect(f"{url_for('replay.replay', record_id=record_id)}#{seq}", 303)


@comments.post("/g/<record_id>/comments/<int:number>/fold")
def fold_comment(record_id: str, number: int) -> Answer:
    """Folds a comment away, or unfolds it with `folded=0`: for the recorder and the owner."""
    ledger_recorder()
    if not (holds_key(record_id) or roles(record_id) & {"record", "owner"}):
        return unauthorized("This link cannot fold comments", "the recorder's link or the owner's is needed")
    comment = next((comment for comment in store().kept(Comment, record_id) if comment.number == number), None)
    if comment is None:
        abort(404, "There is no such comment.")
    store().put([comment._replace(folded=request.form.get("folded", "1") != "0")])
    return Response(status=204)
