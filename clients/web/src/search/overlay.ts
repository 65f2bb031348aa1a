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

/** What a move gives away of the best one's value, from which on its mark is another. */
const losses: [number, string][] = [[0.05, "bad"], [0.02, "poor"], [-Infinity, "good"]];

/** The style of what a move gives away. */
export function lossOf(move: MoveReport, best: MoveReport): string {
  return losses.find(([from]) => best.value - move.value >= from)![1];
}

/** The least share of the best one's visits whose number has room. */
const leastShare = 0.1;

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
    const best = top.find(({ move }) => move === report!.move) ?? top[0];
    panel.markWord(best?.move);
    panel.board.showMarks(top.map((move): Mark => {
      const strength = move.visits / top[0].visits;
      const value = String(Math.round(100 * move.value));
      return { points: panel.stepsOf(move.move), strength, style: move === best ? "best good" : lossOf(move, best),
        words: strength > leastShare ? [value, short(move.visits)] : [value] };
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
