"""Random mutations of lines that two checkouts share, tried on the tests of both.

Does a change of the tests stop catching a fault?

    python tests/mutations.py OTHER [--count 60] [--seed 40]

A mutation changes one operator, number, flag or call inside a function. It is drawn only among lines that stand, word
for word, in a function of the same name here and in OTHER, an earlier checkout with a `.venv` of its own. In each
checkout the tests that import the mutated module run first, then those that every rule and record goes through. Both
checkouts are put back as they were. A row for each mutation is written and, last, how many each side caught. Some
mutants change nothing that can be seen: read them.
"""

import argparse
import ast
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parents[1]
SWAPS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
}
ALWAYS = ("tests/test_fixtures.py", "tests/test_rules_kept.py", "tests/test_audit.py", "tests/test_command_line.py")
"""Tests of every rule and record: they run where no test of the module itself notices."""

SECONDS = 400
"""After this a mutant counts as caught: it hangs."""


class Mutation(NamedTuple):
    """One change: in a file, on a line, between two columns (in bytes)."""

    path: Path
    line: int
    start: int
    end: int
    new: str

    def applied(self, source: bytes) -> bytes:
        """The file's bytes with the change."""
        lines = source.split(b"\n")
        line = lines[self.line - 1]
        lines[self.line - 1] = line[: self.start] + self.new.encode() + line[self.end :]
        return b"\n".join(lines)


def mutations(path: Path) -> Iterator[tuple[str, Mutation]]:
    """Each mutation of a file, with a key: its function, its line and what changes."""
    source = path.read_text("utf-8")
    lines = source.split("\n")
    tree = ast.parse(source)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in (node for statement in function.body for node in ast.walk(statement)):
            for line, start, end, new in _changes(node, lines):
                text = lines[line - 1].encode()
                key = f"{function.name} | {lines[line - 1].strip()} | {text[:start].decode().strip()} > {new.strip()}"
                yield key, Mutation(path, line, start, end, new)


def _changes(node: ast.AST, lines: list[str]) -> Iterator[tuple[int, int, int, str]]:
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            yield from _swap(left, right, operator, lines)
        case ast.BoolOp(op=operator, values=[left, right, *_]) | ast.BinOp(left=left, op=operator, right=right):
            yield from _swap(left, right, operator, lines)
        case ast.Constant(value=bool(value)):
            yield node.lineno, node.col_offset, node.end_col_offset or 0, str(not value)
        case ast.Constant(value=int(value)) if value < 100:
            yield node.lineno, node.col_offset, node.end_col_offset or 0, str(value + 1)
        case ast.UnaryOp(op=ast.Not(), operand=operand) if node.lineno == operand.lineno:
            yield node.lineno, node.col_offset, operand.col_offset, ""
        case ast.Expr(value=ast.Call()) if node.lineno == node.end_lineno:
            yield node.lineno, node.col_offset, node.end_col_offset or 0, "pass"


def _swap(left: ast.expr, right: ast.expr, operator: ast.AST, lines: list[str]) -> Iterator[tuple[int, int, int, str]]:
    if type(operator) not in SWAPS or left.end_lineno != right.lineno:
        return
    start, end = left.end_col_offset or 0, right.col_offset
    old, new = SWAPS[type(operator)]
    between = lines[right.lineno - 1].encode()[start:end].decode()
    if between.strip() == old:
        yield right.lineno, start, end, between.replace(old, new)


def shared(here: Path, other: Path) -> list[tuple[Mutation, Mutation]]:
    """The mutations whose key stands exactly once in each checkout, here and there."""
    both: list[dict[str, list[Mutation]]] = []
    for root in (here, other):
        known: dict[str, list[Mutation]] = {}
        for folder in ("ledger", "viewer"):
            for path in sorted((root / folder).rglob("*.py")):
                for key, mutation in mutations(path):
                    known.setdefault(key, []).append(mutation)
        both.append(known)
    keys = sorted(key for key, found in both[0].items() if len(found) == 1 == len(both[1].get(key, ())))
    return [(both[0][key][0], both[1][key][0]) for key in keys]


def nearest(root: Path, path: Path) -> list[str]:
    """The core's test files that name the module of a file, at most ten, those named after it first."""
    module = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    package, _, stem = module.rpartition(".")
    named = re.compile(rf"\b{re.escape(module)}\b|from {re.escape(package)} import [^\n]*\b{re.escape(stem)}\b")
    files = [
        file
        for file in sorted((root / "tests").rglob("test_*.py"))
        if not {"wide", "browser"} & set(file.parts) and (stem in file.stem or named.search(file.read_text("utf-8")))
    ]
    files.sort(key=lambda file: stem not in file.stem)
    return [str(file.relative_to(root)) for file in files[:10]]


def caught(root: Path, mutation: Mutation) -> str:
    """The first test of a checkout that notices a mutation; empty if none does."""
    source = mutation.path.read_bytes()
    mutation.path.write_bytes(mutation.applied(source))
    try:
        tests = nearest(root, mutation.path)
        rest = [test for test in ALWAYS if test not in tests and (root / test).exists()]
        return (tests and _failure(root, tests)) or _failure(root, rest)
    finally:
        mutation.path.write_bytes(source)


def _failure(root: Path, tests: list[str]) -> str:
    pytest = [str(root / ".venv" / "bin" / "python"), "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    try:
        run = subprocess.run([*pytest, *tests], cwd=root, capture_output=True, text=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "it hangs"
    if run.returncode == 0:
        return ""
    failures = [line for line in run.stdout.split("\n") if line.startswith(("FAILED", "ERROR"))]
    return failures[0].split(" - ")[0].removeprefix("FAILED ") if failures else f"pytest ends with {run.returncode}"


def main() -> None:
    """Draws, tries and writes."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("other", type=Path)
    arguments.add_argument("--count", type=int, default=60)
    arguments.add_argument("--seed", type=int, default=40)
    asked = arguments.parse_args()
    pairs = shared(HERE, asked.other.resolve())
    drawn = random.Random(asked.seed).sample(pairs, asked.count)
    _write(f"{len(pairs)} mutations of lines that stay; {len(drawn)} drawn by seed {asked.seed}")
    count = [0, 0]
    for number, (mine, theirs) in enumerate(drawn, 1):
        text = mine.path.read_text("utf-8").split("\n")[mine.line - 1].strip()
        with ThreadPoolExecutor() as both:
            answers = list(both.map(caught, (HERE, asked.other.resolve()), (mine, theirs)))
        count = [total + bool(answer) for total, answer in zip(count, answers, strict=True)]
        _write(
            f"{number:>2} {mine.path.relative_to(HERE)}:{mine.line} {mine.new.strip() or 'without not'!r} in: {text}"
        )
        _write(f"   here: {answers[0] or 'SURVIVES'}\n   other: {answers[1] or 'SURVIVES'}")
    _write(f"caught: {count[0]} of {len(drawn)} here, {count[1]} of {len(drawn)} in the other checkout")


def _write(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
