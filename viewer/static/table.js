// The table on a page.  The contract with the pages around it:
//
//   import { Table } from "./table.js";
//   const table = new Table(stage, film, options);
//
// `stage` is the element <div class="stage"> that viewer/templates/table.html renders; the table fills it and brings its
// own buttons.  `film` is the JSON that the server makes of a record (viewer/pictures/frames.py):
//   { names: ["Ana", …], things: [["tile", "0-12", x, y, dx, dy, level, mark], …], steps: [[come, go], …] }
// `come` and `go` are the numbers of the things that come to the table at a step and that leave it.
//
//   table.show(place)        draws a step; { quiet: true } without motion
//   table.add(things, steps) takes in what was recorded since: more things, and the steps that use them
//   table.steps              how many steps there are
//   table.view               "stacked" or "plan"
//   table.level              the level up to which the building is drawn, 0 for all
//   table.turn               quarter turns, 0 to 3
//   table.eyes               the seat whose hand is seen, -1: everybody's, -2: nobody's
//   table.numerals           numerals instead of pips;  table.coloured  pips in the colours of real sets
//   table.reset()            forgets zoom and pan
// Each of them can be set at any time.  options.changed(table) is called when a reader has used a button of the table.
// @ts-check
