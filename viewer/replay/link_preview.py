"""The card that a chat shows for a link: tags in the head of a page, and a picture of the step."""

from typing import Any

from flask import url_for

from ledger.audit.report_in_a_sentence import summary
from ledger.record.visible import isolated
from ledger.record.words import double, listed, plural
from viewer.every_page.dates import day
from viewer.pictures.link_preview_picture import Line, last_open
from viewer.pictures.link_preview_picture import card as draw_card
from viewer.replay.replay_view import ReplayView


def card(view: ReplayView, place: int) -> dict[str, str]:
    """The card of a step, with the address of the step and of its picture; at the end it says who won."""
    story, line = view.story, view.story.lines[place]
    names, game = listed(story.names), view.review.game.title
    at_end = place == len(story.lines) - 1
    ending = story.ending() if at_end else ""
    plays = "plays" if len(story.names) == 1 else "play"
    title = f"{game}: {ending.removeprefix('Game over. ')}" if ending else f"{names} {plays} {game}"
    if not at_end:
        title += f", move {place}"
    if ending:
        text = f"{view.line or names}. {summary(view.review)}"
    else:
        text = " ".join([f"{line.phrase.sentence}. {view.score(place)}.", *mistakes(view, place)[:1]])
    step: dict[str, Any] = {} if at_end else {"ply": line.phrase.seq}
    return {
        "title": title,
        "description": text,
        "url": url_for("replay.replay", record_id=view.id, _external=True, **step),
        "image": url_for("share.as_card", record_id=view.id, _external=True, **step),
    }


def mistakes(view: ReplayView, place: int) -> list[str]:
    """The sentences about mistakes at a step; notes are left out, because they accuse nobody."""
    findings = view.story.lines[place].findings
    return [view.rows.message(finding) for finding in findings if finding.verdict != "note"]


def picture(view: ReplayView, place: int) -> str:
    """The picture of the card, as SVG."""
    story, strip = view.story, view.strips[place]
    played = day(view.record.opening.played)
    at_end = place == len(story.lines) - 1
    ending = story.ending() if at_end else ""
    # The leader stands out; a score card does not say who led.
    ahead = min if view.review.standing().low_wins else max
    best = None if view.review.card else ahead(strip.scores)
    players = [
        Line(name, "" if story.shared else str(score), seat in strip.wins if strip.wins else score == best, seat)
        for seat, (name, score) in enumerate(zip(story.names, view.review.standing(place).shown, strict=True))
    ]
    mistaken = len(story.mistakes)
    if ending:
        news = ending.removeprefix("Game over. ")
        if strip.wins:
            verb = "wins" if len(strip.wins) == 1 else "win"
            news = f"{listed(story.names[seat] for seat in strip.wins)} {verb}"
            news += "" if view.review.card else f" in {plural(story.moves, 'move')}"
        note = f"{plural(mistaken, 'mistake')} found" if mistaken else ""
    else:
        news = _short(view, place, at_end=at_end)
        why = next((moment.headline for moment in view.moments if moment.place == place), "")
        note = next(iter(mistakes(view, place)), why)
    if view.review.card:
        players = [players[seat] for _place, seat in view.places()]
        note = " · ".join(filter(None, ("Result only", view.review.effective.opening.event)))
    if story.shared:
        news = f"{news} · {plural(strip.scores[0], 'cheat')}"
    heading = " · ".join(filter(None, (view.review.game.title, double(view.review.set_size), played)))
    # At the end of some games everything has been taken, but a picture needs a tile.
    pictured = last_open(view.film, place) if at_end and not view.review.card else place
    # A moment is no mistake, so its reason has no flag.
    verdict = "breach" if mistaken and ending else view.flag(place) if mistakes(view, place) else ""
    film = None if view.review.card else view.film
    return draw_card(film, pictured, heading, players, news, note, verdict)


def _short(view: ReplayView, place: int, *, at_end: bool) -> str:
    """A step in few words, for the card: ``43: 8-10, c1-d1 · Ben``."""
    phrase = view.story.lines[place].phrase
    if phrase.seat is None:
        return phrase.sentence
    spot = phrase.place.rpartition(", ")[2] if "," in phrase.place else phrase.place
    tile = f" {phrase.tile}" if phrase.tile else ""
    act = f" {phrase.act}" if phrase.act and not spot else ""
    # The move stands before the name, so that a long name cannot push it out.
    words = f"{act}{tile}{f', {spot}' if spot else ''}".strip(" ,") + f" · {isolated(view.story.names[phrase.seat])}"
    return words if at_end else f"{place}: {words}"
