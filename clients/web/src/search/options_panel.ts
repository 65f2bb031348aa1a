// Every option of the search as a slider or a choice, with its range and help: those that are pinned always in
// sight, the others in a drawer.

import { counted } from "../chart";
import { button, drawer, labelled, make, select, showDialog } from "../markup";
import { everyTab } from "../storage";
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

const kept = "pins";
const usual = "k alpha beta novelty simulations";
/** Visits of a tree that are not found again in a moment. */
const worthAsking = 1000;

export class OptionsPanel {
  readonly pinned = make(null, "section", "options pinned");
  readonly others = drawer(null, "Options of the search");
  private readonly filter = labelled(this.others, "find", make(null, "input"));
  /** In force at once, and from the next search on. */
  private readonly groups = ["In force at once, also in a running search", "In force from the next search on"].map((words) => {
    make(this.others, "h3", "", words);
    return make(this.others, "div", "options");
  });
  private readonly pins = new Set((everyTab.get(kept) ?? usual).split(" "));
  private engine!: Engine;
  private rows = new Map<string, OptionRow>();
  private names = new Map<string, string[]>();

  /** `keepBeside` has another engine search with a change, beside the one that keeps its tree. */
  constructor(private readonly keepBeside: (name: string, value: string) => Promise<void>,
              private readonly fail: (error: unknown) => void) {
    this.pinned.setAttribute("aria-label", "Pinned options");
    this.filter.type = "search";
    this.filter.addEventListener("input", () => this.find());
  }

  /** Shows the options of an engine, which are known. */
  show(engine: Engine) {
    this.engine = engine;
    this.rows = new Map(engine.options.map((option) => [option.name, new OptionRow(option, {
      set: (value) => void this.askThenSet(option.name, value),
      pin: () => this.pin(option.name),
    })]));
    this.offer(this.names);
    this.place();
  }

  /** Puts each row where its pin says. */
  private place() {
    for (const host of [this.pinned, ...this.groups]) host.replaceChildren();
    for (const { name, live } of this.engine.options) {
      const row = this.rows.get(name)!;
      row.isPinned = this.pins.has(name);
      this.groups[live ? 0 : 1].append(row.host);
    }
    for (const name of this.pins) this.pinned.append(...(this.rows.has(name) ? [this.rows.get(name)!.host] : []));
    this.find();
  }

  private pin(name: string) {
    if (!this.pins.delete(name)) this.pins.add(name);
    everyTab.set(kept, [...this.pins].join(" "));
    this.place();
    this.rows.get(name)!.focusPin();
  }

  private find() {
    const words = this.filter.value.toLowerCase();
    for (const { host } of this.rows.values()) {
      host.hidden = host.parentElement !== this.pinned && !host.textContent!.toLowerCase().includes(words);
    }
  }

  /** Names that the server has for options that are words: of networks, of features. */
  offer(names: Map<string, string[]>) {
    this.names = names;
    for (const [option, choices] of names) this.rows.get(option)?.offer(choices);
  }

  /** Asks before a change costs a tree. */
  private async askThenSet(name: string, value: string) {
    const visits = this.engine.visitsLostBy(name);
    if (visits < worthAsking) return this.set(name, value);
    const words = `A change of ${name} holds for a new tree: the next search drops the ${counted(visits, "visit")} of this one.`;
    const choices = make(null, "div", "strengths");
    const dialog = showDialog("Drop the tree?", make(null, "p", "", words), choices);
    dialog.addEventListener("close", () => this.showValues());
    const add = (label: string, does: string, act: () => Promise<void>) => {
      button(choices, label, does, () => {
        dialog.close();
        act().catch(this.fail);
      });
      make(choices, "span", "", does);
    };
    add("keep it beside", `engine B searches with ${name} ${value}, engine A keeps its tree`, () => this.keepBeside(name, value));
    add("change it", `${name} is ${value} from the next search on`, () => this.set(name, value));
  }

  private async set(name: string, value: string) {
    const { engine } = this;
    try {
      const answer = await engine.set(name, value);
      if (engine !== this.engine) return;
      this.rows.get(name)!.answer = answer || "set";
    } catch (error) {
      this.fail(error);
    }
    this.showValues();
  }

  /** All of them: a preset sets others, too. */
  private showValues() {
    for (const option of this.engine.options) this.rows.get(option.name)?.show(option.value);
  }
}

interface RowActions {
  set(value: string): void;
  pin(): void;
}

class OptionRow {
  readonly host = make(null, "div", "option");
  private readonly display: (value: string) => void;
  private readonly told: HTMLElement;
  private readonly reset: HTMLElement;
  private readonly pin: HTMLElement;
  private choice?: HTMLSelectElement;

  constructor(private readonly option: Option, actions: RowActions) {
    const { name, max, min, help, source } = option;
    this.display = this.control(actions.set);
    this.told = make(this.host, "output", "answer");
    this.reset = button(this.host, "reset", `${name}: back to ${option.default}`, () => actions.set(option.default));
    this.pin = button(this.host, "pin", `${name}: always in sight, or in the drawer`, () => actions.pin());
    make(this.host, "small", "", max === undefined ? help : `${min} to ${max}. ${help}`).title = source;
    this.show(option.value);
  }

  /** Shows a value; it may be the old one, where another was refused. */
  show(value: string) {
    this.display(value);
    this.reset.classList.toggle("needless", value === this.option.default);
  }

  /** Names that the option may have, beside the one that it has. */
  offer(names: string[]) {
    const { choice } = this;
    if (!choice) return;
    const { value } = choice;
    choice.replaceChildren(...select([...new Set(["none", ...names, value])]).children);
    choice.value = value;
  }

  /** What the server has said to the last change. */
  set answer(words: string) {
    this.told.textContent = words;
    this.told.title = words;
  }

  set isPinned(isPinned: boolean) {
    this.pin.setAttribute("aria-pressed", String(isPinned));
  }

  focusPin() {
    this.pin.focus();
  }

  /** Makes what changes the option; returns what shows a value there. */
  private control(set: (value: string) => void): (value: string) => void {
    const { option } = this;
    if (option.max === undefined) {
      const choice = this.choice = labelled(this.host, option.name, select(option.type === "check" ? ["true", "false"] : option.choices));
      choice.addEventListener("change", () => set(choice.value));
      return (value) => {
        if (![...choice.options].some((each) => each.value === value)) make(choice, "option", "", value).value = value;
        choice.value = value;
      };
    }
    const text = labelled(this.host, option.name, make(null, "input", "value"));
    text.addEventListener("change", () => set(text.value.trim()));
    text.inputMode = "decimal";
    const slider = make(this.host, "input");
    Object.assign(slider, { type: "range", max: "1000", step: "1", ariaLabel: `${option.name}, slider` });
    slider.addEventListener("input", () => {
      text.value = fromSlider(option, Number(slider.value));
      slider.setAttribute("aria-valuetext", text.value);
    });
    slider.addEventListener("change", () => set(fromSlider(option, Number(slider.value))));
    return (value) => {
      text.value = value;
      slider.value = String(toSlider(option, Number(value)));
      slider.setAttribute("aria-valuetext", value);
    };
  }
}
