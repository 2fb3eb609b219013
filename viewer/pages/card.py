"""The card that a chat shows for a link: tags in the head of a page, and a picture of the step."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import url_for

from ledger.words import double, listed, plural
from viewer.pages.replay_cache import ReplayView
from viewer.pictures.card import Line, last_open
from viewer.pictures.card import card as drawn
from viewer.server.dates import day


class Card(NamedTuple):
    """A title, a sentence, the address of the step and of its picture."""

    title: str
    description: str
    url: str
    image: str


def card(ready: ReplayView, place: int) -> Card:
    """The card of a step; at the end it says who won."""
    story, line = ready.story, ready.story.lines[place]
    names, game = listed(story.names), ready.review.game.title
    at_end = place == len(story.lines) - 1
    ending = story.ending() if at_end else ""
    plays = "plays" if len(story.names) == 1 else "play"
    title = f"{game}: {ending.removeprefix('Game over. ')}" if ending else f"{names} {plays} {game}"
    if not at_end:
        title += f", move {line.phrase.seq}"
    text = f"{names}. {ready.sentence}" if ending else f"{line.phrase.sentence}. {ready.score(place)}."
    step: dict[str, Any] = {} if at_end else {"ply": line.phrase.seq}
    return Card(
        title,
        " ".join([text, *found(ready, place)[:1]]) if not ending else text,
        url_for("pages.replay", record_id=ready.id, _external=True, **step),
        url_for("share.as_card", record_id=ready.id, _external=True, **step),
    )


def found(ready: ReplayView, place: int) -> list[str]:
    """The sentences about mistakes at a step; notes are left out, because they accuse nobody."""
    findings = ready.story.lines[place].findings
    return [ready.rows.message(finding) for finding in findings if finding.verdict != "note"]


def picture(ready: ReplayView, place: int) -> str:
    """The picture of the card, as SVG."""
    story, strip = ready.story, ready.strips[place]
    played = day(ready.record.opening.played)
    at_end = place == len(story.lines) - 1
    ending = story.ending() if at_end else ""
    best = max(strip.scores)
    players = [
        Line(name, "" if story.shared else str(strip.scores[seat]), seat in strip.wins if strip.wins else score == best)
        for seat, (name, score) in enumerate(zip(story.names, strip.scores, strict=True))
    ]
    flags = len(story.flags)
    if ending:
        news = ending.removeprefix("Game over. ")
        if strip.wins:
            verb = "wins" if len(strip.wins) == 1 else "win"
            news = f"{listed(story.names[seat] for seat in strip.wins)} {verb} in {plural(story.acts, 'move')}"
        note = f"{plural(flags, 'mistake')} found" if flags else ""
    else:
        news = _short(ready, place, at_end=at_end)
        note = next(iter(found(ready, place)), "")
    if story.shared:
        news = f"{news} · {plural(strip.scores[0], 'cheat')}"
    about = " · ".join(part for part in (ready.review.game.title, double(ready.review.set_size), played) if part)
    # At the end of some games everything has been taken, but a picture needs a tile.
    shown = last_open(ready.film, place) if at_end else place
    return drawn(ready.film, shown, about, players, news, note)


def _short(ready: ReplayView, place: int, *, at_end: bool) -> str:
    """A step in few words, for the card: ``43: Ben 8-10, c1-d1``."""
    phrase = ready.story.lines[place].phrase
    if phrase.seat is None:
        return phrase.sentence
    spot = phrase.place.rpartition(", ")[2] if "," in phrase.place else phrase.place
    tile = f" {phrase.tile}" if phrase.tile else ""
    act = f" {phrase.act}" if phrase.act and not spot else ""
    told = f"{ready.story.names[phrase.seat]}{act}{tile}" + (f", {spot}" if spot else "")
    return told if at_end else f"{phrase.seq}: {told}"
