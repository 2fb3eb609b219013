// Days and times as the reader's place writes them: "today, 03:44", "1 min ago", "20 Nov".
// @ts-check

const DAY = 24 * 3600 * 1000;

/** What a reader calls a day or a time. @param {string} machine @param {Date} [now] */
export function inWords(machine, now = new Date()) {
  const timed = machine.includes("T");
  const then = new Date(timed ? machine : `${machine}T00:00`);
  if (Number.isNaN(then.getTime())) return "";
  const minutes = Math.round((now.getTime() - then.getTime()) / 60000);
  if (timed && minutes >= 0 && minutes < 1) return "just now";
  if (timed && minutes > 0 && minutes < 60) return `${minutes} min ago`;
  const clock = then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(then).setHours(0, 0, 0, 0)) / DAY);
  const near = days === 0 ? "today" : days === 1 ? "yesterday" : "";
  if (near) return timed ? `${near}, ${clock}` : near;
  const year = then.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return then.toLocaleDateString([], { day: "numeric", month: "short", year });
}

/** Writes every time on a page in the reader's way; the whole date stays in the tooltip. @param {ParentNode} root */
export function localise(root) {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (root.querySelectorAll("time[datetime]"))) {
    const words = inWords(time.dateTime);
    if (!words) continue;
    time.textContent = words;
    const timed = time.dateTime.includes("T");
    time.title = new Date(timed ? time.dateTime : `${time.dateTime}T00:00`).toLocaleString([], timed ? undefined : { dateStyle: "full" });
  }
}
