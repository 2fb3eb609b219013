"""Several JavaScript modules as one.

A page that is a single file needs that, because a file on a disk cannot import another.  Other pages are there sooner
with it: a phone would fetch dozens of modules, some of them only after those that import them.

It understands the one form of import and export that our modules use; anything else raises ValueError.
"""

import re
from pathlib import Path

_IMPORT = re.compile(r'^import (?:\{\s*([^}]+?),?\s*\} from )?"(\.{1,2}/[\w./-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|function\*?|const|let) (\w+))", re.MULTILINE)
_UNKNOWN = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


def one_script(folder: Path, name: str) -> str:
    """The module `name` of a folder, with all that it imports.  Each module keeps its own scope."""
    modules: dict[Path, str] = {}
    _add((folder / name).resolve(), modules)
    return "".join(modules.values())


def _add(path: Path, modules: dict[Path, str]) -> None:
    if path in modules:
        return
    text = path.read_text("utf-8")
    imports = []
    for match in _IMPORT.finditer(text):
        imported = (path.parent / match[2]).resolve()
        _add(imported, modules)
        if match[1]:
            imports.append(f"const {{ {match[1].replace(' as ', ': ')} }} = {_variable(imported, modules)};\n")
    text = _IMPORT.sub("", text)
    exports = [match[1] for match in _EXPORT.finditer(text)]
    text = _EXPORT.sub("", text)
    if unknown := _UNKNOWN.search(text):
        raise ValueError(f"{path.name}: {unknown[0]}")
    modules[path] = ""
    body = f"{''.join(imports)}{text}\nreturn {{ {', '.join(exports)} }};"
    modules[path] = f"const {_variable(path, modules)} = (() => {{\n{body}\n}})();\n"


def _variable(path: Path, modules: dict[Path, str]) -> str:
    return f"module{list(modules).index(path)}"
