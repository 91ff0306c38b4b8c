// The shop's app on a phone: opens a session, draws its screens as they come, and posts what the customer taps.
// Everything shown is put in as text; the screen's model is never read as markup.

import { element, icon } from "../phone/draw.js";
import { drawnWhenLetGo } from "../phone/press.js";

const place = document.querySelector("[data-express]");
const glass = place?.querySelector("[data-express-glass]");
const status = place?.querySelector("[data-express-status]");
const faults = place?.querySelector("[data-express-faults]");
const generation = place?.querySelector("[data-express-generation]");
const fault = place?.querySelector("[data-express-fault]");
const chooser = document.querySelector("[data-express-model]");

let turns = 0;
let session = null;
let events = null;
let shown = -1;

async function answered(answer) {
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(value.error?.reason ?? `The phone answered ${answer.status}.`);
  return value;
}

async function post(path, body) {
  return answered(await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }));
}

/** Takes up a phone: the one that this browser holds, or a new one. */
async function open(make) {
  const turn = ++turns;
  events?.close();
  session = null;
  shown = -1;
  try {
    const first = await make();
    // Another phone was chosen meanwhile.
    if (turn !== turns) return;
    session = first.session;
    chooser.value = first.model;
    if (fault.options.length === 1) fault.append(...first.faultChoices.map(({ value, title }) => element("option", { value }, title)));
    draw(first);
    events = new EventSource(`/alipay-shop/phones/${encodeURIComponent(session)}/events`);
    events.addEventListener("screen", (event) => draw(JSON.parse(event.data)));
  } catch (problem) {
    say(problem.message);
    const again = element("button", { type: "button", class: "wide-button", "data-key": "retry" }, "Try again");
    again.addEventListener("click", () => open(make));
    glass.replaceChildren(element("div", { class: "app" }, stage("bad", "cross", "The phone cannot be used yet", problem.message), element("div", { class: "app-bottom" }, again)));
  }
}

async function tap(action, more = {}) {
  try {
    draw(await post(`/alipay-shop/phones/${encodeURIComponent(session)}/taps`, { do: action, ...more }));
  } catch (problem) {
    say(problem.message);
  }
}

function say(text) {
  if (status.textContent !== text) status.textContent = text;
}

/** Remembers which control had the focus by its key, and gives it back after the screen is redrawn. */
function keepingFocus(redraw) {
  const key = glass.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  redraw();
  if (key) (glass.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? glass.querySelector("[data-focus]"))?.focus({ preventScroll: true });
}

const draw = drawnWhenLetGo(place, (screen) => {
  if (screen.session !== session || screen.revision <= shown) return;
  shown = screen.revision;
  glass.dataset.place = screen.place;
  keepingFocus(() => glass.replaceChildren(content(screen)));
  faults.parentElement.hidden = screen.faults.length === 0;
  faults.replaceChildren(...screen.faults.map((code) => element("li", {}, code)));
});

function content(screen) {
  switch (screen.place) {
    case "shop":
      return shop(screen);
    case "ordering":
      say("The shop is making the order.");
      return stage("open", "turning", "Making the order");
    case "wallet":
      say("The app hands the order to the wallet.");
      return leaving(screen, "wallet", "The tea house wants to open the wallet", "Open the wallet", button("Back to the shop’s app", "comeBack"));
    case "cashier":
      say("The web cashier is open.");
      return leaving(screen, "page", "There is no wallet on this phone", "Open the web cashier", button("Close the cashier", "closeCashier"));
    case "ended":
      say("The system has ended the app.");
      return leaving(screen, "cross", "The system has ended the shop’s app", screen.away ? "Go on in the wallet" : "", button("Start the app", "startApp"));
    case "asking":
      say("The app asks its server.");
      return stage("open", "turning", "Asking the shop", "The app believes its own server alone.");
    default:
      return outcome(screen);
  }
}

function shop(screen) {
  say("Choose something.");
  const list = element("ul", { class: "offers" }, ...screen.offers.map((offer) => {
    const buy = element("button", { type: "button", "data-key": `buy-${offer.id}`, "aria-label": `Pay for ${offer.name}` }, "Pay");
    buy.addEventListener("click", () => {
      const wish = offer.generations.includes(generation.value) ? generation.value : "legacy";
      tap("buy", { value: offer.id, generation: wish, ...(fault.value ? { fault: fault.value } : {}) });
    });
    return element(
      "li", {}, element("img", { src: offer.picture, alt: "", width: 56, height: 56 }),
      element("div", {}, element("h4", {}, offer.name), element("p", {}, offer.summary), element("div", { class: "offer-line" }, element("span", {}, offer.price), buy)),
    );
  }));
  const problem = screen.problem ? element("p", { class: "express-problem" }, screen.problem.reason) : null;
  return element("div", { class: "app" }, element("h3", {}, "Two Leaves Tea House"), problem, list);
}

function leaving(screen, drawing, title, text, way) {
  const bottom = element("div", { class: "app-bottom" });
  if (screen.away && text) bottom.append(element("a", { class: "away-button", href: screen.away, "data-key": "away", "data-focus": true }, text));
  bottom.append(way);
  const order = screen.order ? `${screen.order.subject}, ${screen.order.price}` : "";
  return element("div", { class: "app" }, stage("open", drawing, title, order), bottom);
}

const marks = { paid: ["good", "tick"], undecided: ["open", "wait"], failed: ["bad", "cross"], cancelled: ["open", "cross"] };

function outcome(screen) {
  const { kind, status: code, title, text } = screen.outcome;
  const [tone, mark] = marks[kind] ?? marks.undecided;
  say(`${title}. ${text}`);
  const drawn = stage(tone, mark, title, text);
  drawn.dataset.outcome = kind;
  drawn.append(element("p", { class: "small" }, "resultStatus ", element("code", {}, code)));
  const bottom = element("div", { class: "app-bottom" });
  if (screen.order) {
    drawn.append(element("p", { class: "small" }, `${screen.order.subject}, ${screen.order.price}`));
    const links = [element("a", { href: screen.order.desk, "data-key": "desk" }, "See it as the merchant does")];
    if (screen.order.story) links.push(element("br"), element("a", { href: screen.order.story, "data-key": "story" }, "Read every message of this order"));
    drawn.append(element("p", {}, ...links));
  }
  if (kind === "undecided") bottom.append(button("Ask again", "askAgain"));
  const on = button("Back to the shop", "continue");
  on.dataset.focus = "";
  bottom.append(on);
  return element("div", { class: "app" }, drawn, bottom);
}

function stage(kind, drawing, title, text) {
  return element("div", { class: "stage", "data-kind": kind }, icon(drawing), element("h3", {}, title), text ? element("p", { class: "quiet" }, text) : null);
}

function button(text, action) {
  const made = element("button", { type: "button", class: "wide-button", "data-key": action }, text);
  made.addEventListener("click", () => tap(action));
  return made;
}

if (place) {
  const held = place.dataset.session;
  const fresh = () => post("/alipay-shop/phones", { model: chooser.value });
  chooser.addEventListener("change", () => open(fresh));
  open(held ? async () => answered(await fetch(`/alipay-shop/phones/${encodeURIComponent(held)}`)) : fresh);
}
