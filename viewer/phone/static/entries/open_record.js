// Opens a record: its key, what this phone's disk has of it, and what the ledger says.

import { soon } from "../../../every_page/static/retry_and_follow.js";
import { idle } from "../../../in_browser/static/rules_in_browser.js";
import { recall, remember } from "../../../every_page/static/browser_memory.js";
import { addresses } from "../pieces/recorder_addresses.js";
import { by } from "../pieces/markup.js";
import { newLog } from "../notebook/log.js";
import { whyNot } from "../recorder/header.js";

/**
 * The log of a record; the key moves from the link's fragment to this phone, so that no copied address contains it.
 * @param {Recorder} recorder @param {string} record
 */
async function logOf({ notebook }, record) {
  const fresh = addresses.site ? "" : location.hash.slice(1);
  const known = await notebook.get(record);
  if (addresses.site) return known;
  const key = fresh || known?.key || recall(`key.${record}`);
  if (key) remember(`key.${record}`, key);
  const { log } = await notebook.change(record, (log) => ({
    log: log && log.key === key ? log : { ...(log || newLog(record, key)), key },
  }));
  if (fresh) history.replaceState(null, "", location.pathname);
  return log;
}

/**
 * Opens a record.  Raises Unreadable.
 * @param {Recorder} recorder @param {string} record its id
 */
export async function open(recorder, record) {
  // What was entered last belongs to the record before.
  await recorder.writer.writing.catch(() => []);
  recorder.clear(record);
  const { views, exchange, notebook } = recorder;
  const log = await logOf(recorder, record);
  const stored = await notebook.screen(record);
  // Another record may have been opened meanwhile.
  if (views !== recorder.views) return;
  recorder.log = log || null;
  recorder.redo.steps = log?.redo || [];
  views.open(stored);
  recorder.changed();
  if (!log) {
    by("status").textContent = "There is no such game in this browser. Go back, and look for it in the list.";
    return;
  }
  const asking = exchange.open(record);
  // Before the rules are here, the ledger draws what this phone has not seen.
  const drawing = asking.then(() => views.show());
  // What the disk has is enough to go on: a network that does not answer is not waited for.
  await Promise.race([drawing, recorder.latest ? soon() : views.begin()]);
  if (views !== recorder.views) return;
  await ready(recorder, drawing);
}

/**
 * Says that the page is usable, and has the rules draw it.
 * @param {Recorder} recorder @param {Promise<unknown>} drawing
 */
async function ready(recorder, drawing) {
  const { views, rules } = recorder;
  if (!recorder.latest) await drawing;
  if (views !== recorder.views) return;
  if (!recorder.latest) by("status").textContent = whyNot(recorder);
  document.documentElement.dataset.ready = "yes";
  await idle();
  if (await rules.start()) await views.show();
  else if (!recorder.latest && views === recorder.views) by("status").textContent = whyNot(recorder);
}
