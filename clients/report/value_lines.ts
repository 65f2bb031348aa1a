// What the sides saw: a line for each over the plies of a game.

import { Chart, Series } from "../web/src/chart";
import { make } from "../web/src/markup";
import type { Match, PlayedGame } from "./report_games";

/** The lines of a game: for two colours what each player gave the first, else what each colour saw. */
function linesOf(match: Match, colours: string[], game: PlayedGame): Series[] {
  const isForTwo = colours.length === 2;
  const lines: Series[] = isForTwo
    ? match.players.map((name, i) => ({ name, style: i === 0 ? "first" : "second", points: [] }))
    : colours.map((name) => ({ name, style: `by ${name}`, points: [] }));
  const values = game.values === "" ? [] : game.values.split(" ");
  values.forEach((value, i) => {
    if (value === "-") return;
    const colour = Number(game.movers[i]);
    const line = isForTwo ? Number(game.seats[colour]) : colour;
    lines[line].points.push([i + 1, Number(value) / 1000]);
  });
  return lines.filter((line) => line.points.length > 0);
}

export class ValueLines {
  private readonly caption: HTMLElement;
  private readonly chart: Chart;

  /** `pick` is called with the ply that is clicked. */
  constructor(host: Element, pick: (ply: number) => void) {
    this.caption = make(host, "p", "note");
    this.chart = new Chart(host, "Values over the game", 640, pick);
  }

  open(match: Match, colours: string[], game: PlayedGame, plies: number) {
    const lines = linesOf(match, colours, game);
    this.chart.svg.style.display = lines.length === 0 ? "none" : "";
    this.caption.replaceChildren();
    if (lines.length === 0) {
      this.caption.textContent = "No engine told what its moves were worth.";
      return;
    }
    this.caption.append(colours.length === 2 ? `Value for ${colours[0]} in %, as seen by ` : "Each colour's value for itself in %: ");
    for (const { name, style } of lines) make(this.caption, "span", `key ${style}`, name);
    this.chart.show(lines, Math.max(plies, 1), "plies");
  }

  /** A line across the chart at a ply. */
  point(ply: number) {
    this.chart.point(ply);
  }
}
