// Every option of the search as a slider, a choice or a text, with its range and help.

import { button, labelled, make, select } from "../markup";
import type { Option } from "../server/protocol";
import type { Engine } from "../server/engine";

/** A slider's place for a number: wide ranges are stretched near 0. */
const power = (option: Option) => (option.max! - option.min! > 200 || option.max! > 2 && option.type === "real" ? 4 : 1);
const toSlider = (option: Option, value: number) =>
  1000 * ((value - option.min!) / (option.max! - option.min!)) ** (1 / power(option));
function fromSlider(option: Option, place: number): string {
  const value = option.min! + (option.max! - option.min!) * (place / 1000) ** power(option);
  return option.type === "spin" ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** `tell` gets what is to be said to people. */
export function optionsPanel(host: Element, engine: Engine, tell: (words: string) => void) {
  host.replaceChildren();
  const filter = labelled(host, "find", make(null, "input"));
  filter.type = "search";
  const list = make(host, "div", "options");
  for (const group of ["in force at once, also in a running search", "in force from the next search on"]) {
    make(list, "h3", "", group);
    for (const option of engine.options.filter(({ live }) => live === group.startsWith("in force at once"))) {
      optionRow(list, option, async (value) => {
        try {
          const answer = await engine.set(option.name, value);
          tell(`${option.name} = ${value}${answer ? `: ${answer}` : ""}`);
          if (option.name === "preset") optionsPanel(host, engine, tell);
          return true;
        } catch (error) {
          tell((error as Error).message);
          return false;
        }
      });
    }
  }
  filter.addEventListener("input", () => {
    for (const row of list.querySelectorAll<HTMLElement>(".option")) {
      row.hidden = !row.textContent!.toLowerCase().includes(filter.value.toLowerCase());
    }
  });
}

function optionRow(list: Element, option: Option, set: (value: string) => Promise<boolean>) {
  const row = make(list, "div", "option");
  let current = option.value;
  const changeTo = async (value: string) => {
    if (await set(value)) current = value;
    show(current);
  };
  let show: (value: string) => void;
  if (option.type === "combo" || option.type === "check") {
    const choice = labelled(row, option.name,
      select(option.type === "check" ? ["true", "false"] : option.choices));
    show = (value) => { choice.value = value; };
    choice.addEventListener("change", () => void changeTo(choice.value));
  } else {
    const text = labelled(row, option.name, make(null, "input", "value"));
    show = (value) => { text.value = value; };
    if (option.max !== undefined) {
      text.inputMode = "decimal";
      const slider = make(row, "input");
      slider.type = "range";
      slider.max = "1000";
      slider.step = "1";
      slider.setAttribute("aria-label", `${option.name}, slider`);
      show = (value) => {
        text.value = value;
        slider.value = String(toSlider(option, Number(value)));
        slider.setAttribute("aria-valuetext", value);
      };
      slider.addEventListener("input", () => {
        text.value = fromSlider(option, Number(slider.value));
        slider.setAttribute("aria-valuetext", text.value);
      });
      slider.addEventListener("change", () => void changeTo(fromSlider(option, Number(slider.value))));
    }
    text.addEventListener("change", () => void changeTo(text.value.trim()));
  }
  const range = option.max !== undefined ? `${option.min} to ${option.max}. ` : "";
  make(row, "small", "", `${range}${option.help}`).title = option.source;
  button(row, "reset", `${option.name}: back to ${option.default}`, () => void changeTo(option.default));
  show(current);
}
