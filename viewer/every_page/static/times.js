// Days and times in the reader's way: "today, 03:44", "yesterday", "12 Nov".  Without JavaScript the server's stay.

/** Today, where this phone is: 2026-11-25. */
export function today(now = new Date()) {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** A day or a time as this reader would write it. @param {string} moment @param {Date} now */
export function readable(moment, now = new Date()) {
  const timed = moment.includes("T");
  const date = timed ? new Date(moment) : new Date(`${moment}T12:00:00`);
  if (Number.isNaN(date.getTime())) return null;
  const midnight = (/** @type {Date} */ time) => new Date(time).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(date) - midnight(now)) / 86_400_000);
  const year = date.getFullYear() === now.getFullYear() ? undefined : "numeric";
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  // A game of "tomorrow" was played where it is tomorrow already: the date says that.
  const isNear = days === 0 || days === -1;
  const dated = date.toLocaleDateString(undefined, { day: "numeric", month: "short", year });
  const day = isNear ? words.format(days, "day") : dated;
  return timed ? `${day}, ${date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })}` : day;
}

/** How long ago something was, within the last hour: "3 min ago". @param {string} moment @param {Date} now */
export function ago(moment, now = new Date()) {
  const minutes = Math.floor((now.getTime() - new Date(moment).getTime()) / 60_000);
  if (!moment.includes("T") || !(minutes >= 0 && minutes < 60)) return null;
  return minutes ? `${minutes} min ago` : "just now";
}

/** A `<time data-ago>` within the last hour is shown in minutes. @param {ParentNode} where */
export function localize(where) {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (where.querySelectorAll("time[datetime]"))) {
    const text = (time.dataset.ago !== undefined && ago(time.dateTime)) || readable(time.dateTime);
    if (text === null) continue;
    time.title = time.title || time.textContent || "";
    time.textContent = text;
  }
}

localize(document);
// The server may stand where it is another day.
for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-today]")))
  field.value = today();
