// The clocks of a game, of people and engines alike. The page keeps them, and tells the server before a search.

import { labelled, make, seatSign, select, valueField } from "../markup";

/** Systems as `kata-time_settings` names them, each with what its numbers mean, and their usual values. */
export const systems: Record<string, [string, number][]> = {
  none: [],
  absolute: [["minutes", 5]],
  fischer: [["minutes", 5], ["seconds a move", 3]],
  "fischer-capped": [["minutes", 5], ["seconds a move", 3], ["minutes at most", 10], ["seconds a move at most", 60]],
  byoyomi: [["minutes", 5], ["seconds a period", 30], ["periods", 3]],
  canadian: [["minutes", 5], ["seconds a period", 60], ["moves a period", 5]],
};

/** A system and its numbers; all times in seconds. */
export interface ClockSettings {
  system: string;
  main: number;
  /** Increment, or length of a period. */
  period: number;
  /** Periods, or moves a period. */
  count: number;
  most: number;
  mostAMove: number;
}

/** What a colour has left: of its main time if `count` is 0, else of a period, with so many moves or periods to come. */
export interface Left {
  seconds: number;
  count: number;
}

export function beginning({ main, period, count, system }: ClockSettings): Left {
  return main > 0 || !["byoyomi", "canadian"].includes(system) ? { seconds: main, count: 0 } : { seconds: period, count };
}

/** What is left after thinking for `used` seconds; no seconds: the time is over. */
export function after(settings: ClockSettings, left: Left, used: number): Left {
  let { seconds, count } = left;
  seconds -= used;
  const hasPeriods = settings.period > 0 && settings.count > 0;
  if (seconds <= 0 && count === 0 && hasPeriods && ["byoyomi", "canadian"].includes(settings.system)) {
    seconds += settings.period;
    count = settings.count;
  }
  while (settings.system === "byoyomi" && seconds <= 0 && count > 1) {
    seconds += settings.period;
    --count;
  }
  return { seconds: Math.max(0, seconds), count };
}

/** The same, once the move is made. */
export function afterMove(settings: ClockSettings, left: Left, used: number): Left {
  const { seconds, count } = after(settings, left, used);
  if (seconds <= 0) return { seconds, count };
  switch (settings.system) {
    case "fischer":
      return { seconds: seconds + settings.period, count };
    case "fischer-capped":
      return { seconds: Math.max(seconds, Math.min(seconds + settings.period, settings.most)), count };
    case "byoyomi":
      return count > 0 ? { seconds: settings.period, count } : { seconds, count };
    case "canadian":
      return count === 1 ? { seconds: settings.period, count: settings.count } : { seconds, count: Math.max(0, count - 1) };
    default:
      return { seconds, count };
  }
}

/** The choice of a system and its numbers. */
export class ClockForm {
  readonly host = make(null, "div", "controls");
  private readonly system = select(Object.keys(systems), "none");
  private readonly numbers = make(null, "span", "parameters");

  constructor() {
    labelled(this.host, "clock", this.system).addEventListener("change", () => this.showNumbers());
    this.host.append(this.numbers);
  }

  private showNumbers() {
    this.numbers.replaceChildren();
    for (const [words, value] of systems[this.system.value]) {
      labelled(this.numbers, words, valueField(String(value), "decimal"));
    }
  }

  /** Shows settings that are in force already. */
  show(settings: ClockSettings | null) {
    this.system.value = settings?.system ?? "none";
    this.showNumbers();
    const { main, period, most, mostAMove } = settings ?? { main: 0, period: 0, most: 0, mostAMove: 0 };
    const numbers = [main, period, most, mostAMove];
    systems[this.system.value].forEach(([words], i) => {
      this.numbers.querySelectorAll("input")[i].value = String(words.startsWith("minutes") ? numbers[i] / 60 : numbers[i]);
    });
  }

  /** Throws if a number is none. */
  get settings(): ClockSettings | null {
    const words = systems[this.system.value].map(([words]) => words);
    const fields = [...this.numbers.querySelectorAll("input")];
    const numbers = fields.map(({ value }, i) => {
      const number = Number(value.trim().replace(",", "."));
      if (!value.trim() || !(number >= 0 && number < 1e6)) throw new Error(`clock: '${value}' is no number of ${words[i]}`);
      return words[i].startsWith("minutes") ? 60 * number : number;
    });
    if (numbers.length === 0) return null;
    const [main, period = 0, third = 0, mostAMove = 0] = numbers;
    const isCapped = this.system.value === "fischer-capped";
    return { system: this.system.value, main, period, count: isCapped ? 0 : Math.round(third), most: third, mostAMove };
  }
}

