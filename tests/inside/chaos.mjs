// Chaos from a seed: three phones, and a ledger that loses its disk or gets an older one.
// Arguments: the server's address, the first seed, the number of runs.  It prints what went wrong, and some numbers.
// @ts-check

import { chanceOf } from "./chance.mjs";
import { begin, beginAnew, control, Phone } from "./phones.mjs";

const [server, first, count] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const STEPS = 60;
/** Milliseconds by which a clock is moved at most, to and fro. */
const DAYS = 3 * 86_400_000;
const OWNER = "o".repeat(43);
const totals = { runs: 0, saved: 0, takenBack: 0, losses: 0, faults: 0, looks: 0, proofs: 0 };
const wrongs = /** @type {string[]} */ ([]);

/** @param {number} seed */
async function run(seed) {
  const chance = chanceOf(seed);
  beginAnew(seed);
  const pick = (/** @type {any[]} */ list) => list[Math.floor(chance() * list.length)];
  const sealed = seed % 4 > 0;
  await control(server, { do: "empty", owner: sealed ? OWNER : "" });
  await control(server, { do: "backup" });
  const phones = ["a", "b", "c"].map((name) => new Phone(name, server));
  const games = phones.map(({ name }, n) => ({
    id: `${name.repeat(6)}${String(seed % 10000).padStart(4, "0")}`,
    key: `${n}`.repeat(43),
  }));
  for (const { id, key } of games) await begin(server, id, key);
  for (const [n, phone] of phones.entries()) {
    await phone.open(games[n].id, games[n].key);
    await phone.sync();
  }
  const danger = chance() * 0.4;
  const diskDanger = danger / pick([3, 10, 30]);
  const storms = ["cut", "lost", "hangs", 502, 500, 413];
  for (const phone of phones) {
    phone.weather = () => (chance() < danger ? ((totals.faults += 1), pick(storms)) : "");
    phone.disk.fate = () => (chance() < diskDanger ? ((totals.faults += 1), pick(["closed", "full"])) : "");
  }
  const takenBack = /** @type {Set<string>} */ (new Set());
  let number = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const at = Math.floor(chance() * phones.length);
    const phone = phones[at];
    phone.heard = false;
    if (chance() < 0.05) phone.clock += Math.round((chance() - 0.5) * 2 * DAYS); // somebody moved it
    const what = chance();
    if (chance() < 0.1) phone.tab = 1 - phone.tab; // the other tab of this phone
    if (chance() < 0.05) phone.program += "+"; // the page is another version when it is loaded again
    if (what < 0.5 && phone.mayEnter) {
      const text = what < 0.1 && (await phone.takeBack());
      if (text) takenBack.add(text);
      else await phone.enter(`${phone.name}${seed}-${(number += 1)}`);
    } else if (what < 0.62) await phone.open(games[at].id, games[at].key);
    else if (what < 0.7) {
      const other = pick(games);
      await phone.open(other.id, other === games[at] ? other.key : "");
    } else if (what < 0.84) await phone.sync();
    else if (what < 0.9) await control(server, { do: "killed" });
    else if (what < 0.94) await control(server, { do: "backup" });
    else {
      totals.losses += 1;
      await control(server, { do: what < 0.97 ? "restore" : "empty" });
    }
    await look(phone, seed, step);
  }
  for (const phone of phones) [phone.weather, phone.disk.fate] = [() => "", () => ""];
  for (let round = 0; round < 3; round += 1)
    for (const [n, phone] of phones.entries()) {
      for (const { id, key } of [...games.filter((_, g) => g !== n), games[n]]) {
        await phone.open(id, id === games[n].id ? key : "");
        await phone.sync();
        await look(phone, seed, STEPS + round);
      }
    }
  await judge(phones, games, takenBack, seed);
  if (process.env.SHOW === "all") await show(phones);
  totals.runs += 1;
}

/**
 * What the page says must be true of its log, and of the ledger now, if the phone has just heard from it.
 * @param {Phone} phone @param {number} seed @param {number} step
 */
async function look(phone, seed, step) {
  const { recorder, words, heard, log } = phone;
  if (!log) return;
  totals.looks += 1;
  const say = (/** @type {string} */ why) =>
    wrongs.push(`seed ${seed}, step ${step}: ${phone.name} says ${words}, ${why}`);
  const n = log.entries.length - log.acked;
  const number = /^(?:Saving )?(\d+)/.exec(words);
  if (number && Number(number[1]) !== n) say(`and ${n} wait`);
  if (!words.startsWith("Saved")) return;
  if (n) say(`and ${n} wait`);
  for (const note of phone.notes) phone.saved.add(note);
  if (words !== "Saved" || !heard) return;
  const { links } = await control(server, { do: "truth", record: recorder.record });
  totals.proofs += 1;
  if (log.acked !== links.length || log.entries.at(-1)?.link !== links.at(-1))
    say(`and the ledger has ${links.length} of ${log.acked}`);
}

/** @param {Phone[]} phones @param {{ id: string }[]} games @param {Set<string>} takenBack @param {number} seed */
async function judge(phones, games, takenBack, seed) {
  const notes = [];
  for (const { id } of games) {
    const truth = await control(server, { do: "truth", record: id });
    notes.push(...truth.notes);
    for (const note of truth.standing)
      if (takenBack.has(note)) wrongs.push(`seed ${seed}: ${note}, taken back, stands`);
  }
  totals.takenBack += takenBack.size;
  const counts = new Map();
  for (const note of notes) counts.set(note, (counts.get(note) || 0) + 1);
  for (const phone of phones)
    for (const note of phone.saved) {
      if (takenBack.has(note)) continue;
      totals.saved += 1;
      if (counts.get(note) !== 1)
        wrongs.push(`seed ${seed}: ${note}, saved on ${phone.name}: ${counts.get(note) || 0} times`);
    }
  const corrupt = await control(server, { do: "check" });
  if (corrupt.length) wrongs.push(`seed ${seed}: ${corrupt.join("; ")}`);
}

/** What each phone keeps at the end. @param {Phone[]} phones */
async function show(phones) {
  for (const phone of phones)
    await phone.as(async () => {
      for (const { id, total, acked, choice, aside } of await phone.recorder.notebook.rows())
        console.log(phone.name, id, total, acked, choice, JSON.stringify(aside));
    });
}

for (let seed = first; seed < first + count; seed += 1) {
  await run(seed);
  if (process.env.SHOW) console.log(seed, JSON.stringify(totals), wrongs.length);
}
console.log(wrongs.join("\n"));
console.log(JSON.stringify(totals));
process.exit(wrongs.length ? 1 : 0);
