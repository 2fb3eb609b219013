"""The club: people and their names, results, standings and plans, and what does not count."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import click

from ledger.audit.review import Review
from ledger.cli import ledger_access as access
from ledger.cli.exits import Missing
from ledger.cli.list_commands import audit_new
from ledger.cli.output_files import atomic_write, page_writer
from ledger.cli.shared_options import GAME_AND_FILES, JSON, Count, form_of, output, server_address
from ledger.cli.terminal import echo, progress, table
from ledger.club import adjustments, ratings
from ledger.club.load import club_of, club_of_reviews, meaning
from ledger.club.people import Club, everybody, merge, split
from ledger.club.profile import Profile, profile
from ledger.club.result_exports import csv_bytes
from ledger.club.standings import By, Standings, events, games_of, in_halves, lines, standings
from ledger.club.statistics import Statistics, kinds, statistics
from ledger.games import catalog
from ledger.games.catalog import title
from ledger.keep.recorder import Recorder, folded
from ledger.keep.renaming import exists, rename, renamings, undo
from ledger.keep.sources import items, review
from ledger.keep.stored_audits import audit_anew
from ledger.record.branches import happened
from ledger.record.errors import LedgerError, NotForNow
from ledger.record.visible import visible
from ledger.record.words import day, did_you_mean, moment, plural
from ledger.stores.beside import Alias
from ledger.stores.store import SqliteStore


def load_club(store: SqliteStore) -> Club:
    """The club of a ledger, with its new records audited."""
    audit_new(store)
    return club_of(store)


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else ""


def _mean(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}".removesuffix(".0")


# ── People ─────────────────────────────────────────────────────────────────────────────────────────────────


@click.group("players", invoke_without_command=True)
@click.option("--rating", is_flag=True, help="Show ratings, game by game.")
@JSON
@click.pass_context
def players_(ctx: click.Context, *, rating: bool, as_json: bool) -> None:
    """List everybody who has played; merge two names of one person.

    Ratings are estimates from who came before whom, with their uncertainty; they are shown after ten finished games
    without a mistake.  For a game that all play together, the mean number of cheats is shown instead.

    \b
    Examples:
      domino-ledger players
      domino-ledger players --rating
      domino-ledger players merge Annie Ana
      domino-ledger players split Annie
    """
    if ctx.invoked_subcommand is not None:
        if rating or as_json:
            raise click.UsageError(f"--rating and --json do not go with {ctx.invoked_subcommand}")
        return
    with access.ledger_at(ctx.obj) as store:
        club = load_club(store)
        if rating:
            _ratings(club, as_json=as_json)
            return
        rows = everybody(club)
    access.echo_rows(
        rows,
        ("player", "games", "won", "share", "last game"),
        lambda p: (
            p.name, p.games, f"{in_halves(p.wins)} of {p.contests}" if p.contests else "", _share(p.wins, p.contests),
            p.last or "",
        ),
        "Nobody has played here yet.",
        as_json=as_json,
    )  # fmt: skip


def _ratings(club: Club, *, as_json: bool) -> None:
    shown = [ladder for ladder in ratings.ladders(club) if as_json or ladder.ratings]
    for ladder in shown:
        if as_json:
            access.echo_json(ladder)
            continue
        echo(f"{title(ladder.game)}, from {plural(ladder.games, 'game')}", bold=True)
        rows = [(r.name, r.rank, f"{r.value:.1f} ± {r.off:.1f}", r.games) for r in ladder.ratings]
        table(("player", "rank", "rating", "games"), rows)
        if ladder.waiting:
            echo(f"{ladder.waiting} more with fewer than {ratings.LEAST} games")
        echo()
    cheats = [(game, means) for game in sorted(club.together) if (means := ratings.mean_cheats(club, game))]
    for game, means in cheats:
        if as_json:
            people = [{"name": name, "mean": mean, "games": count} for name, _key, mean, count in means]
            access.echo_json({"game": game, "cheats": people})
            continue
        echo(title(game), bold=True)
        rows_ = [(name, _mean(mean), count) for name, _key, mean, count in means]
        table(("player", "cheats on average", "games"), rows_)
        echo()
    if not (shown or cheats or as_json):
        echo(f"No ratings yet: they are shown after {ratings.LEAST} finished games without a mistake.")


@players_.command("merge")
@click.argument("alias")
@click.argument("name")
@click.pass_obj
def merge_(path: str, alias: str, name: str) -> None:
    """Merge ALIAS into NAME: both are one person.  Records stay as they are, and `split` undoes it.

    \b
    Example:
      domino-ledger players merge Annie Ana
    """
    with access.ledger_at(path) as store:
        club = club_of(store)
        aliases = merge([*store.kept(Alias)], *(club.people.spelling(typed) for typed in (alias, name)))
        merged = aliases[-1]
        one, other = club.people.find(merged.name), club.people.find(merged.person)
        shared = sum(other in game.people for game in club.games_of(one))
        store.put(aliases)
    echo(f"{merged.name} is {merged.person} from now on")
    if shared:
        sat = f"{merged.name} and {merged.person} sat at the same table in {plural(shared, 'game')}"
        echo(f"Note: {sat}: if they are two people, `players split {merged.name!r}` undoes this", err=True)


@players_.command("split")
@click.argument("alias")
@click.pass_obj
def split_(path: str, alias: str) -> None:
    """Undo a merge: ALIAS is a separate person again.

    \b
    Example:
      domino-ledger players split Annie
    """
    with access.ledger_at(path) as store:
        merged = split([*store.kept(Alias)], alias)
        store.drop([merged])
    echo(f"{merged.name} is no longer {merged.person}")


@players_.command("rename")
@click.argument("old")
@click.argument("new")
@click.option("--yes", is_flag=True, help="Do not ask where somebody has the new name already.")
@click.pass_obj
def rename_(path: str, old: str, new: str, *, yes: bool) -> None:
    """Rename a person in every record: OLD is called NEW from now on.

    Fingerprints stay as they are, because names stand outside the chain.  If somebody is called NEW already,
    the two become one person, after a question.  `players renamed` lists renamings and takes them back.

    \b
    Example:
      domino-ledger players rename "Maria Jose" "María José"
    """
    with access.ledger_at(path) as store:
        merging = folded(old) != folded(new) and exists(store, new)
        if merging and not yes:
            access.confirm(f"Somebody is called {new!r} already. Are the two one person?")
        renaming = rename(store, old, new, merge=merging)
        audit_anew(store)
    echo(f"{old} is called {renaming.new} from now on, in {plural(renaming.records, 'record')}")
    echo(f"`domino-ledger players renamed --undo {renaming.number}` takes it back", err=True)


@players_.command("renamed")
@click.option("--undo", "number", type=int, metavar="N", help="Take renaming N back.")
@JSON
@click.pass_obj
def renamed_(path: str, number: int | None, *, as_json: bool) -> None:
    """List who was renamed, and take it back with --undo.

    \b
    Example:
      domino-ledger players renamed --undo 1
    """
    with access.ledger_at(path) as store:
        if number is not None:
            renaming = undo(store, number)
            audit_anew(store)
            echo(f"{renaming.new} is called {renaming.old} again, in {plural(renaming.records, 'record')}")
            return
        history = renamings(store)
    access.echo_rows(
        history,
        ("number", "was", "is", "when", "records"),
        lambda r: (r.number, r.old, r.new, moment(r.when), r.records),
        "Nobody was renamed.",
        as_json=as_json,
    )


@click.command("player")
@click.argument("name")
@JSON
@click.pass_obj
def player_(path: str, name: str, *, as_json: bool) -> None:
    """Show the results of NAME: games, wins, averages, opponents, form and broken rules.

    \b
    Example:
      domino-ledger player Ana
    """
    with access.ledger_at(path) as store:
        club = load_club(store)
        results = profile(club, club.people.find(name))
    if as_json:
        access.echo_json(results)
    else:
        _show_profile(results)


def _show_profile(p: Profile) -> None:
    echo(p.name, bold=True)
    if p.also:
        echo(f"also known as {', '.join(p.also)}")
    unfinished = f", {p.unfinished} unfinished" if p.unfinished else ""
    won = f"; won {in_halves(p.wins)} of {p.contests} ({_share(p.wins, p.contests)})" if p.contests else ""
    cards = f", {p.cards} with the result only (not audited)" if p.cards else ""
    echo(f"{plural(p.games, 'game')}{unfinished}{cards}{won}")
    if p.streak > 1:
        echo(f"longest run of wins: {p.streak}" + (f", {p.running} now" if p.running > 1 else ""))
    if p.form:
        letters = {"won": "W", "shared": "S", "lost": "L"}
        echo(f"form, newest first: {' '.join(letters.get(form.outcome, '-') for form in p.form)}")
    _section(
        ("game", "games", "won", "mean score", "best", "in record"),
        [
            (
                f"{title(g.game)}, {g.kind.title.lower()}",
                g.games, "" if g.wins is None else in_halves(g.wins), _mean(g.score),
                *((g.best.score, g.best.record) if g.best else ("", "")),
            )
            for g in p.by_game
        ],
    )  # fmt: skip
    _section(
        ("player", "before", "level", "behind", "together"),
        [(o.name, o.before, o.level, o.behind, o.with_them) for o in p.opponents],
    )
    _section(
        ("rule broken", "times", "what it says"), [(clause, times, meaning(clause)) for clause, times in p.mistakes]
    )


def _section(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    if rows:
        echo()
        table(columns, rows)


# ── Statistics ─────────────────────────────────────────────────────────────────────────────────────────────


@click.command("statistics")
@GAME_AND_FILES
@click.option("--players", type=click.IntRange(1, 26), help="Of games with so many players.")
@click.option("--set", "set_size", type=int, metavar="N", help="Of games with the double-N set.")
@click.option("--csv", "as_csv", is_flag=True, help="Every result as CSV: a line for each player and game.")
@JSON
@click.pass_obj
def statistics_(
    path: str, things: tuple[str, ...], players: int | None, set_size: int | None, *, as_csv: bool, as_json: bool
) -> None:
    """Show how often each game was played, or statistics of GAME: scores, seats, length, highs and lows.

    Only games with one set and one number of players are compared; by default those that were played most.
    With FILEs, of the records in them instead of those in the ledger.

    \b
    Examples:
      domino-ledger statistics
      domino-ledger statistics ziggurat --players 4 --set 6
      domino-ledger statistics zigzag games.ndjson
      domino-ledger statistics zigzag --csv > zigzag.csv
    """
    if as_csv and as_json:
        raise click.UsageError("--csv and --json contradict each other: choose one")
    files = [thing for thing in things if access.is_file(thing)]
    games = [thing for thing in things if thing not in files]
    if len(games) > 1:
        raise click.UsageError(f"statistics are of one game, and there is no file {' or '.join(games)}")
    if games and games[0] not in catalog.names() and access.is_path(games[0]):
        raise Missing(f"there is no file {games[0]}")
    game = next(iter(games), None)
    with _club(path, files) as club:
        played = kinds(club)
        if game is not None and game not in {kind.game for kind in played}:
            catalog.find(game)
        if as_csv:
            access.echo_bytes(csv_bytes(club.games() if game is None else club.games("game = ?", (game,))))
        elif game is None:
            access.echo_rows(
                [{"game": kind.game, "games": kind.games, "finished": kind.finished} for kind in played],
                ("game", "title", "games", "finished"),
                lambda kind: (kind["game"], title(str(kind["game"])), kind["games"], kind["finished"]),
                "No game is recorded here yet.",
                as_json=as_json,
            )
        elif as_json:
            access.echo_json(statistics(club, game, players, set_size))
        else:
            _show_statistics(statistics(club, game, players, set_size))


@contextmanager
def _club(path: str, files: Sequence[str]) -> Iterator[Club]:
    """The club of the games in these files, or in a ledger.  What cannot be read is reported, and left out."""

    def reviews() -> Iterator[Review]:
        for item in progress(chain.from_iterable(map(items, files)), "reading"):
            result = review(*item)
            try:
                if not isinstance(result, Review):
                    raise result
                happened(result.record, result.name)
                yield result
            except LedgerError as error:
                access.failed(error)

    if files:
        yield club_of_reviews(reviews())
    else:
        with access.ledger_at(path) as store:
            yield load_club(store)


def _show_statistics(numbers: Statistics) -> None:
    unfinished = f", {numbers.unfinished} unfinished" if numbers.unfinished else ""
    cards = f", {numbers.cards} with the result only (not audited)" if numbers.cards else ""
    every = plural(sum(kind.games for kind in numbers.kinds), "finished game")
    echo(f"{title(numbers.game)}: {every}{cards}{unfinished}", bold=True)
    for kind in numbers.kinds if len(numbers.kinds) > 1 else ():
        is_shown = (kind.players, kind.set_size) == (numbers.players, numbers.set_size)
        echo(f"{'▸' if is_shown else ' '} {kind.title}: {plural(kind.games, 'game')}")
    echo(" ".join(numbers.insight).strip())
    measures = {
        "cheats" if numbers.together else "score": numbers.scores,
        "moves": numbers.moves,
        "hands": numbers.hands,
    }
    rows = [(measure, s.least, _mean(s.median), _mean(s.mean), s.greatest) for measure, s in measures.items() if s]
    if rows:
        table(("", "least", "middle", "mean", "most"), rows)
    _section(
        ("seat", "games", "wins", "by chance"),
        [(seat.seat, seat.games, _mean(seat.wins), _mean(seat.fair)) for seat in numbers.seats],
    )
    _section(
        ("high or low", "", "by", "in record"),
        [(m.title, m.value, ", ".join(name for name, _key in m.holders), m.record) for m in numbers.marks],
    )
    _section(("rule broken", "games", "what it says"), [(c, n, meaning(c)) for c, n in numbers.rules])
    if numbers.miscounts:
        echo(f"\nmiscounted claims, nobody's breach of a rule: in {plural(numbers.miscounts, 'game')}")


@click.command("void")
@click.argument("record")
@click.option("--why", default="", help="The reason, which people with the game's link see.")
@click.option("--undo", is_flag=True, help="Bring the game back.")
@click.option("--by", help="Your name.")
@JSON
@click.pass_obj
def void_(path: str, record: str, why: str, by: str | None, *, undo: bool, as_json: bool) -> None:
    """Set a game aside, such as one begun by mistake: no list, count, standings or statistics have it any more.

    Nothing is deleted: people with its link still see it, with the reason.  --undo brings it back.  Its fingerprint
    stays the same.  `list --void` shows what was set aside.

    \b
    Examples:
      domino-ledger void 7k3m --why "begun by mistake"
      domino-ledger void 7k3m --undo
    """
    with access.ledger_for(path, record) as store:
        record_id = access.resolve(store, record)
        Recorder(store).void(record_id, why, undo=undo, by=by)
        access.note_audit(store, record_id)
    if as_json:
        access.echo_json({"record": record_id, "voided": not undo})
    else:
        echo(f"record {record_id} is {'back' if undo else 'set aside'}")


# ── Standings and schedules ────────────────────────────────────────────────────────────────────────────


@click.command("standings")
@click.argument("event", required=False)
@click.option(
    "--rank", "by", type=click.Choice(("wins", "points")), default="wins", show_default=True, help="Rank by this first."
)
@output("Write EVENT as a page (.html), or the results of its games for a spreadsheet (.csv).")
@click.option(
    "--address", help="Address of the server, such as https://domino.example, to which the page links its games."
)
@click.option("--adjust", metavar="NAME=POINTS", help="Add points to a player, or take some: say --why.")
@click.option("--why", default="", help="The reason: a penalty, a walk-over, a bye.")
@click.option("--withdraw", type=Count(), metavar="N", help="Take the adjustment with this number back.")
@JSON
@click.pass_obj
def standings_(
    path: str,
    event: str | None,
    by: By,
    output: Path | None,
    address: str | None,
    *,
    as_json: bool,
    adjust: str | None,
    why: str,
    withdraw: int | None,
) -> None:
    """Show who is ahead in EVENT, a tournament or league that records name; without one, list the events.

    Players are ranked by wins (a shared win counts in parts), or by the sum of their scores with --rank points.  Those
    with the same number are ranked by the games among them, then by the other number.

    With -o cup.html, the event is one page to read, print or send: the standings, the games evening by evening, and how
    each was won.  The page is a single file, which needs no network.

    \b
    Examples:
      domino-ledger standings
      domino-ledger standings "Spring Cup" --rank points
      domino-ledger standings "Spring Cup" -o cup.html
      domino-ledger standings "Spring Cup" --adjust Ana=-3 --why "came late"
    """
    form = None if output is None else form_of(output, FORMS)
    if output is not None and (event is None or as_json):
        raise click.UsageError("-o writes one event: name the event, and leave --json out")
    if address is not None and form != "html":
        raise click.UsageError("--address is for the links of a page: add -o cup.html")
    base = "" if address is None else server_address(address)
    with access.ledger_at(path) as store:
        _adjust(store, event, adjust, why, withdraw)
        club = load_club(store)
        all_events = events(club)
        if event is None:
            access.echo_rows(
                all_events,
                ("event", "games", "players", "first day", "last day"),
                lambda e: (e.name, e.games, e.people, e.first or "", e.last or ""),
                "No game belongs to an event yet: `domino-ledger new zigzag Ana Ben Cy --event NAME` begins one.",
                as_json=as_json,
            )
            return
        standing = standings(club, event, by)
        if standing is None:
            advice = did_you_mean(event, [event_.name for event_ in all_events])
            raise NotForNow(f"no game names an event {event!r}{advice}")
        if output is None:
            _show_standings(standing, as_json=as_json)
        elif form == "csv":
            _write(output, csv_bytes(games_of(club, event)))
        else:
            games = games_of(club, event)
            _write(output, page_writer("event")(standing, games, lines(club, games), base))


def _adjust(store: SqliteStore, event: str | None, adjust: str | None, why: str, withdraw: int | None) -> None:
    if adjust is not None:
        name, _, points = adjust.rpartition("=")
        if not (event and name and re.fullmatch(r"[-+]?[0-9]{1,9}", points)):
            raise click.UsageError("name the event, and write --adjust NAME=POINTS")
        adjustments.adjust(store, event, name, int(points), why)
    if withdraw is not None:
        adjustments.withdraw(store, withdraw)


FORMS = {"html": (".html", ".htm"), "csv": (".csv",)}
"""What `standings -o` writes, by the end of the file's name."""


