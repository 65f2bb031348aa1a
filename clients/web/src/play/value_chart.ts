// What the positions of the game are worth, as searches have told; a click goes there.

import { Chart, Series } from "../chart";
import type { Game } from "../game/game";
import { make, onceAFrame } from "../markup";

export class ValueChart {
  readonly host = make(null, "figure");
  private readonly chart: Chart;

  constructor(private readonly game: Game) {
    make(this.host, "figcaption", "", "Value over the game, in % for the first colour (click to go there)");
    this.chart = new Chart(this.host, "Value over the game", 640, (ply) => {
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
    const shown = colours.length === 2 ? colours.slice(0, 1) : colours;
    const series: Series[] = shown.map((colour) => ({
      name: colour, style: colours.length === 2 ? "line-0" : `by ${colour}`,
      points: line.flatMap((node): [number, number][] => {
        const value = node.valueFor(colour);
        return value === undefined ? [] : [[node.ply, value]];
      }),
    }));
    const plies = Math.max(1, line.length - 1);
    this.chart.show(series, plies, plies === 1 ? "ply" : "plies");
    this.chart.point(ply);
  }
}
