// Set what can be set in a figure, by script and by key, where it goes far every control; tell all that it ever said.
async (figure, { settings, holds = {}, far }) => {
  const live = window.exploraxFigures.get(figure);
  const start = live.settings;
  const OWN = ".gl-prediction, .gl-controls, .gl-code, noscript, script"; // what says settings, not results
  const said = new Map();
  const moved = [];

  function words() {
    const found = [];
    const nodes = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      if (!nodes.currentNode.parentElement.closest(OWN)) found.push(nodes.currentNode.data);
    }
    for (const name of ["aria-label", "title"]) {
      for (const element of figure.querySelectorAll(`[${name}]`)) {
        if (!element.closest(OWN)) found.push(element.getAttribute(name));
      }
    }
    return found;
  }

  // a number that is none; "NaN at step 3,000" are words
  const broken = ({ attributes, childNodes }) =>
    [...attributes].some(({ name, value }) => !name.startsWith("aria") && value.includes("NaN")) ||
    [...childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && /^\W*NaN\W*$/.test(data));

  async function look(how) {
    await new Promise((done) => requestAnimationFrame(done));
    const at = `${how}: ${JSON.stringify(live.settings)}`;
    for (const text of words()) if (!said.has(text)) said.set(text, at);
    if ([...figure.querySelectorAll(".gl-stage *")].some(broken)) said.set("NaN", at);
    for (const [name, value] of Object.entries(holds)) {
      if (JSON.stringify(live.settings[name]) !== JSON.stringify(value)) moved.push(at);
    }
    if (figure.querySelector("[aria-pressed=true]")) moved.push(`${at}: a preset is lit`);
  }

  const fire = (element, kind, event = Event, more = {}) =>
    element.dispatchEvent(new event(kind, { bubbles: true, ...more }));

  await look("at first");
  const first = [...said.keys()];
  for (const [here, shares] of [
    [start, [0, 0.22, 0.47, 0.78, 1]],
    [{ ...start, ...settings }, [0, 1]],
  ]) {
    const back = async (how) => (live.set(here), await look(how));
    await back("set by a script");
    const inputs = [...figure.querySelectorAll(far ? "[data-control]:not([data-control=guess])" : "select[data-control]")];
    for (const input of inputs) {
      const { type, min, max, options, dataset } = input;
      if (type === "checkbox") {
        input.click();
        await look(dataset.control);
      }
      for (const option of options ?? []) {
        input.value = option.value;
        fire(input, "change");
        await look(dataset.control);
      }
      for (const share of type === "range" ? shares : []) {
        input.value = Number(min) + share * (max - min);
        fire(input, "input");
        fire(input, "change");
        await look(dataset.control);
      }
      await back("reset");
    }
    for (const button of figure.querySelectorAll(".gl-controls [aria-pressed]")) {
      button.click();
      await look(button.textContent);
    }
    const stage = figure.querySelector("[data-walk]");
    for (let n = 0; n < (far ? 12 : 6); n++) {
      fire(stage, "keydown", KeyboardEvent, { key: n % 3 === 2 ? "ArrowDown" : "ArrowRight" });
      await look("walked");
    }
    fire(stage, "keydown", KeyboardEvent, { key: "Escape" });
  }
  await new Promise((done) => setTimeout(done, 600)); // what was set is said half a second later
  await look("aloud");
  live.set(start);
  return { first, said: [...said], moved };
};
