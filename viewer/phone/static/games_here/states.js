// Where a game of this phone is, in a sentence.

import { addresses } from "../pieces/recorder_addresses.js";
import { plural } from "../pieces/markup.js";
import { inOne, trouble } from "../entries/trouble.js";
import { ENDED, FOR_OWNER, FRESH, WHAT_IF } from "../notebook/words.js";

/**
 * Where a game is: in the ledger, or what of it waits here, and why.
 * @param {import("../notebook/notebook.js").Row} row @param {import("../notebook/exchange.js").Exchange} exchange
 */
export function stateOf(row, exchange) {
  const { id, total, acked, key, choice, taken, locked, waits: isForOwner, aside } = row;
  const waits = total - acked;
  const contact = exchange.contactOf(id);
  const isFresh = performance.now() - contact.heard < 6 * FRESH;
  if (row.from) return `What if. ${WHAT_IF}`;
  if (addresses.site) return "Kept in this browser";
  if (taken) return "The ledger has another game of this id. Both are kept.";
  if (choice) return "Two versions: open it, and choose what happened.";
  const more = aside.length ? ` ${plural(aside.length, "entry", "entries")} put aside.` : "";
  if (!waits) return (isFresh ? "In the ledger, and the same." : "Was in the ledger when it was last compared.") + more;
  const { trouble: kind, reason, since } = contact;
  const why = !key
    ? "This phone has no key to hand them in."
    : isForOwner
      ? FOR_OWNER
      : locked
        ? ENDED
        : kind
          ? inOne(trouble(kind, reason, since))
          : "";
  const what = acked ? plural(waits, "entry", "entries") : "The game";
  return `${what} ${waits === 1 || !acked ? "waits" : "wait"} on this phone. ${why}${more}`.trim();
}
