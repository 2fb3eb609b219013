"""The house: floors, walls and small rooms.

A file imports only files on lower floors.  To change the house, change the table below.
"""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ledger.games import catalog
from sheets import a_open
from viewer.in_browser.runtime import PYTHON, sources

ROOT = Path(__file__).parents[1]
LEDGER = ROOT / "ledger"

FLOORS = {
    "ledger": 0,
    "ledger.record": 1,
    "ledger.rules": 2,
    "ledger.examples": 2,
    "ledger.stores": 3,
    "ledger.games": 3,
    "ledger.notation": 4,
    "ledger.proof": 4,
    "ledger.audit": 5,
    "ledger.keep": 6,
    "ledger.play": 6,
    "ledger.club": 7,
    "ledger.bulk": 7,
    "ledger.cli": 8,
    "ledger.__main__": 9,
    "viewer": 9,
    "viewer.pictures": 10,
    "viewer.every_page": 11,
    "viewer.server": 12,
    "viewer.in_browser": 13,
    "viewer.rulebook": 13,
    "viewer.replay": 14,
    "viewer.referee": 15,
    "viewer.paper": 15,
    "viewer.phone": 16,
    "viewer.club": 16,
    "viewer.api": 17,
    "viewer.site": 17,
    "viewer.app": 18,
    "viewer.background": 18,
    "viewer.browser_app": 18,
    "viewer.clubs": 19,
    "viewer.commands": 20,
    "viewer.demo": 21,
}
"""Each room and its floor.  A package (notation, stores, a game, cli, replay) is one room.

The floors hold for scripts and templates, too.  Rooms on one floor, such as phone and club, do not know each other.  An
address may lead up, as a link does.
"""

CATALOG = "ledger.games.catalog"
"""The list of games, which others ask for one by its name."""

GAME_FLOORS = (
    "numbers", "base", "tiers", "state", "bidding", "scoring", "piles", "table", "hands", "options",
    "clauses", "choices", "scene", "",
)  # fmt: skip
"""Within a game: the table does not import the modules that judge, play and draw it; the game is assembled last."""

BELOW_GAMES = (
    "ledger.rules.", "ledger.record.errors", "ledger.record.events", "ledger.record.grid", "ledger.record.record",
    "ledger.record.scene", "ledger.record.sentences", "ledger.record.tiles", "ledger.record.words",
)  # fmt: skip
"""All that a game may import."""

MOST_LINES_OF_A_FUNCTION, MOST_LINES_OF_A_RULE = 60, 40
"""A rule is any function of a game."""
MOST_COLUMNS = 120

VIEWER = ROOT / "viewer"
FILES = sorted(path for folder in (LEDGER, VIEWER) for path in folder.rglob("*.py"))
BUILT = VIEWER / "in_browser" / "built"
SCRIPTS = sorted(
    path for folder in (VIEWER, ROOT / "tests") for path in folder.rglob("*.*js") if BUILT not in path.parents
)
ENTRY_POINTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
NAMES = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in FILES}


def room(module: str) -> str:
    """The room of the table that a module belongs to."""
    parts = module.split(".")
    return ".".join(parts[:2])


@cache
def tree_of(path: Path) -> ast.Module:
    """A file's syntax tree, parsed once."""
    return ast.parse(path.read_text("utf-8"))


@cache
def imports(path: Path) -> tuple[str, ...]:
    """The modules of the project that a file imports at run time, also inside functions and by name.

    By name: `import_module("a.b")`, also out of a table of names, and `entry_points(group=..., name=...)` with
    constants.
    """
    return tuple(_imports(list(running(tree_of(path)))))


def _imports(nodes: list[ast.AST]) -> Iterator[str]:
    calls = {name_of_call(node) for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in ("ledger", "viewer"))
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ("ledger", "viewer"):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in NAMES.values() else node.module
        elif isinstance(node, ast.Constant) and node.value in NAMES.values() and "import_module" in calls:
            yield str(node.value)
        elif isinstance(node, ast.Call) and name_of_call(node) == "entry_points":
            words = {word.arg: word.value.value for word in node.keywords if isinstance(word.value, ast.Constant)}
            target = ENTRY_POINTS.get(words.get("group", ""), {}).get(words.get("name", ""))
            if target is not None:
                yield target.partition(":")[0]


