"""A folder of clubs: each file `NAME.sqlite` in it is the ledger of the club of that name."""

import re
from pathlib import Path

from ledger.keep.recorder import key_digest, new_key, new_link
from ledger.record.errors import NotForNow
from ledger.stores.store import SqliteStore

NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
"""The name of a club: it is a part of addresses, also of the name of a host."""
OF_THE_HOST = frozenset({"healthz", "new-club", "www"})
"""The host's own addresses."""


def is_club(name: str) -> bool:
    """Whether a club may have this name."""
    return bool(NAME.fullmatch(name)) and name not in OF_THE_HOST


def file_of(folder: Path, name: str) -> Path:
    """The ledger of a club."""
    return folder / f"{name}.sqlite"


def is_aside(folder: Path, name: str) -> bool:
    """Whether the host has set a club aside: by a file `NAME.aside` in the folder."""
    return (folder / f"{name}.aside").exists()


def clubs_in(folder: Path) -> list[Path]:
    """The ledgers of all clubs of a folder, by name; also of those that are set aside."""
    return sorted(path for path in folder.glob("*.sqlite") if is_club(path.stem))


def new_club(folder: Path, name: str) -> str:
    """Makes a club, and returns the secret of its owner's link.  Raises NotForNow for a name that it cannot have."""
    if not NAME.fullmatch(name):
        raise NotForNow("the name of a club has small letters, digits and hyphens, such as north-end")
    if name in OF_THE_HOST:
        raise NotForNow(f"{name} is an address of the host: choose another name")
    path = file_of(folder, name)
    if is_aside(folder, name):
        raise NotForNow(f"the club {name} is set aside")
    try:
        path.open("xb").close()
    except FileExistsError:
        raise NotForNow(f"there is already a club {name}") from None
    path.chmod(0o600)  # as every ledger: it has the names of people
    with SqliteStore(path) as store:
        return new_link(store, "", "owner")


def new_host_link(folder: Path, *, only: bool = False) -> str:
    """The secret of a new link of the host's owner, who makes clubs; with `only`, earlier ones stop working."""
    secret, path = new_key(), folder / "host.keys"
    digests = [] if only else _host_keys(folder)
    path.touch(0o600)
    path.write_text("".join(f"{digest}\n" for digest in (*digests, key_digest(secret).hex())), "utf-8")
    return secret


def is_host_key(folder: Path, key: str) -> bool:
    """Whether a secret is one of the host's owner."""
    return key_digest(key).hex() in _host_keys(folder)


def _host_keys(folder: Path) -> list[str]:
    path = folder / "host.keys"
    return path.read_text("utf-8").split() if path.exists() else []
