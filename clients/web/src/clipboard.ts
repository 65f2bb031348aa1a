// What people take from the page to other programs.

/** Puts words into a field, and where the system keeps what is copied, if the browser allows that; says what came of it. */
export async function copyBy(field: HTMLInputElement | HTMLTextAreaElement, words: string): Promise<string> {
  field.value = words;
  field.select();
  const isCopied = await navigator.clipboard?.writeText(words).then(() => true, () => false) || document.execCommand("copy");
  return isCopied ? "copied" : "The browser lets no page copy here: the words are selected, Ctrl-C copies them.";
}
