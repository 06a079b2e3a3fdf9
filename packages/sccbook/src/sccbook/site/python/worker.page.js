// Python in a worker: Pyodide, with what checks the book's exercises. Nothing is fetched before the first run, and a run
// that takes too long is stopped from outside, with the worker.

/** The worker. @type {any} */
const here = globalThis;
const base = new URL(".", location.href).href;
/** Python, when it's wanted. @type {Promise<{pyodide: any, driver: any}> | undefined} */
let python;

/** @param {string} name */
async function fetched(name) {
  const answer = await fetch(base + name);
  if (!answer.ok) throw new Error(`${base}${name}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

async function load() {
  here.importScripts(`${base}pyodide.js`);
  const [modules, driver] = await Promise.all(["sccbook.zip", "driver.py"].map(fetched));
  const pyodide = await here.loadPyodide({ indexURL: base, stdin: () => null });
  pyodide.unpackArchive(modules, "zip", { extractDir: "/book" });
  pyodide.FS.writeFile("/book/driver.py", new Uint8Array(driver));
  pyodide.runPython("import sys; sys.path.insert(0, '/book')");
  return { pyodide, driver: pyodide.pyimport("driver") };
}

/** What a failure now means. */
let problem = "Python couldn’t be fetched: are you offline?";

addEventListener("message", async ({ data: { blocks, numpy, anew } }) => {
  try {
    python ??= load();
    const { pyodide, driver } = await python;
    const imports = blocks.some((/** @type {any} */ { code }) => /^\s*(import|from)\s+numpy\b/m.test(code));
    if (numpy || imports) await pyodide.loadPackage("numpy", { messageCallback() {} });
    driver.begin(anew, numpy);
    problem = "Python was lost.";
    here.postMessage({ type: "ready" });
    for (const { code, name, draws = {} } of blocks) {
      const say = (/** @type {string} */ text) => here.postMessage({ type: "said", name, text });
      const found = driver.run(code, name, say, pyodide.toPy(draws));
      here.postMessage({ type: "ran", name, ...found.toJs({ dict_converter: Object.fromEntries }) });
      if (found.get("error")) break; // what comes after needs it
    }
    here.postMessage({ type: "done" });
  } catch (error) {
    here.postMessage({ type: "lost", text: `${problem} (${error})` });
  }
});
