// What the board shows of a search: candidate moves, and a map of numbers under the pieces.

import type { Mark } from "../board/board";
import { short } from "../chart";
import { labelled, make, select } from "../markup";
import type { BoardPanel } from "../play/board_panel";
import type { MoveReport, Report } from "../server/protocol";

/** What a map shows of a move, and how several moves to one point come together. */
const maps: Record<string, { of(move: MoveReport): number; isSum: boolean }> = {
  visits: { of: ({ visits }) => visits, isSum: true },
  value: { of: ({ visits, value }) => (visits > 0 ? Math.max(0, value) : 0), isSum: false },
  prior: { of: ({ prior }) => prior ?? 0, isSum: true },
  novelty: { of: ({ novelty }) => novelty ?? 0, isSum: false },
};

/** A value from 0 to 1 as a colour that the colour-blind can tell: orange, grey, blue. */
function valueColour(value: number): string {
  const share = Math.max(0, Math.min(1, value));
  const [from, to, at] = share < 0.5 ? [[213, 94, 0], [125, 125, 125], 2 * share] : [[125, 125, 125], [0, 114, 178], 2 * share - 1];
  return `rgb(${from.map((each, i) => Math.round(each + (to[i] - each) * at)).join()})`;
}

export class Overlay {
  private readonly map: HTMLSelectElement;
  private readonly isMarking: HTMLInputElement;
  private readonly most: HTMLInputElement;

  /** `report` is what it shows. Its controls are put at the end of `bar`. */
  constructor(bar: Element, private readonly panel: BoardPanel, private readonly report: () => Report | undefined) {
    this.map = labelled(bar, "map", select(["none", ...Object.keys(maps)], "none"));
    this.isMarking = labelled(bar, "show candidates", make(null, "input"));
    this.isMarking.type = "checkbox";
    this.isMarking.checked = true;
    this.most = labelled(bar, "at most", make(null, "input"));
    Object.assign(this.most, { type: "range", min: "1", max: "20", value: "8", title: "how many candidates the board shows" });
    for (const control of [this.map, this.isMarking, this.most]) control.addEventListener("input", () => this.draw());
    panel.drawn.listen(() => this.draw());
  }

  /** Whether candidates are shown. While an engine plays against a person they are not, until the person asks. */
  get isShown(): boolean {
    return this.isMarking.checked;
  }
  set isShown(isShown: boolean) {
    this.isMarking.checked = isShown;
    this.draw();
  }

  /** To be called when there is another report. */
  draw() {
    const { panel } = this;
    const report = this.report();
    if (panel.isPreview) return;
    const chosen = panel.chosen;
    const fitting = report && !report.path?.length
      ? report.moves.filter(({ move }) => chosen.every((step, i) => panel.stepsOf(move)[i] === step)) : [];
    panel.board.showHeat(this.heatOf(fitting));
    const top = this.isShown ? fitting.filter(({ visits }) => visits > 0).slice(0, Number(this.most.value)) : [];
    panel.board.showMarks(top.map((move): Mark => {
      const strength = move.visits / top[0].visits;
      return { points: panel.stepsOf(move.move), strength, colour: valueColour(move.value),
        words: strength > 0.02 ? [String(Math.round(100 * move.value)), short(move.visits)] : [] };
    }));
  }

  /** Of each point that is chosen next for a move: a number from 0 to 1. */
  private heatOf(moves: MoveReport[]): Map<string, number> {
    const heat = new Map<string, number>();
    const map = maps[this.map.value];
    if (!map) return heat;
    for (const move of moves) {
      const steps = this.panel.stepsOf(move.move);
      const point = steps[Math.max(this.panel.chosen.length, Math.min(1, steps.length - 1))];
      const [old, number] = [heat.get(point) ?? 0, map.of(move)];
      heat.set(point, map.isSum ? old + number : Math.max(old, number));
    }
    const numbers = [...heat.values()];
    const [least, most] = [map === maps.value ? Math.min(...numbers) : 0, Math.max(...numbers)];
    for (const [point, number] of heat) heat.set(point, most > least ? (number - least) / (most - least) : 0);
    return heat;
  }
}
