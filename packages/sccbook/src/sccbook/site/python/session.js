// The page's one Python: blocks run in it one after another, share its names, and are stopped when they take too long.

export const LIMIT = 10; // seconds that a run may take, once Python is there
const ENDLESS = `Stopped after ${LIMIT} seconds: is there a loop that never ends?`;

/** @typedef {(said: {type: string, [detail: string]: any}) => void} Hear */

/** @param {URL} script the worker's */
export function makeSession(script) {
  /** @type {Worker | null} */
  let worker = null;
  /** Blocks whose names Python has. @type {Set<string>} */
  const known = new Set();
  let again = false;
  let last = Promise.resolve("");
  let lose = (/** @type {string} */ _why) => {};

  /** @param {{code: string, name: string}[]} blocks @param {boolean} numpy @param {Hear} hear @returns {Promise<string>} */
  const start = (blocks, numpy, hear) =>
    new Promise((resolve) => {
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let timer;
      const end = (/** @type {string} */ why) => {
        clearTimeout(timer);
        lose = () => {};
        resolve(why);
      };
      lose = (why) => {
        worker?.terminate();
        worker = null;
        known.clear();
        end(`${why} The next run begins with a fresh Python.`);
      };
      if (!worker) hear({ type: "loading", again });
      worker ??= new Worker(script);
      worker.onerror = ({ message }) =>
        lose(message ? `Python couldn’t start: ${message}.` : "Python couldn’t be fetched: are you offline?");
      worker.onmessage = ({ data }) => {
        hear(data);
        again ||= data.type === "ready";
        if (data.type === "ready") timer = setTimeout(lose, LIMIT * 1000, ENDLESS);
        if (data.type === "ran" && !data.error) known.add(data.name);
        if (data.type === "lost") lose(data.text);
        if (data.type === "done") end("");
      };
      worker.postMessage({ blocks, numpy, anew: !known.size });
    });

  return {
    known,
    stop: () => lose("Stopped."),
    /** Run blocks, when what runs now has ended; say in a sentence what ended them, or "". @type {typeof start} */
    run(...wanted) {
      last = last.then(() => start(...wanted)).catch(String);
      return last;
    },
  };
}
