"""The trees of RFC 6962: published roots."""

from __future__ import annotations

from ledger.stores.merkle import EMPTY, Tree, leaf

LEAVES = [
    leaf(bytes.fromhex(text))
    for text in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""The roots of the first 1, 2, ... of those leaves, from the reference tests of Certificate Transparency."""


def test_the_published_roots() -> None:
    assert EMPTY.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert Tree().root == EMPTY
    assert [Tree(LEAVES[:size]).root.hex() for size in range(1, 9)] == ROOTS


def test_many_leaves_at_once_make_the_same_tree_as_one_by_one() -> None:
    leaves = [leaf(b"%d" % n) for n in range(140)]
    for first in (0, 1, 2, 3, 7, 8, 9, 31, 64, 100):
        for more in (0, 1, 2, 3, 5, 8, 33, 40):
            slow, quick = Tree(), Tree(leaves[:first])
            for entry in leaves[: first + more]:
                slow.add(entry)
            quick.extend(leaves[first : first + more])
            assert (quick.size, quick.full, quick.root) == (slow.size, slow.full, slow.root)
