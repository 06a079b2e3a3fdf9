// Times modules that export `evaluate`, as it is told on stdin: a line of JSON in, a line of JSON out.
//
//   {"do": "load", "key", "text", "calls"}   calls: lists of leaves, each {"array", "data"} or a number
//   {"do": "evaluate", "key"}                every call's results, as lists of numbers
//   {"do": "time", "key", "seconds"}         microseconds a call: one sample for each batch of calls

import { createInterface } from "node:readline";

const BATCH = 20; // microseconds that a sample takes at least: the clock and its call cost 0.05
const ARRAYS = { Float64Array, Float32Array, Int32Array, Uint8Array };
const loaded = new Map();
const numbers = { NaN, Infinity, "-Infinity": -Infinity };
const number = (x) => numbers[x] ?? x;
const leaf = (x) => (typeof x === "object" ? ARRAYS[x.array].from(x.data, number) : number(x));
const text = (x) => (Number.isFinite(x) ? x : String(x));

/** A loop of its own for each module, so that V8 compiles it for that module alone. */
function looper(evaluate, calls) {
  const leaves = calls[0].map((_, i) => `call[${i}]`).join(", ");
  const body = `
    let sink = 0;
    for (let i = 0; i < count; i++) {
      const call = calls[(from + i) % calls.length];
      sink += evaluate(${leaves})[0][0];
    }
    return sink;`;
  const loop = new Function("evaluate", "calls", "from", "count", body);
  return (from, count) => loop(evaluate, calls, from, count);
}

const actions = {
  async load({ key, text, calls }) {
    const address = `data:text/javascript;base64,${Buffer.from(text, "utf8").toString("base64")}`;
    const { evaluate } = await import(address);
    const given = calls.map((call) => call.map(leaf));
    loaded.set(key, { evaluate, calls: given, run: looper(evaluate, given), batch: 0, sink: 0 });
    return {};
  },
  evaluate({ key }) {
    const { evaluate, calls } = loaded.get(key);
    return { results: calls.map((call) => evaluate(...call).map((array) => Array.from(array, text))) };
  },
  time({ key, seconds }) {
    const module = loaded.get(key);
    if (!module.batch) warm(module, seconds);
    const { run, batch } = module;
    const samples = [];
    const end = performance.now() + 1000 * seconds;
    let from = 0;
    for (let now = performance.now(); now < end; ) {
      module.sink += run(from, batch);
      const after = performance.now();
      samples.push((1000 * (after - now)) / batch);
      from += batch;
      now = performance.now();
    }
    return { samples, batch };
  },
};

/** Calls for some time, then says how many calls make a batch. */
function warm(module, seconds) {
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < 2000 * seconds || count < 100) {
    module.sink += module.run(count, 10);
    count += 10;
  }
  const begin = performance.now();
  module.sink += module.run(0, 200);
  const each = (1000 * (performance.now() - begin)) / 200;
  module.batch = Math.max(1, Math.ceil(BATCH / each));
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  try {
    process.stdout.write(`${JSON.stringify(await actions[asked.do](asked))}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ error: error.stack })}\n`);
  }
}
