// Times modules that export `evaluate`, as it is told on stdin: a line of JSON in, a line of JSON out.
//
//   {"load": text, "as": key, "calls"}   calls: lists of numbers and of lists of numbers; answers with
//                                        every call's results, each the bytes of a Float64Array
//   {"time": key, "seconds"}             answers with the seconds that a call takes, the median

import { createInterface } from "node:readline";

const BATCH = 20; // microseconds that a sample takes at least: the clock and its call cost 0.05
const loaded = new Map();
const leaf = (x) => (Array.isArray(x) ? Float64Array.from(x) : x);
const bytes = (array) => Buffer.from(Float64Array.from(array).buffer).toString("base64");

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

async function load({ load: text, as, calls }) {
  const address = `data:text/javascript;base64,${Buffer.from(text).toString("base64")}`;
  const { evaluate } = await import(address);
  const given = calls.map((call) => call.map(leaf));
  loaded.set(as, { run: looper(evaluate, given), batch: 0, sink: 0 });
  return given.map((call) => evaluate(...call).map(bytes));
}

function time({ time: key, seconds }) {
  const module = loaded.get(key);
  module.batch ||= warm(module, seconds);
  const { run, batch } = module;
  const samples = [];
  const end = performance.now() + 1000 * seconds;
  for (let from = 0, now = performance.now(); now < end; from += batch, now = performance.now()) {
    module.sink += run(from, batch);
    samples.push((performance.now() - now) / batch / 1000);
  }
  return samples.sort((a, b) => a - b)[samples.length >> 1];
}

/** Calls for some time, then says how many calls make a batch. */
function warm(module, seconds) {
  const start = performance.now();
  for (let count = 0; performance.now() - start < 2000 * seconds || count < 100; count += 10) {
    module.sink += module.run(count, 10);
  }
  const begin = performance.now();
  module.sink += module.run(0, 200);
  const each = (1000 * (performance.now() - begin)) / 200;
  return Math.max(1, Math.ceil(BATCH / each));
}

for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await (told.load ? load : time)(told))}\n`);
}
