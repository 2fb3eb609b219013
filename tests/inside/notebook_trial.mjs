// node notebook_trial.mjs [first seed] [runs]: nothing lost, nothing doubled, words true.
import assert from "node:assert/strict";
import { essence, events, newLog, waiting } from "../../viewer/phone/static/notebook/log.js";
import { FRESH, words } from "../../viewer/phone/static/notebook/words.js";
import { chanceOf } from "./chance.mjs";
import { Ledger, Phone } from "./notebook_world.mjs";

const [first, runs] = [Number(process.argv[2] || 1), Number(process.argv[3] || 500)];
const GAME = "aaaaaaaaaa";
const OPENING = { type: "open", game: "zigzag", players: [{ id: "p1" }, { id: "p2" }] };
const total = {
  steps: 0,
  entered: 0,
  takenBack: 0,
  sent: 0,
  lostAnswers: 0,
  doubled: 0,
  losses: 0,
  choices: 0,
  twins: 0,
  aside: 0,
  saved: 0,
  looks: 0,
  rounds: 0,
  amended: 0,
};

function run(seed) {
  const chance = chanceOf(seed);
  const pick = (list) => list[Math.floor(chance() * list.length)];
  let ids = 0;
  const newId = () => `e${seed}-${(ids += 1)}`;
  let ledger = new Ledger();
  const phones = ["a", "b", "c"].map((name) => new Phone(name, newId));
  const key = "k";
  const isOffline = chance() < 0.5;
  phones[0].open(GAME, key, OPENING);
  if (!isOffline)
    ledger.answer({ id: GAME, key, have: { from: 0, link: "", names: "" }, add: [{ id: GAME, event: OPENING }] });
  for (const phone of phones.slice(1)) phone.open(GAME, key);
  let backup = ledger.backup();
  let now = 1e9;
  /** Requests and answers on their way, of any tab. */
  let air = [];
  const entered = new Map(); // text -> { phone, id }
  const back = new Set();
  const targets = new Map(); // id of a change -> id of what it changes
  const danger = chance() * 0.5;
  const disaster = chance() * 0.06;
  /** What the ledger had when it gave the answer that a phone heard last. */
  const truth = new Map();

  const deliver = (one) => {
    const { phone, question, answer } = one;
    if (answer) {
      const log = phone.logs.get(GAME);
      const isNew = question.n > log.answered;
      const result = phone.answered(GAME, question, answer, one.at);
      total.twins += result.twins.length;
      if (isNew && !result.all) truth.set(phone, { at: one.at, ids: one.ids });
      if (result.again && chance() < 0.8) air.push({ phone, question: phone.question(GAME, result.all) });
      return;
    }
    if (chance() < danger / 2) return; // the request is lost
    const given = ledger.answer(structuredClone(question));
    total.sent += 1;
    if (chance() < danger / 3) ((total.doubled += 1), air.push({ phone, question })); // it arrives twice
    if (chance() < danger) return void (total.lostAnswers += 1);
    const ids = (ledger.records.get(GAME)?.entries || []).map(({ id }) => id);
    air.push({ phone, question, answer: given, at: now, ids });
  };

  const look = (phone) => {
    const log = phone.logs.get(GAME);
    total.looks += 1;
    const { word } = words(log, phone.contact, now, now);
    const known = truth.get(phone);
    const mine = log.entries.map(({ id }) => id);
    if (word.startsWith("Saved") && !word.startsWith("Saved until")) {
      total.saved += 1;
      assert.ok(known && now - known.at <= FRESH, `seed ${seed}: saved, and the contact is old`);
      assert.deepEqual(mine, known.ids, `seed ${seed}: ${phone.name} says saved, and the ledger had something else`);
    }
    const waits = /^(?:Saving )?(\d+)/.exec(word);
    if (waits) assert.equal(Number(waits[1]), mine.length - log.acked);
    if (known && log.heard === known.at && !log.taken)
      assert.deepEqual(mine.slice(0, log.acked), known.ids, `seed ${seed}: acknowledged is what the ledger had`);
    assert.equal(new Set(mine).size, mine.length, "no id twice");
    if (log.choice) assert.equal(word.split(" · ")[0], "Two versions");
  };

  for (let step = 0; step < 120; step += 1) {
    total.steps += 1;
    now += Math.floor(chance() * 3000);
    const phone = pick(phones);
    const log = phone.logs.get(GAME);
    const what = chance();
    if (log.choice && chance() < 0.2) ((total.choices += 1), phone.choose(GAME, pick(["both", "mine", "theirs"])));
    else if (what < 0.3 && log.entries.length) {
      const text = `${phone.name}${seed}-${step}`;
      entered.set(text, { phone, id: phone.enter(GAME, { type: "note", text, when: String(now) }) });
    } else if (what < 0.34 && log.entries.length) {
      // The same act on several phones: it happened once.
      for (const one of phones)
        if (one.logs.get(GAME).entries.length) one.enter(GAME, { type: "pass", turn: step, when: `${now}${one.name}` });
    } else if (what < 0.4) {
      const own = [...entered].filter(
        ([text, one]) => one.phone === phone && !back.has(text) && log.entries.some(({ id }) => id === one.id),
      );
      if (own.length) {
        const [text, { id }] = own[own.length - 1];
        back.add(text);
        phone.undo(GAME, id);
      }
    } else if (what < 0.44) {
      // A change of any entry that stands, by its id: it waits, or the ledger has it.
      const gone = new Set(
        log.entries.map((one, n) => one.of || (one.event.type === "retract" && log.entries[one.event.seq].id)),
      );
      const target = pick(log.entries.filter(({ id, event }) => event.type === "note" && !gone.has(id)).slice(-3));
      if (target)
        targets.set(
          phone.enter(GAME, { type: "amend", event: { type: "note", text: `amended ${step}` } }, target.id),
          target.id,
        );
    } else if (what < 0.45) {
      const record = ledger.records.get(GAME);
      if (record && chance() < 0.3) record.names = `n${step}`; // somebody is forgotten
    } else if (what < 0.46) {
      const record = ledger.records.get(GAME);
      // The link is ended, or a new one given.
      if (record && chance() < 0.3) record.key = record.key === "k" ? "new" : "k";
    } else if (what < 0.6) air.push({ phone, question: phone.question(GAME) });
    else if (what < 0.9 && air.length) deliver(air.splice(Math.floor(chance() * air.length), 1)[0]);
    else if (what < 0.95) backup = ledger.backup();
    else if (chance() < disaster * 10) {
      total.losses += 1;
      ledger.records = pick([() => structuredClone(backup), () => new Map()])();
    }
    look(phone);
  }
  // Everything works again; whoever recorded has the link that holds.
  for (const { key: own } of ledger.records.values()) for (const phone of phones) phone.logs.get(GAME).key = own;
  for (const one of air) if (chance() < 0.5) deliver(one);
  air = [];
  let rounds = 0;
  for (let quiet = 0; quiet < 2; rounds += 1) {
    assert.ok(rounds < 60, `seed ${seed}: it does not come to rest`);
    quiet += 1;
    for (const phone of phones) {
      for (let all = false, n = 0; n < 20; n += 1) {
        now += 10;
        const before = JSON.stringify(phone.logs.get(GAME).entries);
        const question = phone.question(GAME, all);
        const answer = ledger.answer(question);
        truth.set(phone, { at: now, ids: (ledger.records.get(GAME)?.entries || []).map(({ id }) => id) });
        const result = phone.answered(GAME, question, answer, now);
        if (phone.logs.get(GAME).choice) phone.choose(GAME, pick(["both", "both", "mine"]));
        if (JSON.stringify(phone.logs.get(GAME).entries) !== before) quiet = 0;
        all = result.all;
        if (!result.again && !result.all && !phone.waiting(GAME).length) break;
      }
      look(phone);
    }
  }
  total.rounds = Math.max(total.rounds, rounds);
  const record = ledger.records.get(GAME)?.entries || [];
  const aside = new Set(
    phones.flatMap((phone) => phone.logs.get(GAME).aside.map(({ event }) => event.text || event.event?.text)),
  );
  /** What stands because its deletion was put aside, with a reason that the page shows. */
  const spared = new Set(phones.flatMap((phone) => phone.logs.get(GAME).aside.map(({ of }) => of)));
  const all = record.map(({ event }) => event.text).filter(Boolean);
  /** What took the place of another phone's act. */
  const instead = new Set(record.map(({ event }) => event.event?.text));
  const standing = new Set(ledger.standing(GAME));
  for (const [text] of entered) {
    const times = all.filter((one) => one === text).length;
    assert.ok(times <= 1, `seed ${seed}: ${text} ${times} times`);
    if (back.has(text))
      assert.ok(
        !standing.has(text) || spared.has(entered.get(text).id),
        `seed ${seed}: ${text} was taken back, and stands`,
      );
    else assert.ok(times === 1 || instead.has(text) || aside.has(text), `seed ${seed}: ${text} is lost`);
  }
  /** Whether people put an entry in the place of another phone's: then what changed it changes that. */
  const isInstead = (id) => phones.some(({ instead: one }) => one.has(id));
  for (const { id, event } of record)
    if (targets.has(id) && !isInstead(targets.get(id)))
      ((total.amended += 1),
        assert.equal(record[event.seq].id, targets.get(id), `seed ${seed}: it changes another entry`));
  for (const phone of phones) {
    const log = phone.logs.get(GAME);
    assert.deepEqual(
      log.entries.map(({ id }) => id),
      record.map(({ id }) => id),
      `seed ${seed}: ${phone.name} has what the ledger has`,
    );
    assert.equal(words(log, phone.contact, now, now).word.split(" · ")[0], "Saved");
    total.aside += log.aside.length;
  }
  total.entered += entered.size;
  total.takenBack += back.size;
}

for (let seed = first; seed < first + runs; seed += 1) run(seed);
console.log(JSON.stringify({ runs, ...total }));
