// What the super app asks over a mini program: one dialog at a time, at the bottom of the screen.

import { element, icon } from "../phone/draw.js";
import { Scanner } from "./scanner.js";

export class SheetLayer {
  /**
   * @param place the element over the screen
   * @param tools `tap` sends what the user does, `say` tells a screen reader, `sendPicture` sends a picture to the scanner
   */
  constructor(place, tools) {
    this.place = place;
    this.tools = tools;
    this.shown = null;
    this.scanner = null;
    place.addEventListener("keydown", (event) => this.pressed(event));
  }

  get isUp() {
    return this.shown !== null;
  }

  /** Lets the camera go. */
  release() {
    this.scanner?.stop();
    this.scanner = null;
  }

  /** Shows a sheet, or none. One that is up already is left as it is, with what was typed and where the focus is. */
  show(sheet) {
    const next = sheet ? JSON.stringify(sheet) : null;
    if (next === this.shown) return;
    if (this.scanner && sheet?.kind === "scanner" && this.scanner.fits(sheet)) {
      this.shown = next;
      this.scanner.tell(sheet.note);
      return;
    }
    this.release();
    this.shown = next;
    this.place.hidden = !sheet;
    if (!sheet) {
      this.place.replaceChildren();
      return;
    }
    const dialog = this.drawn(sheet);
    this.place.replaceChildren(dialog);
    (dialog.querySelector("[data-focus]") ?? dialog).focus();
  }

  /** Escape takes the way out that a sheet has; the tabulator stays inside it. */
  pressed(event) {
    const dialog = this.place.firstElementChild;
    if (!dialog) return;
    if (event.key === "Escape") {
      event.preventDefault();
      dialog.querySelector("[data-escape]")?.click();
    } else if (event.key === "Tab") {
      const all = [...dialog.querySelectorAll("a[href], button:not(:disabled), input:not(:disabled)")].filter((each) => each.offsetParent !== null);
      if (!all.length) return;
      const edge = event.shiftKey ? all[0] : all.at(-1);
      if (document.activeElement === edge || document.activeElement === dialog) {
        event.preventDefault();
        (event.shiftKey ? all.at(-1) : all[0]).focus();
      }
    }
  }

  drawn(sheet) {
    const { title, parts } = this.contents(sheet);
    this.tools.say(title);
    return element(
      "div", { class: "super-sheet", role: "dialog", "aria-modal": "true", "aria-labelledby": "sheet-title", tabindex: "-1", "data-sheet": sheet.kind },
      element("h3", { id: "sheet-title" }, title), ...parts,
    );
  }

  contents(sheet) {
    switch (sheet.kind) {
      case "consent":
        return this.consent(sheet);
      case "cashier":
        return this.cashier(sheet);
      case "scanner":
        return this.scanning(sheet);
      case "prompt":
        return this.prompt(sheet);
      case "choices":
        return this.choices(sheet);
      case "link":
        return { title: "Leave for another place?", parts: [words(`${sheet.title} wants to open this: ${sheet.text}`), this.pair("Open", "allow", "Do not open", "decline")] };
      case "scene":
        return this.scene(sheet);
      case "confirm":
        return { title: sheet.title || "Question", parts: [words(sheet.text), this.pair(sheet.confirm || "OK", "confirm", sheet.cancel || "Cancel", "cancel")] };
      default:
        return { title: sheet.title || "Message", parts: [words(sheet.text), actions(this.button(sheet.confirm || "OK", "confirm", { ...main, ...escape }))] };
    }
  }

  consent(sheet) {
    const list = element("ul", { class: "super-scopes" }, ...sheet.scopes.map(({ scope, text }) => element("li", { "data-scope": scope }, text)));
    return { title: `${sheet.title} would like to know`, parts: [list, this.pair("Agree", "agree", "Do not agree", "refuse")] };
  }

  cashier(sheet) {
    const parts = [element("div", { class: "super-drawing" }, icon("wallet")), words("You pay on the wallet’s own pages, in a tab beside this one, and come back by them.")];
    const away = URL.canParse(sheet.away) && ["http:", "https:"].includes(new URL(sheet.away).protocol);
    const link = away ? element("a", { class: "away-button", href: sheet.away, target: "_blank", rel: "noopener", "data-key": "away", "data-focus": true }, "Open the wallet") : null;
    return { title: "Payment", parts: [...parts, actions(link, this.button("Back to the app", "comeBack", { ...escape, ...(link ? {} : focus) }))] };
  }

  scanning(sheet) {
    this.scanner = new Scanner(sheet, this.tools);
    return { title: sheet.type === "barCode" ? "Scan a bar code" : "Scan a QR code", parts: [this.scanner.node] };
  }

  prompt(sheet) {
    const input = element("input", { type: "text", autocomplete: "off", placeholder: sheet.placeholder, "data-key": "answer", "data-focus": true });
    const submit = element("button", { type: "submit", class: "button-main wide-button", "data-key": "confirm" }, sheet.confirm || "OK");
    const form = element(
      "form", { class: "super-form" }, element("label", { class: "field" }, element("span", {}, sheet.text || "Your answer"), input),
      actions(submit, this.button(sheet.cancel || "Cancel", "cancel", escape)),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.tools.tap("confirm", { value: input.value });
    });
    return { title: sheet.title || "Question", parts: [form] };
  }

  choices(sheet) {
    const list = element("ul", { class: "plain super-choices" }, ...sheet.items.map((item, index) => element(
      "li", {}, this.button(item, "choose", { "data-key": `choice-${index}`, ...(index ? {} : focus) }, { value: String(index) }),
    )));
    return { title: sheet.title || "Choose", parts: [list, actions(this.button(sheet.cancel || "Cancel", "cancel", escape))] };
  }

  scene(sheet) {
    const items = sheet.items ?? [];
    const list = items.length ? element("ul", { class: "super-scopes" }, ...items.map((item) => element("li", {}, item))) : null;
    const parts = [element("p", { class: "small quiet" }, "A page of the super app, scene ", element("code", {}, sheet.scene), ".")];
    return { title: sheet.title || sheet.scene, parts: [...parts, ...(list ? [list] : []), actions(this.button("Done", "finish", { ...main, ...escape }))] };
  }

  pair(yes, agree, no, refuse) {
    return actions(this.button(yes, agree, main), this.button(no, refuse, escape));
  }

  button(text, action, attributes = {}, more = {}) {
    const made = element("button", { type: "button", class: "wide-button", "data-key": action, ...attributes }, text);
    made.addEventListener("click", () => this.tools.tap(action, more));
    return made;
  }
}

const focus = { "data-focus": true };
const main = { class: "button-main wide-button", ...focus };
const escape = { "data-escape": true };
const words = (text) => (text ? element("p", { class: "super-text" }, text) : element("span"));
const actions = (...children) => element("div", { class: "super-actions" }, ...children);