export class Clock {
  private left = new Map<string, Left>();
  private faces = new Map<string, HTMLElement>();
  private mover: string | null = null;
  private since = 0;
  private timer = 0;
  /** When the page was last seen to run, and whether nobody saw it then. */
  private seen = performance.now();
  private wasHidden = document.hidden;

  /** Shows a clock for each colour in `host`, whatever was there; none without settings. `left` is what an earlier one has
   *  left. */
  constructor(private readonly host: Element, colours: string[], private readonly settings: ClockSettings | null,
              left?: [string, Left][]) {
    host.replaceChildren();
    if (!settings) return;
    for (const colour of colours) {
      this.left.set(colour, beginning(settings));
      const face = make(host, "span", "clock");
      seatSign(face, colour);
      this.faces.set(colour, make(face, "output", "", ""));
    }
    for (const [colour, each] of left ?? []) this.left.set(colour, each);
    this.timer = window.setInterval(() => {
      this.look();
      this.show();
    }, 100);
  }

  /** Ends it; another one may take its place. */
  stop() {
    clearInterval(this.timer);
    this.host.replaceChildren();
  }

  /** The clock of `colour` runs from now on; the one that ran gets what a move earns if its side has moved. */
  turn(colour: string | null, hasMoved: boolean) {
    if (!this.settings) return;
    if (this.mover) {
      const count = hasMoved ? afterMove : after;
      this.left.set(this.mover, count(this.settings, this.left.get(this.mover)!, this.used));
    }
    this.mover = colour;
    this.since = performance.now();
    this.show();
  }

  /** The move in hand has taken so many seconds by the server's clock: this page may have stood still meanwhile. */
  took(seconds: number) {
    this.look();
    this.since = this.seen - 1000 * seconds;
  }

  /** The time in which the page stood still, asleep with its machine or frozen, counts for nobody. A page that nobody
   *  sees is let run once a minute. */
  private look() {
    const now = performance.now();
    const gap = now - this.seen;
    if (gap > (this.wasHidden || document.hidden ? 90_000 : 2_000)) this.since += gap;
    this.seen = now;
    this.wasHidden = document.hidden;
  }

  /** Seconds that the move in hand has taken. */
  private get used(): number {
    this.look();
    return (performance.now() - this.since) / 1000;
  }

  /** What each colour has left now. */
  get allLeft(): [string, Left][] {
    return [...this.left.keys()].map((colour) => [colour, this.now(colour)]);
  }

  private now(colour: string): Left {
    return after(this.settings!, this.left.get(colour)!, colour === this.mover ? this.used : 0);
  }

  /** What tells the server of this clock before a search for `colour`. */
  commands(colour: string): string[] {
    if (!this.settings) return ["kata-time_settings none"];
    const { system, main, period, count, most, mostAMove } = this.settings;
    const numbers = { absolute: [main], fischer: [main, period], "fischer-capped": [main, period, most, mostAMove],
      byoyomi: [main, period, count], canadian: [main, period, count] }[system]!;
    const left = this.now(colour);
    return [`kata-time_settings ${system} ${numbers.join(" ")}`,
      `time_left ${colour} ${left.seconds.toFixed(2)} ${left.count}`];
  }

  private show() {
    for (const [colour, face] of this.faces) {
      const { seconds, count } = this.now(colour);
      const { system, mostAMove } = this.settings!;
      const ofMove = system === "fischer-capped" && colour === this.mover ? mostAMove - this.used : Infinity;
      const shown = Math.min(seconds, ofMove);
      const whole = Math.max(0, Math.ceil(shown));
      const more = count === 0 ? "" : system === "byoyomi" ? ` × ${count}` : ` for ${count}`;
      face.textContent = shown <= 0 ? "time is over"
        : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}${more}`;
      face.parentElement!.classList.toggle("runs", colour === this.mover);
      face.parentElement!.classList.toggle("alarm", shown < 10);
    }
  }
}