def _write(output: Path, text: bytes) -> None:
    with atomic_write(output) as out:
        out.write(text)
    echo(f"Wrote {output}")


def _show_standings(standing: Standings, *, as_json: bool) -> None:
    if as_json:
        for place in standing.places:
            access.echo_json(place.view())
        return
    access.echo_rows(
        standing.places,
        ("player", "rank", "games", "wins", "points", "among equals"),
        lambda place: (
            place.name, place.rank, place.games, in_halves(place.wins), place.points,
            "" if place.direct is None else in_halves(place.direct),
        ),
        "No game of this event is finished yet.",
    )  # fmt: skip
    for one in standing.adjustments:
        echo(f"adjustment {one.number}: {one.player} {one.points:+}, {one.why} ({day(one.when[:10])})")
    if standing.places and standing.cards:
        echo(f"{standing.cards} with the result only: not audited")
    if standing.places and standing.unfinished:
        echo(f"{standing.unfinished} unfinished: not counted")
    if standing.undecided:
        does = "does" if standing.undecided == 1 else "do"
        echo(f"{plural(standing.undecided, 'game')} {does} not say who won: not counted")


@click.command("schedule")
@click.argument("names", nargs=-1, required=True)
@click.option("--game", help="The game; one for three players gets tables of three.")
@JSON
def schedule_(names: tuple[str, ...], game: str | None, *, as_json: bool) -> None:
    """Plan who plays whom: a round robin for 2 to 16 NAMES, or tables of three for 6, 9, 12 or 15.

    In a round robin everybody plays everybody once; if the number is odd, one person sits out each round.  The first
    named at a table begins.

    \b
    Examples:
      domino-ledger schedule Ana Ben Cy Dot
      domino-ledger schedule --game zigzag Ana Ben Cy Dot Eva Finn
    """
    from ledger.club.schedule import plan

    for number, round_ in enumerate(plan(names, game), 1):
        if as_json:
            access.echo_json({"round": number, "tables": round_.tables, "out": round_.out})
            continue
        echo(f"Round {number}", bold=True)
        for people in round_.tables:
            echo(f"  {' – '.join(map(visible, people))}")
        if round_.out:
            echo(f"  {visible(round_.out[0])} sits out")
