"""`key`, `checkpoint` and `prove`: signed tree heads, and proofs that can be checked without the ledger."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ledger.cli import complete
from ledger.cli.ledger_access import echo_bytes, echo_json, ledger_at, resolve
from ledger.record.later import later

with later():
    from ledger.proof.checkpoints import Signer, prove, sign_tree_head
    from ledger.proof.tree_head import check


KEY = click.option(
    "--key", "key", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The private key."
)


@click.command("key")
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path))
def key_(name: str, file: Path) -> None:
    """Make a key for signing checkpoints as NAME: the private half goes to FILE, the public half is printed.

    Anyone with FILE can sign as NAME, so keep it away from the ledger.  Give the public half to everyone.

    \b
    Example:
      domino-ledger key domino.club.example/ledger club.key > club.public
    """
    key = Signer.new_key(name)
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise click.ClickException(f"{file} exists already, and a key never overwrites another") from None
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write(f"{key}\n")
    echo_bytes(f"{Signer(key).verifier}\n".encode())


@click.command("checkpoint")
@KEY
@click.pass_obj
def checkpoint_(path: str, key: Path) -> None:
    """Verify the ledger, and print its signed tree head.  People who keep it can later prove any change.

    \b
    Examples:
      domino-ledger checkpoint --key club.key > friday.checkpoint
      domino-ledger verify --against friday.checkpoint --public club.public
    """
    signer = Signer(key.read_text("utf-8", "replace"))
    with ledger_at(path) as store:
        result = check(store)
    if result.corruptions:
        raise click.ClickException("the ledger is corrupt (`domino-ledger verify` says where): nothing was signed")
    echo_bytes(sign_tree_head(result.tree_head, signer).encode())


@click.command("prove")
@click.argument("record", shell_complete=complete.ids)
@KEY
@click.pass_obj
def prove_(path: str, record: str, key: Path) -> None:
    """Print a proof that RECORD is in the ledger exactly like this.  Checking the proof needs no ledger.

    \b
    Examples:
      domino-ledger prove 7k3m --key club.key > final.proof
      domino-ledger verify --proof final.proof --public club.public
    """
    signer = Signer(key.read_text("utf-8", "replace"))
    with ledger_at(path) as store:
        proof = prove(store, resolve(store, record), signer)
    echo_json(proof)
