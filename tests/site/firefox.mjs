// Drives Firefox through pages: node firefox.mjs FIREFOX ADDRESS... Each figure is stepped by keyboard and dragged
// and, where it has a question or a run, answered and run. Prints what went wrong, and how many figures were stepped,
// told of it in words and were dragged, as JSON.

import puppeteer from "../../packages/explorax/src/explorax/frontend/node_modules/puppeteer-core/lib/puppeteer/puppeteer-core.js";

const [executablePath, ...addresses] = process.argv.slice(2);
const report = { faults: [], stepped: 0, told: 0, dragged: 0, pressed: 0, checked: 0 };
const STEPS = ".gl-controls input[type=range]:enabled";
const PATIENCE = 10_000; // milliseconds

async function visible(figure, selector, words = "") {
  for (const found of await figure.$$(`.gl-live ${selector}`)) {
    if ((await found.isVisible()) && (await found.evaluate((e) => e.textContent)).startsWith(words))
      return found;
  }
  return null;
}

/** What is seen and read of a figure. */
const seen = (figure) =>
  figure.evaluate((f) =>
    ["svg:not([hidden])", ".gl-sentence", ".gl-prediction"].map(
      (part) => f.querySelector(`.gl-live ${part}`)?.innerHTML,
    ),
  );

/** Tells whether something comes true in time. puppeteer's waitForFunction evaluates text, which the policy refuses. */
async function becomes(holds, patience = PATIENCE) {
  for (
    const end = Date.now() + patience;
    Date.now() < end;
    await new Promise((done) => setTimeout(done, 20))
  ) {
    if (await holds()) return true;
  }
  return false;
}

/** Does things one after another until the figure answers, and tells whether it does. */
async function changes(figure, ...acts) {
  const before = await seen(figure);
  const differs = async () => (await seen(figure)).some((part, i) => part !== before[i]);
  for (const [i, act] of acts.entries()) {
    await act();
    if (await becomes(differs, i + 1 < acts.length ? 500 : PATIENCE)) return true;
  }
  return false;
}

async function drag(mouse, figure, knob) {
  await knob.hover();
  const { x, y } = await knob.clickablePoint();
  await mouse.down();
  const by = (dx, dy) => () => mouse.move(x + dx, y + dy, { steps: 3 });
  // at an end there's one way to go
  const answers = await changes(figure, by(-40, 40), by(40, -40), by(40, 40), by(-40, -40));
  await mouse.up();
  return answers;
}

async function tryFigure(page, figure, fault) {
  await figure.scrollIntoView();
  if (!(await becomes(() => figure.evaluate((f) => f.matches(".gl-ready")))))
    return fault("stays a still picture");
  const slider = await visible(figure, STEPS);
  if (slider) {
    const low = await slider.evaluate((s) => s.value * 2 < Number(s.min) + Number(s.max));
    const [, before] = await seen(figure);
    await slider.focus();
    if (!(await changes(figure, () => page.keyboard.press(low ? "PageUp" : "PageDown"))))
      fault("a step changes nothing");
    report.stepped += 1;
    report.told += (await seen(figure))[1] !== before;
  }
  const knob = await visible(figure, "[data-handle]:not([data-handle=guess]) .gl-knob");
  if (knob) {
    if (!(await drag(page.mouse, figure, knob))) fault("a drag changes nothing");
    report.dragged += 1;
  }
  for (const words of ["Tell me", "Run"]) {
    const button = await visible(figure, "button:enabled", words);
    if (!button) continue;
    if (!(await changes(figure, () => button.click()))) fault(`${words} changes nothing`);
    report.pressed += 1;
  }
}

/** Opens a page's exercise, and has Python check what is there. */
async function tryExercise(page, fault) {
  const press = (button) => page.$eval(`.tag_exercise ${button}`, (found) => found.click());
  const ready = () => page.$(".tag_exercise .edit-bar");
  await press(".edit-here button");
  if (!(await becomes(ready))) return fault("its exercise doesn't open");
  await press(".edit-bar button");
  const printed = () => page.$eval(".tag_exercise .edit-output", (found) => found.textContent);
  if (!(await becomes(async () => (await printed()).startsWith("Not yet"), 6 * PATIENCE)))
    return fault(`its exercise isn't checked: ${await printed()}`);
  report.checked += 1;
}

const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath,
  args: ["--width=1280", "--height=1000"], // a viewport set otherwise asks for what older ones don't know
  defaultViewport: null,
});
for (const address of addresses) {
  const page = await browser.newPage();
  const fault = (what) => report.faults.push(`${address}: ${what}`);
  page.on("pageerror", (error) => fault(`raised ${error}`)); // what the page's policy refuses, too
  page.on("console", (said) => said.type() === "error" && fault(`logged ${said.text()}`));
  page.on("requestfailed", (request) => {
    // it stops fetching the next page ahead when this one is left
    if (!/abort/i.test(request.failure()?.errorText ?? "")) fault(`could not load ${request.url()}`);
  });
  try {
    await page.goto(address);
    for (const figure of await page.$$("figure.gl-figure")) {
      const name = await figure.evaluate((f) => f.dataset.figure);
      await tryFigure(page, figure, (what) => fault(`${name}: ${what}`));
    }
    const exercise =
      report.checked < 1 && address.startsWith("http") && (await page.$(".tag_exercise .edit-here"));
    if (exercise) await tryExercise(page, fault);
  } catch (error) {
    fault(`stopped by ${error}`);
  }
  await page.close();
}
await browser.close();
console.log(JSON.stringify(report));
