"""The players on the form for a new game: how many a game takes, and what is wrong with the names."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ledger.games.catalog import MOST_SEATS
from ledger.keep.recorder import folded, is_blank
from ledger.record.words import listed_or, number


def seats_sentence(title: str, counts: Sequence[int]) -> str:
    """How many players a game is for: ``Ziggurat is for two or four players.``"""
    numbers = [number(n) for n in counts]
    if len(counts) > 2 and list(counts) == list(range(counts[0], MOST_SEATS + 1)):
        phrase = f"{numbers[0]} or more players"
    elif len(counts) == 1:
        phrase = f"{numbers[0]} player{'s' if counts[0] != 1 else ''}"
    else:
        phrase = f"{listed_or(numbers)} players"
    return f"{title} is for {phrase}."


def wrong_names(names: Sequence[str], title: str, counts: Sequence[int]) -> dict[str, str]:
    """What is wrong with the typed names, by field (``player1``); empty if nothing is.

    `names` holds every field of the form in order, `counts` the allowed numbers of players.  Blank fields after the
    last name are not used.
    """
    used = max((place for place, name in enumerate(names, 1) if not is_blank(name)), default=0)
    errors: dict[str, str] = {}
    names_by_key: dict[str, str] = {}
    for place, name in enumerate(names[:used], 1):
        if is_blank(name):
            errors[f"player{place}"] = f"Player {place} has no name."
        elif folded(name) in names_by_key:
            errors[f"player{place}"] = f"There are two players called {name}. Add a letter to one: “{name} L.”?"
        names_by_key.setdefault(folded(name), name)
    if counts and used not in counts:
        place, sentence = wrong_count(used, title, counts)
        errors.setdefault(f"player{place}", sentence)
    return errors


def wrong_count(used: int, title: str, counts: Sequence[int]) -> tuple[int, str]:
    """The place at which a number of names is wrong that the game does not take, and what to do about it."""
    more = min((n for n in counts if n > used), default=None)
    fewer = max((n for n in counts if n < used), default=None)
    advice = [f"name {number(more - used)} more"] if more is not None else []
    advice += [f"take {number(used - fewer)} out"] if fewer is not None else []
    place = min(used, counts[-1]) if more is None else used + 1
    return place, f"{seats_sentence(title, counts)} {' or '.join(advice).capitalize()}."


def wrong_counts(title: str, counts: Sequence[int]) -> str:
    """For each number of names, from none on, what is wrong with it, as JSON for the page's script."""
    every = range(MOST_SEATS + 1)
    return json.dumps([None if used in counts else wrong_count(used, title, counts) for used in every])
