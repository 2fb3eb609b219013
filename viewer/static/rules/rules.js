// The rules for a page: a worker that answers questions (viewer/portable.py lists them).

/** @typedef {{ pack?: ArrayBuffer | Blob, address?: string }} Source  the pack, or where it is */

export class Rules {
  /** @param {Worker} worker @param {Source} source */
  constructor(worker, source) {
    this.worker = worker;
    this.asked = 0;
    /** @type {Map<number, { resolve: (answer: any) => void, reject: (reason: Error) => void }>} */
    this.open = new Map();
    /** Settles when the rules have arrived, or cannot. @type {Promise<void>} */
    this.ready = new Promise((resolve, reject) => {
      worker.addEventListener("error", (event) => reject(new Error(event.message || "the worker cannot start")));
      worker.addEventListener("message", ({ data }) => {
        if (data.ready) resolve();
        else if (data.number === undefined) reject(new Error(data.failed));
        else this.answered(data);
      });
    });
    worker.postMessage({ source });
  }

  /** @param {{ number: number, text?: string, failed?: string }} answer */
  answered({ number, text, failed }) {
    const waiting = this.open.get(number);
    this.open.delete(number);
    if (text === undefined) waiting?.reject(new Error(failed));
    else waiting?.resolve(JSON.parse(text));
  }

  /** The answer to a question; it waits until the rules are there. @param {string} name @param {object} question */
  async ask(name, question) {
    await this.ready;
    const number = ++this.asked;
    return new Promise((resolve, reject) => {
      this.open.set(number, { resolve, reject });
      this.worker.postMessage({ number, name, text: JSON.stringify(question) });
    });
  }

  close() {
    this.worker.terminate();
  }
}
