// Asks a person for the server's token, once for all connections that want it.

import { labelled, make } from "../markup";

let asked: Promise<string> | undefined;

/** `why` says what was wrong with the last one. */
export function askToken(why: string): Promise<string> {
  asked ??= new Promise((done) => {
    const dialog = make(document.body, "dialog");
    const form = make(dialog, "form");
    make(form, "p", "", why ? `The server refused the token: ${why}` : "This server asks for a token.");
    const field = labelled(form, "token", make(null, "input"));
    field.type = "password";
    field.required = true;
    make(form, "button", "", "enter");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      dialog.remove();
      asked = undefined;
      done(field.value.trim());
    });
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.showModal();
  });
  return asked;
}
