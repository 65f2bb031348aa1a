// Elements of a document and of a picture.

export const svgNamespace = "http://www.w3.org/2000/svg";

/** An element at the end of `parent`. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  parent: Element | null, name: Name, style = "", words?: string | number,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (style) made.className = style;
  if (words !== undefined) made.textContent = String(words);
  parent?.append(made);
  return made;
}

/** A button at the end of `parent`; `title` says what it does and which key does the same. */
export function button(parent: Element, words: string, title: string, act: () => void) {
  const made = make(parent, "button", "", words);
  made.type = "button";
  made.title = title;
  if (!/\w/.test(words)) made.setAttribute("aria-label", title);
  made.addEventListener("click", act);
  return made;
}

/** A control behind its label. */
export function labelled<Made extends HTMLElement>(parent: Element, words: string, control: Made): Made {
  const label = make(parent, "label");
  make(label, "span", "", words);
  label.append(control);
  return control;
}

/** A bar of three parts: how many games were won, drawn and lost. */
export function outcomeBar(parent: Element, won: number, drawn: number, lost: number) {
  const bar = make(parent, "span", "outcomes");
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", `won ${won}, drawn ${drawn}, lost ${lost}`);
  bar.title = bar.getAttribute("aria-label")!;
  for (const [style, count] of [["won", won], ["drawn", drawn], ["lost", lost]] as [string, number][]) {
    if (count > 0) make(bar, "span", style).style.flexGrow = String(count);
  }
}

/** What is out of sight until its words are clicked, at the end of `parent`. */
export function drawer(parent: Element | null, words: string) {
  const made = make(parent, "details", "panel");
  make(made, "summary", "", words);
  return made;
}

/** Shows a dialog with a title and what is in it, until it is closed. */
export function showDialog(title: string, ...content: Element[]) {
  const made = make(document.body, "dialog");
  make(made, "h2", "", title);
  made.append(...content);
  button(made, "close", "close (Esc)", () => made.close());
  made.addEventListener("close", () => made.remove());
  made.showModal();
  return made;
}

/** A choice of words; `options` are pairs of value and text, or values that are their own text. */
export function select(options: (string | [string, string])[], value?: string): HTMLSelectElement {
  const made = make(null, "select");
  for (const option of options) {
    const [value, text] = typeof option === "string" ? [option, option] : option;
    make(made, "option", "", text).value = value;
  }
  if (value !== undefined) made.value = value;
  return made;
}

/** An element of a picture at the end of `parent`. */
export function draw(
  parent: Element, name: string, attributes: Record<string, string | number>, words?: string,
): SVGElement {
  const made = document.createElementNS(svgNamespace, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (words !== undefined) made.textContent = words;
  parent.append(made);
  return made;
}

/** The sign of a colour, beside its name or a move. */
export function seatSign(parent: Element | null, colour: string) {
  return make(parent, "span", `seat ${colour}`);
}

/** A field for a short number or word. */
export function valueField(value: string, mode: "numeric" | "decimal" = "numeric") {
  const made = make(null, "input", "value");
  made.inputMode = mode;
  made.value = value;
  return made;
}

/** Draws before the browser shows its next picture, once for all calls until then. */
export function onceAFrame(draw: () => void) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      draw();
    });
  };
}
