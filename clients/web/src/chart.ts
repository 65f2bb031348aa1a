// Lines over an axis: values over a game, visits over a search.

import { button, draw } from "./markup";
import { Signal } from "./signal";
import { everyTab } from "./storage";

export interface Series {
  name: string;
  style: string;
  points: [number, number][];
}

const left = 38, top = 8, foot = 22;

interface Shown {
  series: Series[];
  most: number;
  unit: string;
  highest?: number;
  marks: [number, string][];
}

/** Whether charts of values show all from 0 to 100 %; else they show what differs. */
const scale = { isWhole: everyTab.get("scale") === "whole", changed: new Signal() };
/** The least part of 0 to 1 that a chart of values shows. */
const leastPart = 0.02;

/** A button that has all charts of values show 0 to 100 %, or what differs. */
export function scaleButton(parent: Element) {
  const made = button(parent, "0–100", "show values from 0 to 100 %, or what differs", () => {
    scale.isWhole = !scale.isWhole;
    everyTab.set("scale", scale.isWhole ? "whole" : "part");
    scale.changed.tell();
  });
  const press = () => made.setAttribute("aria-pressed", String(scale.isWhole));
  scale.changed.listen(press);
  press();
}

export class Chart {
  readonly svg: SVGElement;
  private cursor?: SVGElement;
  private shown: Shown = { series: [], most: 1, unit: "", marks: [] };
  private at?: number;
  private right = 0;
  private height = 0;

  /** `pick` is called with the place on the axis that is clicked. */
  constructor(host: Element, title: string, pick?: (x: number) => void) {
    this.svg = draw(host, "svg", { class: "chart", role: "img", "aria-label": title });
    // As large as the page has it, so that its words are as large as others.
    new ResizeObserver(() => this.fit()).observe(this.svg);
    scale.changed.listen(() => this.redraw());
    if (!pick) return;
    this.svg.classList.add("clickable");
    const choose = (event: MouseEvent) => {
      if (event.buttons !== 1 && event.type !== "click") return;
      const box = this.svg.getBoundingClientRect();
      pick(Math.round(Math.max(0, (event.clientX - box.left - left) / (this.right - left)) * this.most));
    };
    this.svg.addEventListener("click", choose);
    this.svg.addEventListener("pointermove", choose);
  }

  private fit() {
    const { width, height } = this.svg.getBoundingClientRect();
    if (width === 0 || (this.right === width - 8 && this.height === height)) return;
    this.right = width - 8;
    this.height = height;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.redraw();
  }

  private get bottom() {
    return this.height - foot;
  }

  private across(x: number) {
    return left + ((this.right - left) * x) / this.most;
  }

  private get most() {
    return Math.max(this.shown.most, 1e-9);
  }

  /** Shows lines whose x are 0 to `most`, with marks on the axis. Their y are 0 to `highest`, or, without it, values from
   *  0 to 1. */
  show(series: Series[], most: number, unit: string, marks: [number, string][] = [], highest?: number) {
    this.shown = { series, most, unit, highest, marks };
    this.at = undefined;
    this.redraw();
  }

  /** The y at the bottom and at the top. */
  private get range(): [number, number] {
    const { series, highest } = this.shown;
    const values = series.flatMap(({ points }) => points.map(([, y]) => y));
    if (highest !== undefined || scale.isWhole || values.length === 0) return [0, highest ?? 1];
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const spare = Math.max((most - least) / 10, (leastPart - (most - least)) / 2);
    return [Math.max(0, least - spare), Math.min(1, most + spare)];
  }

  private redraw() {
    const { series, most, unit, highest, marks } = this.shown;
    this.svg.replaceChildren();
    if (this.right === 0) return;  // not on the page yet
    const { bottom } = this;
    const [low, high] = this.range;
    const down = (y: number) => bottom - ((bottom - top) * (Math.min(y, high) - low)) / (high - low);
    const across = (y: number, style: string) =>
      draw(this.svg, "line", { x1: left, x2: this.right, y1: down(y), y2: down(y), class: style });
    for (const y of [low, (low + high) / 2, high]) {
      across(y, "grid");
      const words = highest === undefined ? (100 * y).toFixed(high - low < 0.1 ? 1 : 0) : short(y);
      draw(this.svg, "text", { x: left - 6, y: down(y) + 4, "text-anchor": "end" }, words);
    }
    if (highest === undefined && low < 0.5 && high > 0.5) across(0.5, "even");
    draw(this.svg, "text", { x: this.right, y: this.height - 6, "text-anchor": "end" }, `${short(most)} ${unit}`);
    for (const [x, words] of marks) {
      const at = this.across(x);
      draw(this.svg, "line", { x1: at, x2: at, y1: top, y2: bottom, class: "change" });
      draw(this.svg, "text", { x: at + 3, y: top + 9, class: "change" }, words);
    }
    for (const { points, style } of series) {
      const path = points.map(([x, y]) => `${this.across(x).toFixed(1)},${down(y).toFixed(1)}`).join(" ");
      draw(this.svg, "polyline", { points: path, class: style });
      if (points.length === 1) {
        draw(this.svg, "circle", { cx: this.across(points[0][0]), cy: down(points[0][1]), r: 2.5, class: style });
      }
    }
    this.cursor = draw(this.svg, "line", { y1: top - 4, y2: this.bottom + 4, class: "cursor", visibility: "hidden" });
    if (this.at !== undefined) this.point(this.at);
  }

  /** A line across the chart at a place of the axis. */
  point(x: number) {
    this.at = x;
    this.cursor?.setAttribute("visibility", "visible");
    this.cursor?.setAttribute("x1", this.across(x).toFixed(1));
    this.cursor?.setAttribute("x2", this.across(x).toFixed(1));
  }
}

/** So many things: `1 node`, `2.3M nodes`. */
export function counted(number: number, thing: string): string {
  return `${short(number)} ${thing}${number === 1 ? "" : "s"}`;
}

/** A number in few characters: 950, 1.2k, 34M. */
export function short(number: number): string {
  for (const [unit, sign] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]] as [number, string][]) {
    if (number >= unit) return (number / unit).toFixed(number >= 10 * unit ? 0 : 1) + sign;
  }
  return number >= 10 || Number.isInteger(number) ? number.toFixed(0) : number.toFixed(2);
}
