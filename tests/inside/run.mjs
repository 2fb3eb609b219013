// Runs a Python file in the runtime, under node, and prints what the file leaves in `out`.
// node run.mjs RUNTIME ROOT FILE ARGUMENT...

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [runtime, root, file, ...more] = process.argv.slice(2);
const { createPyodideModule, loadPyodide } = await import(pathToFileURL(join(runtime, "python.js")).href);

const pack = gunzipSync(readFileSync(join(runtime, "rules.pack")));
const head = pack.indexOf(10);
const folder = mkdtempSync(join(tmpdir(), "runtime-"));
const site = [];
let at = head + 1;
for (const [name, size] of JSON.parse(pack.subarray(0, head))) {
  const bytes = pack.subarray(at, at + size);
  at += size;
  if (name.startsWith("site/")) site.push([`/lib/python3.14/site-packages/${name.slice(5)}`, bytes]);
  else writeFileSync(join(folder, name), bytes);
}
try {
  const python = await loadPyodide({
    createPyodideModule,
    indexURL: `${folder}/`,
    fsInit: async (disk) => {
      for (const [path, bytes] of site) {
        disk.mkdirTree(path.slice(0, path.lastIndexOf("/")));
        disk.writeFile(path, bytes);
      }
      disk.mkdirTree("/checkout");
      disk.mount(disk.filesystems.NODEFS, { root }, "/checkout");
    },
  });
  python.runPython(`import sys; sys.argv = ${JSON.stringify([file, ...more])}`);
  python.runPython(readFileSync(file, "utf8"));
  process.stdout.write(python.globals.get("out"));
} finally {
  rmSync(folder, { recursive: true });
}
