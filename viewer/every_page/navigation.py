"""Where the links of the header lead."""

from typing import NamedTuple

from flask import current_app, url_for


class Navigation(NamedTuple):
    """The addresses of a header: the home page, the pages of the site, a new game ("" if none can begin here).

    `home_words` say what the home page is; `more` are pages that only the menu lists.
    """

    home: str
    home_words: str
    pages: tuple[tuple[str, str], ...]
    begin: str
    more: tuple[tuple[str, str], ...] = ()


def served() -> Navigation:
    """The navigation of a page of a server."""
    return Navigation(
        url_for("home.front"),
        "All games",
        (
            ("Players", url_for("club.players")),
            ("Statistics", url_for("statistics.overview")),
            ("Events", url_for("events.every")),
            ("Rules", url_for("rulebook.games")),
            ("Referee", url_for("referee.referee")),
        ),
        url_for("phone.start") if current_app.extensions["recording"] else "",
        (("On this phone", url_for("phone.on_phone")), ("For programs: the API", url_for("api.page"))),
    )


def static(root: str) -> Navigation:
    """The navigation of the static site, for a page from which `root` leads to its folder."""
    return Navigation(
        f"{root}index.html",
        "Home",
        (
            ("Check a game", f"{root}check.html"),
            ("Rules", f"{root}rules/index.html"),
            ("Referee", f"{root}referee.html"),
        ),
        f"{root}record.html",
    )