def name_of_call(call: ast.Call) -> str:
    """The last part of the name of the called function."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def running(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes except those for type checkers only."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            continue
        yield child
        yield from running(child)


def test_every_file_is_on_a_floor_and_no_import_goes_up() -> None:
    for path, name in NAMES.items():
        importer = room(name)
        assert importer in FLOORS, f"{name} is on no floor: add it to the table"
        for module in imports(path):
            imported = room(module)
            if imported in (importer, "ledger", "viewer"):
                continue
            assert FLOORS[imported] < FLOORS[importer], f"{name} imports {module}"


def test_the_viewer_knows_no_game_and_only_its_commands_know_the_cli() -> None:
    for path in VIEWER.rglob("*.py"):
        is_command = path.stem in ("commands", "demo")
        closed = ("ledger.games",) if is_command else ("ledger.games", "ledger.cli")
        used = {module for module in imports(path) if module.startswith(closed)}
        assert used <= {CATALOG}, NAMES[path]


TEMPLATES = {path.name: path for path in VIEWER.glob("*/templates/*.html")}
OF_SCRIPTS = re.compile(r'(?:^(?:import |\} from )[^"]*|await import\()"(\.{1,2}/[^"]+)"', re.MULTILINE)
OF_TEMPLATES = re.compile(r'\{%-? *(?:extends|include|from|import) "([^"]+)"')


def test_no_script_imports_and_no_template_includes_what_stands_above_it() -> None:
    scripts = [path for path in SCRIPTS if VIEWER in path.parents]
    uses = [
        (path, (path.parent / name).resolve())
        for path in scripts
        for name in OF_SCRIPTS.findall(path.read_text("utf-8"))
    ]
    uses += [
        (path, TEMPLATES[name]) for path in TEMPLATES.values() for name in OF_TEMPLATES.findall(path.read_text("utf-8"))
    ]
    assert len(uses) > 300
    for user, used in uses:
        upper, lower = (f"viewer.{path.relative_to(VIEWER).parts[0]}" for path in (user, used))
        assert lower == upper or FLOORS[lower] < FLOORS[upper], f"{user} uses {used}"


def test_imports_by_name_are_seen(tmp_path) -> None:
    file = tmp_path / "a.py"
    file.write_text(
        "from importlib import import_module\nfrom importlib.metadata import entry_points\n"
        'import_module("viewer.app")\nentry_points(group="domino_ledger.commands", name="serve")\n'
    )
    assert list(imports(file)) == ["viewer.app", "viewer.commands"]


def test_no_imports_form_a_circle() -> None:
    graph = {name: {module for module in imports(path) if module != name} for path, name in NAMES.items()}
    order: list[str] = []
    waiting = {name: {m for m in modules if m in graph} for name, modules in graph.items()}
    while waiting:
        ready = [name for name, modules in waiting.items() if modules <= set(order)]
        assert ready, f"a circle among {sorted(waiting)}"
        order += ready
        waiting = {name: modules for name, modules in waiting.items() if name not in ready}


GAMES = [path for path in FILES if path.parent.parent == LEDGER / "games"]


def test_a_game_knows_no_other_game_and_nothing_above_it() -> None:
    for path in GAMES:
        game = path.parent.name
        floor = GAME_FLOORS.index(path.stem.replace("__init__", ""))
        for module in imports(path):
            parts = module.split(".")
            if parts[1] == "games":
                assert parts[2] == game, f"{NAMES[path]} imports {module}"
                assert GAME_FLOORS.index(parts[3]) < floor, f"{NAMES[path]} imports {module}"
            else:
                assert module.startswith(BELOW_GAMES), f"{NAMES[path]} imports {module}"


def test_only_games_know_their_names() -> None:
    names = {path.parent.name.replace("_", "-") for path in GAMES}
    for path in FILES:
        if LEDGER / "games" in path.parents:
            continue
        compared = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Compare | ast.Match | ast.Dict)]
        for node in compared:
            constants = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
            assert not constants & names, f"{NAMES[path]} asks for a game by its name"


def test_the_ledger_knows_neither_flask_nor_pages() -> None:
    for path in FILES:
        if VIEWER in path.parents:
            continue
        text = path.read_text("utf-8")
        assert "import flask" not in text
        assert "from flask" not in text
        assert not [module for module in imports(path) if module.startswith("viewer")]


def test_what_runs_in_a_browser_needs_no_flask() -> None:
    code = "import sys, viewer.browser_app; sys.exit(any(name.partition('.')[0] == 'flask' for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_what_runs_in_a_browser_has_all_that_it_imports() -> None:
    carried = sources()
    left_out = set((ROOT / ".ci" / "runtime" / "unused.txt").read_text("utf-8").split())
    for name, path in carried.items():
        if path.suffix == ".py":
            assert not left_out & {module.replace(".", "/") for module in outside(path)}, name
        if path.suffix == ".js":
            for imported in re.findall(r'^import [^"]*"([^"]+)";$', path.read_text("utf-8"), re.MULTILINE):
                beside = (path.parent / imported).resolve()
                assert beside.name == PYTHON or beside in carried.values(), f"{name}: {imported}"


def outside(path: Path) -> set[str]:
    """The modules of others that a file imports as it is loaded."""
    found: set[str] = set()
    for node in tree_of(path).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_functions_fit_a_screen() -> None:
    for path in FILES:
        most = MOST_LINES_OF_A_RULE if path in GAMES else MOST_LINES_OF_A_FUNCTION
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno < most, f"{NAMES[path]}: {node.name}"


def test_scripts_are_typed_and_narrow() -> None:
    """The settings of the type checker name all scripts of the pages; none asks to be left out."""
    settings = json.loads((ROOT / "tsconfig.json").read_text("utf-8"))
    workers = json.loads((ROOT / "tsconfig.worker.json").read_text("utf-8"))["include"]
    assert settings["compilerOptions"]["checkJs"]
    assert settings["compilerOptions"]["strict"]
    assert settings["include"] == ["viewer/*/static"]
    assert settings["exclude"] == [*workers, "viewer/in_browser/built"]
    for path in SCRIPTS:
        name, lines = str(path.relative_to(ROOT)), path.read_text("utf-8").split("\n")
        assert not [line for line in lines if "@ts-" in line] or VIEWER not in path.parents, name
        assert [line for line in lines if len(line) > MOST_COLUMNS] == [], name


def test_one_word_for_one_thing() -> None:
    """Words that the design leaves to others, as names of functions and classes."""
    foreign = {"match_", "move", "session", "board", "user", "config", "violation", "service", "manager", "utils"}
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                assert not set(node.name.lower().split("_")) & foreign, f"{NAMES[path]}: {node.name}"


def test_a_state_is_frozen_and_not_collected() -> None:
    for game in map(catalog.find, catalog.built_in()):
        config = game.start(game.opening(a_open(game))).__struct_config__
        assert config.frozen, game.name
        assert not config.gc, game.name


def test_values_never_change() -> None:
    """Every struct is frozen, but for what one run works on, and files of another program."""
    changing = {
        "ledger.rules.evidence", "ledger.notation.setting", "ledger.keep.bg_stats_import", "viewer.server.request_log",
    }  # fmt: skip
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef) and {ast.unparse(base) for base in node.bases} & {"Struct", "Event"}:
                frozen = any(word.arg == "frozen" and ast.unparse(word.value) == "True" for word in node.keywords)
                assert frozen or NAMES[path] in changing, f"{NAMES[path]}: {node.name}"


def test_no_two_files_of_one_name() -> None:
    """A name says what is in a file without its folder.  Each game has its own `scene`, `table` and so on."""
    games = LEDGER / "games"
    python = [
        path.name for room in (LEDGER, ROOT / "viewer") for path in room.rglob("*.py")
        if path.name != "__init__.py" and path.parent.parent != games
    ]  # fmt: skip
    scripts = [path.name for path in VIEWER.rglob("*.js") if BUILT not in path.parents]
    # Two files of tests with one name can't be collected in one run.
    tests = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    for names in (python, scripts, tests):
        assert sorted(names) == sorted(set(names))
