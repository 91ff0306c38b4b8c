// The phone: opens a session, draws its screens as they come, and posts what the customer taps.
// Everything shown is put in as text; the screen's model is never read as markup.

import { drawSheet } from "./sheet.js";
import { element, icon } from "./draw.js";
import { drawnWhenLetGo } from "./press.js";

const place = document.querySelector("[data-phone]");
const glass = place?.querySelector("[data-phone-glass]");
const status = place?.querySelector("[data-phone-status]");
const faults = place?.querySelector("[data-phone-faults]");
const chooser = place?.querySelector("[data-phone-model]");

let session = null;
let events = null;
let shown = -1;
/** What the customer has typed and not sent: it outlives a redraw. */
const typed = { pin: "", coupon: null };

const lines = (place?.dataset.cart ?? "").split("_").filter(Boolean).map((part) => {
  const [product, quantity] = part.split(".");
  return { product, quantity: Number(quantity) };
});

async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(value.error?.reason ?? `The phone answered ${answer.status}.`), { code: value.error?.code });
  return value;
}

async function open(model) {
  events?.close();
  session = null;
  shown = -1;
  try {
    const screen = await post("/phone/sessions", { model, lines });
    session = screen.session;
    draw(screen);
    events = new EventSource(`/phone/sessions/${encodeURIComponent(session)}/events`);
    events.addEventListener("screen", (event) => draw(JSON.parse(event.data)));
  } catch (problem) {
    say(problem.message);
    glass.replaceChildren(stage("bad", "cross", "The phone cannot be reached", problem.message));
  }
}

async function tap(action, value) {
  try {
    draw(await post(`/phone/sessions/${encodeURIComponent(session)}/taps`, value === undefined ? { do: action } : { do: action, value }));
  } catch (problem) {
    // A tap that came after the screen had gone on, such as a second one: the new screen is on its way.
    if (problem.code !== "not-on-screen") say(problem.message);
  }
}

function say(text) {
  if (status.textContent !== text) status.textContent = text;
}

/** Remembers which control had the focus by its key, and gives it back after the screen is redrawn. */
function keepingFocus(redraw) {
  const key = glass.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const scroll = glass.scrollTop;
  redraw();
  if (key) (glass.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? glass.querySelector("[data-focus]"))?.focus({ preventScroll: true });
  glass.scrollTop = scroll;
}

const draw = drawnWhenLetGo(place, (screen) => {
  if (screen.session !== session || screen.revision <= shown) return;
  shown = screen.revision;
  if (screen.sheet?.phase !== "enteringPIN") typed.pin = "";
  if (screen.place !== "sheet") typed.coupon = null;
  glass.dataset.place = screen.place;
  keepingFocus(() => glass.replaceChildren(content(screen)));
  faults.hidden = screen.faults.length === 0;
  faults.replaceChildren(...screen.faults.map((fault) => element("li", {}, `${fault.code}: ${fault.reason}`)));
});

function content(screen) {
  switch (screen.place) {
    case "shop":
      return app(screen);
    case "ordering":
      say("The shop is making the order.");
      return stage("open", "turning", "Making the order");
    case "sheet":
      return drawSheet(screen, tap, say, typed);
    case "confirming":
      return closing(screen.sheet?.phase);
    default:
      return outcome(screen);
  }
}

function app(screen) {
  const bottom = element("div", { class: "app-bottom" });
  if (screen.button === "pay") {
    say("This phone can pay.");
    bottom.append(button("Pay with phone", "pay", { class: "pay-button", "data-kind": "pay" }));
  } else if (screen.button === "setUp") {
    say("This phone can pay once a card is in its wallet.");
    bottom.append(
      element("p", { class: "small quiet" }, "The wallet is empty. Setting up opens it and adds a card."),
      button("Set up payment", "setUp", { class: "pay-button", "data-kind": "setUp" }),
    );
  } else {
    say("This phone shows no button, because it cannot pay.");
    bottom.append(element("p", { class: "small quiet" }, "No wallet button here: this phone cannot pay, so the app hides it and offers other ways."));
  }
  const pieces = lines.reduce((sum, line) => sum + line.quantity, 0);
  return element(
    "div", { class: "app" },
    element("h3", {}, "Your cart"),
    element("p", { class: "quiet" }, `${pieces} ${pieces === 1 ? "piece" : "pieces"}, ready to order.`),
    bottom,
  );
}

function button(text, action, attributes) {
  const made = element("button", { type: "button", "data-key": action, "data-focus": "", ...attributes }, text);
  made.addEventListener("click", () => tap(action));
  return made;
}

function stage(kind, mark, title, text) {
  return element("div", { class: "stage", "data-kind": kind }, icon(mark), element("h3", {}, title), text ? element("p", { class: "quiet" }, text) : null);
}

function closing(phase) {
  if (phase === "succeeded") return stage("good", "tick", "Done");
  if (phase === "failed") return stage("bad", "cross", "Payment not completed");
  if (phase === "cancelled") return stage("open", "cross", "Closed");
  say("The app is asking what became of the payment.");
  return stage("open", "turning", "Being confirmed");
}

function outcome(screen) {
  const result = screen.problem ?? screen.outcome ?? { kind: "cancelled" };
  const words = {
    succeeded: ["good", "tick", "Paid", "Thank you. The order is on its way."],
    failed: ["bad", "cross", "Not paid", result.reason],
    undecided: ["open", "wait", "Being confirmed", "The bank has not answered yet. You have not been told no: please do not pay twice."],
    cancelled: ["open", "cross", "Nothing was sent", "You closed the sheet."],
    "not-presented": ["bad", "cross", "The sheet did not open", "The phone refused the request."],
  }[result.kind] ?? ["open", "wait", "Being confirmed"];
  const drawn = stage(...words);
  say(`${words[2]}. ${words[3] ?? ""}`);
  if (result.code) drawn.append(element("p", { class: "small" }, "Code ", element("code", {}, result.code)));
  if (screen.order?.story) drawn.append(element("p", {}, element("a", { href: screen.order.story, "data-key": "story" }, "Read the order’s story")));
  if (result.kind === "undecided") drawn.append(button("Ask again", "askAgain", {}));
  drawn.append(button(result.kind === "succeeded" ? "Back to the shop" : "Back to the cart", "continue", {}));
  return drawn;
}

if (place) {
  chooser.addEventListener("change", () => open(chooser.value));
  open(chooser.value);
}
