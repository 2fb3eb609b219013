"""Compiles every module of /given.zip into /made.zip.  Pyodide runs it, so that the bytecode is its own."""

import importlib.util
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

with zipfile.ZipFile("/given.zip") as given, zipfile.ZipFile("/made.zip", "w") as made:
    for info in given.infolist():
        data, name = given.read(info), info.filename
        if name.endswith(".py"):
            # Nothing reads the docstrings of the library, and they would have to be fetched.
            level = 2 if name.startswith("library/") else 0
            code = compile(data, name.partition("/")[2], "exec", dont_inherit=True, optimize=level)
            data, name = bytes(_code_to_hash_pyc(code, importlib.util.source_hash(data), checked=False)), f"{name}c"
        made.writestr(zipfile.ZipInfo(name, info.date_time), data)
