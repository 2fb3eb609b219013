// Compiles the modules of an archive with the Python that will run them: node compile.mjs PYODIDE IN.zip OUT.zip

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, given, made] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${folder}/` });
python.FS.writeFile("/given.zip", new Uint8Array(readFileSync(given)));
python.runPython(readFileSync(new URL("compiling.py", import.meta.url), "utf8"));
writeFileSync(made, python.FS.readFile("/made.zip"));
