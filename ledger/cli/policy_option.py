"""The option of commands that simulate games: how the players choose."""

from __future__ import annotations

import click

from ledger.play.policies import POLICIES

POLICY = click.option(
    "--policy",
    "pick",
    type=click.Choice(tuple(POLICIES)),
    default="whim",
    show_default=True,
    help="How players choose.  " + "; ".join(f"{name}: {what}" for name, (what, _picks) in POLICIES.items()) + ".",
)
