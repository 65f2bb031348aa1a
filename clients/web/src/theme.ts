// Light or dark: as the system has it, until a person changes it.

const kept = "pitboss-theme";

export function keepTheme() {
  document.documentElement.dataset.theme = localStorage.getItem(kept) ?? "";
}

export function changeTheme() {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem(kept, dataset.theme);
}
