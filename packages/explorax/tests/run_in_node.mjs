// Evaluates emitted modules, one request a line, for as long as the standard input is open.
//
// A request is {program, calls: [[leaf, ...], ...]}; a leaf is {kind, data} with the name of a
// typed array (or "number") and the bytes in base64, little-endian. The answer is {results}, with
// an array of {kind, data} for each call, or {error}.
//
// Each call is made twice, the second time when all others have been made: a module that hands
// out its scratch space, keeps something from call to call or writes to its inputs is an error.
import { readSync, writeSync } from "node:fs";

const KINDS = { Float64Array, Float32Array, Int32Array, Uint32Array, Uint8Array };

const bytes = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("base64");

function leaf({ kind, data }) {
  const buffer = Buffer.from(data, "base64");
  const copy = buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
  return kind === "number" ? new Float64Array(copy)[0] : new KINDS[kind](copy);
}

// V8 gives a NaN one sign or the other as it optimises: all NaNs are written alike.
const plain = (array) =>
  array.some(Number.isNaN) ? bytes(array.map((x) => (Number.isNaN(x) ? Number.NaN : x))) : bytes(array);

// A module is strict, its names are its own, and `export` is all that a script lacks.
function load(program) {
  const exports = program.match(/^export /gm) ?? [];
  if (exports.length !== 1) throw new Error(`${exports.length} exports; expected 1`);
  const script = program.replace(/^export function evaluate\(/m, "function evaluate(");
  return new Function(`"use strict";\n${script}\nreturn evaluate;`)();
}

function answer({ program, calls }) {
  const evaluate = load(program);
  const leaves = calls.map((call) => call.map(leaf));
  const first = leaves.map((call) => evaluate(...call));
  const results = first.map((arrays) =>
    arrays.map((array) => ({ kind: array.constructor.name, data: plain(array) })),
  );
  leaves.forEach((call, number) => {
    const again = evaluate(...call);
    again.forEach((array, output) => {
      const { data } = results[number][output];
      if (plain(array) !== data) throw new Error(`output ${output} differs when called again`);
      if (plain(first[number][output]) !== data)
        throw new Error(`output ${output} changed after it was returned`);
      if (array.buffer === first[number][output].buffer && array.length)
        throw new Error(`output ${output} is the same array in two calls`);
    });
    call.forEach((value, input) => {
      if (typeof value !== "number" && bytes(value) !== calls[number][input].data)
        throw new Error(`input ${input} was written to`);
    });
  });
  return { results };
}

const chunk = Buffer.alloc(1 << 20);
let pending = "";
for (;;) {
  const length = readSync(0, chunk);
  if (length === 0) break;
  pending += chunk.toString("latin1", 0, length);
  let end = pending.indexOf("\n");
  while (end >= 0) {
    let reply;
    try {
      reply = answer(JSON.parse(pending.slice(0, end)));
    } catch (error) {
      reply = { error: String(error) };
    }
    pending = pending.slice(end + 1);
    const line = Buffer.from(`${JSON.stringify(reply)}\n`);
    for (let sent = 0; sent < line.length; ) sent += writeSync(1, line, sent);
    end = pending.indexOf("\n");
  }
}
