// The engines of the page, A and B: each a session with options of its own, and a view of what it has found.

import { button, make } from "../markup";
import type { Messages } from "../messages";
import { Connection } from "../server/connection";
import { Engine } from "../server/engine";
import { Signal } from "../signal";
import { thisTab } from "../storage";
import { MoveActions, SearchView } from "./search_view";

export interface Searcher {
  name: string;
  engine: Engine;
  view: SearchView;
  /** Whether it analyses the positions shown. */
  isOn: boolean;
  /** Grows with each thing that it is asked to do: what earlier ones tell comes too late. */
  round: number;
}

/** The name of the second engine. */
const other = "B";
const kept = (name: string) => `options-${name}`;

export class Searchers {
  /** The views, side by side. */
  readonly host = make(null, "div", "searches");
  /** Buttons that choose the one shown. */
  readonly choice = make(null, "p", "engine-choice");
  readonly all: Searcher[] = [];
  /** A searcher can be asked, with a new session. */
  readonly ready = new Signal<Searcher>();
  /** Another one's options and marks are shown. */
  readonly chosen = new Signal();
  /** An option of one has been set. */
  readonly configured = new Signal();
  /** One has found something. */
  readonly found = new Signal<Searcher>();
  /** The one that searches a move to play, if one does. */
  thinking?: Searcher;
  private at = 0;

  constructor(private readonly actions: MoveActions, private readonly messages: Messages) {
    this.add("A");
    this.showChoice();
  }

  get first(): Searcher {
    return this.all[0];
  }

  /** The one whose options and marks are shown. */
  get shown(): Searcher {
    return this.all[this.at];
  }

  /** The one of a name, begun if it is new. */
  named(name: string): Searcher {
    return this.all.find((each) => each.name === name) ?? this.add(name);
  }

  /** The same, with its view on the page. */
  opened(name: string): Searcher {
    const searcher = this.named(name);
    searcher.view.host.hidden = false;
    return searcher;
  }

  /** Why nothing else may be played or searched: an engine thinks, whose move would be lost; "" if it may. */
  get hindrance(): string {
    return this.thinking ? `Not while engine ${this.thinking.name} thinks: Esc has it move at once.` : "";
  }

  /** Whether something else may be searched; says why not. */
  mayBegin(): boolean {
    if (this.hindrance) this.messages.tell(this.hindrance);
    return !this.hindrance;
  }

  private add(name: string): Searcher {
    const engine = new Engine(new Connection());
    for (const [option, value] of JSON.parse(thisTab.get(kept(name)) ?? "[]")) engine.changed.set(option, value);
    engine.onChange = () => {
      thisTab.set(kept(name), JSON.stringify([...engine.changed]));
      this.configured.tell();
    };
    engine.onChange();
    const view = new SearchView(this.host, name, this.actions);
    view.host.prepend(make(null, "h2", "", `Engine ${name}`));
    view.clear();
    view.host.hidden = this.all.length > 0;
    const searcher: Searcher = { name, engine, view, isOn: false, round: 0 };
    this.all.push(searcher);
    engine.connection.opened = () => void engine.begin().then(() => this.ready.tell(searcher), (error) => this.messages.fail(error));
    engine.connection.connect();
    this.showChoice();
    return searcher;
  }

  /** What has been set of the second one, also where the page has not needed it yet; nothing if there is none. */
  get optionsOfOther(): Record<string, string> | undefined {
    const before = thisTab.get(kept(other));
    return before ? Object.fromEntries(JSON.parse(before)) : undefined;
  }

  /** What has been set of each, in their order. */
  options(): Record<string, string>[] {
    return this.all.map(({ engine }) => Object.fromEntries(engine.changed));
  }

  /** Gives engines options, by their names. */
  async prepare(options: [string, [string, string][]][]) {
    for (const [name, values] of options) {
      const { engine } = this.named(name);
      for (const [option, value] of values) {
        await engine.prepare(option, value).catch((error) => this.messages.fail(error));
      }
    }
    if (options.length > 0) this.chosen.tell();
  }

  /** Shows the options and marks of one, by its place. */
  choose(at: number) {
    this.at = at;
    this.showChoice();
    this.chosen.tell();
  }

  private showChoice() {
    this.choice.replaceChildren();
    this.all.forEach(({ name }, i) => {
      const made = button(this.choice, `engine ${name}`, `options and marks of engine ${name}`, () => this.choose(i));
      made.setAttribute("aria-pressed", String(i === this.at));
    });
  }
}
