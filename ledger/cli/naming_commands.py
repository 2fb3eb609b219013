"""`players merge`, `split`, `rename` and `renamed`: which names are one person, and how they are written."""

from __future__ import annotations

import click

from ledger.cli.ledger_access import confirm, echo_json, ledger_at
from ledger.cli.shared_options import JSON
from ledger.cli.terminal import echo, table
from ledger.club.load import club_of
from ledger.club.people import merge, split
from ledger.keep.recorder import folded
from ledger.keep.renaming import exists, rename, renamings, undo
from ledger.keep.stored_audits import audit_anew
from ledger.record.words import moment, plural
from ledger.stores.beside import Alias


@click.command("merge")
@click.argument("alias")
@click.argument("name")
@click.pass_obj
def merge_(path: str, alias: str, name: str) -> None:
    """Merge ALIAS into NAME: both are one person.  Records stay as they are, and `split` undoes it.

    \b
    Example:
      domino-ledger players merge Annie Ana
    """
    with ledger_at(path) as store:
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


@click.command("split")
@click.argument("alias")
@click.pass_obj
def split_(path: str, alias: str) -> None:
    """Undo a merge: ALIAS is a separate person again.

    \b
    Example:
      domino-ledger players split Annie
    """
    with ledger_at(path) as store:
        merged = split([*store.kept(Alias)], alias)
        store.drop([merged])
    echo(f"{merged.name} is no longer {merged.person}")


@click.command("rename")
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
    with ledger_at(path) as store:
        merging = folded(old) != folded(new) and exists(store, new)
        if merging and not yes:
            confirm(f"Somebody is called {new!r} already. Are the two one person?")
        renaming = rename(store, old, new, merge=merging)
        audit_anew(store)
    echo(f"{old} is called {renaming.new} from now on, in {plural(renaming.records, 'record')}")
    echo(f"`domino-ledger players renamed --undo {renaming.number}` takes it back", err=True)


@click.command("renamed")
@click.option("--undo", "number", type=int, metavar="N", help="Take renaming N back.")
@JSON
@click.pass_obj
def renamed_(path: str, number: int | None, *, as_json: bool) -> None:
    """List who was renamed, and take it back with --undo.

    \b
    Example:
      domino-ledger players renamed --undo 1
    """
    with ledger_at(path) as store:
        if number is not None:
            renaming = undo(store, number)
            audit_anew(store)
            echo(f"{renaming.new} is called {renaming.old} again, in {plural(renaming.records, 'record')}")
            return
        history = renamings(store)
    if as_json:
        for renaming in history:
            echo_json(renaming)
    elif history:
        rows = [(str(r.number), r.old, r.new, moment(r.when), str(r.records)) for r in history]
        table(("number", "was", "is", "when", "records"), rows)
    else:
        echo("Nobody was renamed.")
