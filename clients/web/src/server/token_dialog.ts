// Asks a person for the server's token, once for all connections that want it.

import { button, labelled, make } from "../markup";

let asked: Promise<string> | undefined;

/** `why` says what was wrong with the last one. A person who `mayCancel` can answer nothing: "". */
export function askToken(why: string, mayCancel = false): Promise<string> {
  asked ??= new Promise((done) => {
    const dialog = make(document.body, "dialog");
    const form = make(dialog, "form");
    make(form, "p", "", why ? `The server refused the token: ${why}` : "This server asks for a token.");
    const field = labelled(form, "token", make(null, "input"));
    field.type = "password";
    field.required = true;
    const answer = (token: string) => {
      dialog.remove();
      asked = undefined;
      done(token);
    };
    make(form, "button", "", "enter");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answer(field.value.trim());
    });
    if (mayCancel) button(form, "cancel", "leaves all as it is", () => answer(""));
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      if (mayCancel) answer("");
    });
    dialog.showModal();
  });
  return asked;
}
