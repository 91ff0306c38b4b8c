// What the merchants' apps on a phone share: a session, its screens as they come, what the customer taps, and how a payment ended.
// Everything shown is put in as text; the screen's model is never read as markup.

import { element, icon } from "./draw.js";
import { drawnWhenLetGo } from "./press.js";

const marks = { paid: ["good", "tick"], undecided: ["open", "wait"], failed: ["bad", "cross"], cancelled: ["open", "cross"] };

export class MerchantApp {
  #phones;
  #glass;
  #status;
  #begin;
  #draw;
  #turns = 0;
  #session = null;
  #events = null;
  #shown = -1;

  /**
   * @param phones the path of the merchant's phones
   * @param place the element around the phone; `glass`, what it shows; `status`, what is said of it
   * @param begin takes the first screen of a phone
   * @param around draws what stands beside the glass; false leaves the glass as it is
   * @param content the element that a screen is on the glass
   */
  constructor({ phones, place, glass, status, begin, around, content }) {
    this.#phones = phones;
    this.#glass = glass;
    this.#status = status;
    this.#begin = begin;
    this.#draw = drawnWhenLetGo(place, (screen) => {
      if (screen.session !== this.#session || screen.revision <= this.#shown) return;
      this.#shown = screen.revision;
      if (around(screen) === false) return;
      glass.dataset.place = screen.place;
      this.#keepingFocus(() => glass.replaceChildren(content(screen)));
    });
  }

  /** Takes up the phone that this browser holds, or a new one of a model. */
  start(held, model) {
    return this.#open(held ? async () => answered(await fetch(`${this.#phones}/${encodeURIComponent(held)}`)) : () => post(this.#phones, model));
  }

  /** Takes up a new phone of a model. */
  anew(model) {
    return this.#open(() => post(this.#phones, model));
  }

  async #open(make) {
    const turn = ++this.#turns;
    this.#events?.close();
    this.#session = null;
    this.#shown = -1;
    try {
      const first = await make();
      // Another phone was chosen meanwhile.
      if (turn !== this.#turns) return;
      this.#session = first.session;
      this.#begin(first);
      this.#draw(first);
      this.#events = new EventSource(this.#path("events"));
      this.#events.addEventListener("screen", (event) => this.#draw(JSON.parse(event.data)));
    } catch (problem) {
      this.say(problem.message);
      const again = element("button", { type: "button", class: "wide-button", "data-key": "retry" }, "Try again");
      again.addEventListener("click", () => this.#open(make));
      this.#glass.replaceChildren(element("div", { class: "app" }, stage("bad", "cross", "The phone cannot be used yet", problem.message), element("div", { class: "app-bottom" }, again)));
    }
  }

  #path(name) {
    return `${this.#phones}/${encodeURIComponent(this.#session)}/${name}`;
  }

  /** Posts to the phone and draws the screen that it answers. */
  async send(name, body) {
    try {
      this.#draw(await post(this.#path(name), body));
    } catch (problem) {
      this.say(problem.message);
    }
  }

  tap(action, more = {}) {
    return this.send("taps", { do: action, ...more });
  }

  say(text) {
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }

  button(text, action) {
    const made = element("button", { type: "button", class: "wide-button", "data-key": action }, text);
    made.addEventListener("click", () => this.tap(action));
    return made;
  }

  /** How a payment ended. `story` is what the link to its messages says; `more` stands below what is told. */
  outcome(screen, story, more = null) {
    const { kind, title, text } = screen.outcome;
    const [tone, mark] = marks[kind] ?? marks.undecided;
    this.say(`${title}. ${text}`);
    const drawn = stage(tone, mark, title, text);
    drawn.dataset.outcome = kind;
    if (more) drawn.append(more);
    const bottom = element("div", { class: "app-bottom" });
    if (screen.order) {
      drawn.append(element("p", { class: "small" }, `${screen.order.subject}, ${screen.order.price}`));
      const links = [element("a", { href: screen.order.desk, "data-key": "desk" }, "See it as the merchant does")];
      if (screen.order.story) links.push(element("br"), element("a", { href: screen.order.story, "data-key": "story" }, story));
      drawn.append(element("p", {}, ...links));
    }
    if (kind === "undecided") bottom.append(this.button("Ask again", "askAgain"));
    const on = this.button("Back to the shop", "continue");
    on.dataset.focus = "";
    bottom.append(on);
    return element("div", { class: "app" }, drawn, bottom);
  }

  /** Remembers which control had the focus by its key, and gives it back after the screen is redrawn. */
  #keepingFocus(redraw) {
    const key = this.#glass.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    redraw();
    if (key) (this.#glass.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? this.#glass.querySelector("[data-focus]"))?.focus({ preventScroll: true });
  }
}

export function stage(kind, drawing, title, text) {
  return element("div", { class: "stage", "data-kind": kind }, icon(drawing), element("h3", {}, title), text ? element("p", { class: "quiet" }, text) : null);
}

async function answered(answer) {
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(value.error?.reason ?? `The phone answered ${answer.status}.`);
  return value;
}

async function post(path, body) {
  return answered(await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }));
}
