// Light or dark: as the system has it, until a person changes it.

import { everyTab } from "./storage";

const kept = "theme";

export function keepTheme() {
  document.documentElement.dataset.theme = everyTab.get(kept) ?? "";
}

export function changeTheme() {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = isDark ? "light" : "dark";
  everyTab.set(kept, dataset.theme);
}
