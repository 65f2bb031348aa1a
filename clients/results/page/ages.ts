// How long ago something was.

export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) return `${whole} s`;
  if (whole < 7200) return `${Math.round(whole / 60)} min`;
  if (whole < 172800) return `${(whole / 3600).toFixed(1)} h`;
  return `${Math.round(whole / 86400)} days`;
}

/** By how many milliseconds the server's clock is ahead of this browser's. */
let ahead = 0;

/** Takes over the time of day that the server's answer tells: ages are told by its clock, which may differ from this one. */
export function setClock(answer: Response) {
  const time = Date.parse(answer.headers.get("Date") ?? "");
  if (!Number.isNaN(time)) ahead = time - Date.now();
}

/** The server's time of day, in milliseconds. */
function now(): number {
  return Date.now() + ahead;
}

export function age(seconds: number): string {
  return `${duration(now() / 1000 - seconds)} ago`;
}

/** Times of the page's parts, which they tell in UTC, are told as ages. */
export function tellAges() {
  for (const time of document.querySelectorAll("time")) {
    if (!time.title) time.title = time.textContent ?? "";
    const words = age(Date.parse(time.dateTime) / 1000);
    if (time.textContent !== words) time.textContent = words;
  }
}

export function keepTellingAges() {
  setInterval(tellAges, 1000);
}
