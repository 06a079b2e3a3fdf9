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
  const ours = Promise.all(["sccbook.zip", "driver.py"].map(fetched));
  const pyodide = await here.loadPyodide({ indexURL: base, stdin: () => null });
  const [modules, driver] = await ours;
  pyodide.unpackArchive(modules, "zip", { extractDir: "/book" });
  pyodide.FS.writeFile("/book/driver.py", new Uint8Array(driver));
  pyodide.runPython("import sys; sys.path.insert(0, '/book')");
  return { pyodide, driver: pyodide.pyimport("driver") };
}

const IMPORTS_NUMPY = /^\s*(?:import|from)\s+numpy\b/m;

addEventListener("message", async ({ data: { blocks, numpy, anew } }) => {
  let problem = "Python couldn’t be fetched: are you offline? The browser says";
  try {
    python ??= load();
    const { pyodide, driver } = await python;
    // without it, the import says so
    const wanted = numpy || blocks.some((/** @type {{code: string}} */ { code }) => IMPORTS_NUMPY.test(code));
    if (wanted) await pyodide.loadPackage("numpy", { messageCallback() {}, errorCallback() {} });
    driver.begin(anew, numpy);
    problem = "Python was lost";
    here.postMessage({ type: "ready" });
    for (const { code, name, draws = {} } of blocks) {
      const say = (/** @type {string} */ text) => here.postMessage({ type: "said", name, text });
      const found = driver.run(code, name, say, pyodide.toPy(draws)).toJs({ dict_converter: Object.fromEntries });
      here.postMessage({ type: "ran", name, ...found });
      if (found.error) break; // what comes after needs it
    }
    here.postMessage({ type: "done" });
  } catch (error) {
    here.postMessage({ type: "lost", text: `${problem}: ${error}.` });
  }
});
