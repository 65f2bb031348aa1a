// What the positions of the game are worth, as searches have told; a click goes there.

import { Chart, scaleButton, Series } from "../chart";
import type { Game } from "../game/game";
import type { Node } from "../game/game_tree";
import { make, onceAFrame } from "../markup";

/** Who told what a position is worth to a colour: a line of the chart. */
export type Teller = (node: Node, colour: string) => { name: string; style: string };

export class ValueChart {
  readonly host = make(null, "figure");
  private readonly caption = make(this.host, "figcaption");
  private readonly words = make(this.caption, "span");
  private readonly chart: Chart;

  /** Unless a `teller` says otherwise, all that was told to a colour is one line. */
  constructor(private readonly game: Game, private readonly teller?: Teller) {
    scaleButton(this.caption);
    this.chart = new Chart(this.host, "Value over the game", (ply) => {
      const node = game.node.line[Math.min(ply, game.node.line.length - 1)];
      if (node !== game.node) void game.go(node);
    });
    const draw = onceAFrame(() => this.draw());
    for (const signal of [game.moved, game.known]) signal.listen(draw);
    game.changed.listen(draw);
  }

  private draw() {
    const { line, ply } = this.game.node;
    const { colours } = this.game.geometry;
    const isForTwo = colours.length === 2;
    const told = new Map<string, Series>();
    for (const colour of isForTwo ? colours.slice(0, 1) : colours) {
      for (const node of line) {
        const value = node.valueFor(colour);
        if (value === undefined) continue;
        const { name, style } = this.teller?.(node, colour) ?? { name: colour, style: isForTwo ? "line-0" : `by ${colour}` };
        if (!told.has(name)) told.set(name, { name, style, points: [] });
        told.get(name)!.points.push([node.ply, value]);
      }
    }
    const series = [...told.values()];
    const whose = isForTwo ? `for ${colours[0]}` : "for each colour";
    this.words.textContent = series.length > 0 || this.game.arbiter ? `Value over the game, in % ${whose} (click to go there) `
      : "No search told what the positions are worth.";
    if (series.length > 1) for (const { name, style } of series) make(this.words, "span", `key ${style}`, name);
    const plies = Math.max(1, line.length - 1);
    const marks = line.filter((node) => node.marks).map((node) => [node.ply, node.marks] as [number, string]);
    this.chart.show(series, plies, plies === 1 ? "ply" : "plies", marks);
    this.chart.point(ply);
  }
}
