// How long ago something was.

export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) return `${whole} s`;
  if (whole < 7200) return `${Math.round(whole / 60)} min`;
  if (whole < 172800) return `${(whole / 3600).toFixed(1)} h`;
  return `${Math.round(whole / 86400)} days`;
}

export function age(seconds: number): string {
  return `${duration(Date.now() / 1000 - seconds)} ago`;
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
