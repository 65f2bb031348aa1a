// The points of a board as things that people choose: by click, tap, drag and keys.

import { draw } from "../markup";
import type { Site } from "../server/protocol";
import type { Board } from "./board";

/** A pointer that moves less, in pixels, has not dragged. */
const leastDrag = 4;
/** A point that is narrower, in pixels, is too small for a finger, which first aims at it and then chooses it. */
const leastForFinger = 28;

export class Sites {
  private readonly sites = new Map<string, SVGElement>();
  private next = new Set<string>();
  /** Where a finger aims: a second touch there chooses it. */
  target?: string;

  /** `choose` gets the point that is meant where one is clicked, tapped, chosen by keys, or where a drag begins and ends; `mayDrag` says
   * whether a drag may begin at a point; `retarget` is called when a finger aims at another one. */
  constructor(private readonly board: Board, private readonly choose: (point: string) => void,
              private readonly mayDrag: (point: string) => boolean, private readonly retarget: () => void) {
    const group = draw(board.svg, "g", { class: "sites" });
    for (const site of board.geometry.sites) {
      const made = board.cell(group, site, { class: "site", role: "button", "aria-label": site.name,
        tabindex: this.sites.size === 0 ? 0 : -1 });
      made.dataset.point = site.name;
      this.sites.set(site.name, made);
    }
    this.listenToPointer();
    board.svg.addEventListener("keydown", (event) => this.key(event));
    for (const [begin, end] of [["pointerover", "pointerleave"], ["focusin", "focusout"]]) {
      board.svg.addEventListener(begin, (event) => this.aim((event.target as SVGElement).dataset.point));
      board.svg.addEventListener(end, () => this.aim(undefined));
    }
  }

  /** The point that a choice of another one means: a piece falls down its column. */
  private meant(point: string): string {
    const { style, sites } = this.board.geometry;
    if (style !== "columns") return point;
    const x = sites.find(({ name }) => name === point)!.x;
    return sites.find((site) => site.x === x && this.next.has(site.name))?.name ?? point;
  }

  /** Shows what a choice of a point would mean. */
  private aim(point: string | undefined) {
    const aimed = point && this.meant(point);
    for (const [name, site] of this.sites) site.classList.toggle("aimed", name === aimed && this.next.has(name));
  }

  /** Whether a finger on a point aims: it may be chosen, and points are too small for a finger. */
  private isToAim(point: string | undefined): boolean {
    const width = (this.board.svg as SVGSVGElement).getScreenCTM()?.a ?? leastForFinger;
    return width < leastForFinger && point !== undefined && this.next.has(this.meant(point));
  }

  /** Has a finger aim at a point, or at none. */
  aimAt(point: string | undefined) {
    if (point === this.target) return;
    this.target = point;
    this.retarget();
  }

  /** A finger that slides aims at what is under it; one that touches its aim chooses that. */
  private listenToFinger() {
    const { svg } = this.board;
    let finger: number | undefined;
    let isChosen = false;
    const pointUnder = ({ clientX, clientY }: PointerEvent) =>
      (document.elementFromPoint(clientX, clientY) as SVGElement | null)?.dataset?.point;
    const follow = (event: PointerEvent) => {
      const under = pointUnder(event);
      const point = under && this.meant(under);
      if (point && point !== this.target && this.next.has(point)) {
        isChosen = false;
        this.aimAt(point);
      }
    };
    svg.addEventListener("pointermove", (event) => { if (event.pointerId === finger) follow(event); });
    svg.addEventListener("pointerup", (event) => {
      if (event.pointerId !== finger) return;
      finger = undefined;
      const { target } = this;
      if (!isChosen || !target) return;
      this.aimAt(undefined);
      this.choose(target);
    });
    svg.addEventListener("pointercancel", () => { finger = undefined; });
    return (event: PointerEvent, point: string): boolean => {
      if (event.pointerType !== "touch" || this.mayDrag(point) || !this.isToAim(point)) return false;
      finger = event.pointerId;
      isChosen = this.meant(point) === this.target;
      this.aimAt(this.meant(point));
      return true;
    };
  }

