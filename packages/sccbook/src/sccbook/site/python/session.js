// The page's one Python: blocks run in it one after another, share its names, and are stopped when they take too long.

const LIMIT = 10_000; // milliseconds that a run may take, once Python is there

/** @typedef {{code: string, name: string, draws?: Record<string, string>}} Job */

/** @param {string | URL} script the worker's */
export function makeSession(script) {
  /** @type {Worker | null} */
  let worker = null;
  /** Blocks whose names Python has. @type {Set<string>} */
  const known = new Set();
  let anew = true;
  /** @type {Promise<any>} */
  let last = Promise.resolve();
  /** @type {((why: string) => void) | null} */
  let stop = null;

  function end() {
    worker?.terminate();
    worker = null;
    forget();
  }

  function forget() {
    known.clear();
    anew = true;
  }

  /**
   * @param {Job[]} blocks @param {boolean} numpy
   * @param {(said: {type: string, [detail: string]: any}) => void} hear
   * @returns {Promise<string>} why it ended: "done", or in a sentence
   */
  function start(blocks, numpy, hear) {
    if (!worker) hear({ type: "loading" });
    worker ??= new Worker(script);
    const { promise, resolve } = settled();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const lose = (/** @type {string} */ why) => {
      end();
      resolve(why);
    };
    stop = lose;
    worker.onerror = (event) => lose(`Python couldn't start: ${event.message || "its worker isn't there"}.`);
    worker.onmessage = ({ data }) => {
      if (data.type === "ready") {
        const seconds = LIMIT / 1000;
        timer = setTimeout(
          () => lose(`Stopped after ${seconds} seconds: is there a loop that never ends?`),
          LIMIT,
        );
      }
      if (data.type === "ran" && !data.error && !data.flood) known.add(data.name);
      if (data.type === "lost") lose(`Python was lost: ${data.text}`);
      if (data.type === "done") resolve("done");
      hear(data);
    };
    worker.postMessage({ blocks, numpy, anew });
    anew = false;
    return promise.finally(() => {
      clearTimeout(timer);
      stop = null;
    });
  }

  return {
    known,
    forget,
    stop: () => stop?.("Stopped."),
    /** Run blocks, when what runs now has ended. @type {typeof start} */
    run(blocks, numpy, hear) {
      last = last.then(() => start(blocks, numpy, hear));
      return last;
    },
  };
}

function settled() {
  /** @type {(why: string) => void} */
  let resolve = () => {};
  /** @type {Promise<string>} */
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
