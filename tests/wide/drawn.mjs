// Prints what the browser draws: reads [{ things, names, look }, …] and writes the pieces of each drawing.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`);
const { sortThings } = await import(new URL("look.js", folder));
const { drawing, description } = await import(new URL("drawing.js", folder));
const drawings = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(
  JSON.stringify(
    drawings.map(({ things, names, look }) => {
      const table = sortThings(things, names);
      return { pieces: drawing(table, look), description: description(table) };
    }),
  ),
);