  private listenToPointer() {
    const aims = this.listenToFinger();
    const { svg } = this.board;
    let from: string | undefined;
    let begun = [0, 0];
    // The page may have moved the board under a pointer that rests: that is no drag.
    const isDrag = ({ clientX, clientY }: PointerEvent) => Math.hypot(clientX - begun[0], clientY - begun[1]) > leastDrag;
    svg.addEventListener("pointerdown", (event) => {
      from = (event.target as SVGElement).dataset.point;
      if (!from || event.button !== 0) return;
      (event.target as SVGElement).releasePointerCapture?.(event.pointerId);
      if (aims(event, from)) return void (from = undefined);
      this.aimAt(undefined);
      begun = [event.clientX, event.clientY];
      this.choose(this.meant(from));
    });
    svg.addEventListener("pointerup", (event) => {
      const under = document.elementFromPoint(event.clientX, event.clientY) as SVGElement | null;
      const to = isDrag(event) ? under?.dataset?.point : undefined;
      if (from) this.board.carry(from);
      if (from && to && to !== from) this.choose(this.meant(to));
      from = undefined;
    });
    svg.addEventListener("pointermove", (event) => {
      if (from && isDrag(event) && this.sites.get(from)!.classList.contains("chosen")) this.board.carry(from, event.clientX, event.clientY);
    });
    for (const kind of ["pointercancel", "pointerleave"]) {
      svg.addEventListener(kind, () => {
        if (from) this.board.carry(from);
        from = undefined;
      });
    }
    // Who plays by mouse or finger keeps the arrow keys for the game: only Tab brings them to the points.
    svg.addEventListener("mousedown", (event) => {
      event.preventDefault();
      (document.activeElement as HTMLElement | null)?.blur();
    });
    // A finger on what can be dragged, or one that aims, does not scroll the page; two of them enlarge it.
    svg.addEventListener("touchstart", (event) => {
      const isAiming = event.touches.length === 1 && this.isToAim((event.target as SVGElement).dataset.point);
      if (isAiming || (event.target as Element).classList.contains("draggable")) event.preventDefault();
    }, { passive: false });
  }

  /** Arrows go from point to point, Enter and the space bar choose. */
  private key(event: KeyboardEvent) {
    const name = (event.target as SVGElement).dataset.point;
    if (!name) return;
    const ways: Record<string, [number, number]> =
      { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Enter" || event.key === " ") this.choose(this.meant(name));
    else if (event.key in ways) this.focusBeside(name, ways[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Goes to the nearest point in a direction. */
  private focusBeside(name: string, [dx, dy]: [number, number]) {
    const { sites } = this.board.geometry;
    const [x, y] = this.board.at(sites.find((site) => site.name === name)!);
    const cost = (site: Site) => {
      const [sx, sy] = this.board.at(site);
      const along = (sx - x) * dx + (sy - y) * dy;
      const beside = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
      return along > 0.3 ? along + 3 * beside : Infinity;
    };
    const next = [...sites].sort((a, b) => cost(a) - cost(b))[0];
    if (cost(next) === Infinity) return;
    for (const site of this.sites.values()) site.setAttribute("tabindex", "-1");
    const site = this.sites.get(next.name)!;
    site.setAttribute("tabindex", "0");
    site.focus();
  }

  /** Names what stands on the points. */
  describe() {
    for (const [name, site] of this.sites) {
      change(site, "aria-label", `${name}, ${this.board.wordsFor(name)}`);
    }
  }

  /** Marks the points that may be chosen next, and those that have been. */
  offer(next: Set<string>, chosen: string[]) {
    this.next = next;
    if (this.target && !next.has(this.target)) this.target = undefined;
    for (const [name, site] of this.sites) {
      site.classList.toggle("next", next.has(name));
      site.classList.toggle("chosen", chosen.includes(name));
      change(site, "aria-disabled", String(!next.has(this.meant(name)) && !chosen.includes(name)));
      // The point where a finger is dragging stays so, or the browser takes the drag for scrolling.
      site.classList.toggle("draggable", this.mayDrag(name) || chosen.includes(name));
    }
  }
}

/** Sets what is not so already: a browser works for each attribute that is set. */
function change(element: Element, name: string, value: string) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
