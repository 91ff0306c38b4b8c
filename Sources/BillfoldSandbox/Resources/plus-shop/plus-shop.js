// The merchant's app on a phone: opens a session, draws its screens as they come, and posts what the customer taps.
// Everything shown is put in as text; the screen's model is never read as markup.

import { element, icon } from "../phone/draw.js";
import { drawnWhenLetGo } from "../phone/press.js";

const place = document.querySelector("[data-plus]");
const glass = place?.querySelector("[data-plus-glass]");
const status = place?.querySelector("[data-plus-status]");
const log = place?.querySelector("[data-plus-events]");
const chooser = document.querySelector("[data-plus-model]");
const language = document.querySelector("[data-plus-language]");

let turns = 0;
let session = null;
let events = null;
let shown = -1;
let sheet = null;

async function answered(answer) {
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(value.error?.reason ?? `The phone answered ${answer.status}.`);
  return value;
}

async function post(path, body) {
  return answered(await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }));
}

const phone = (more = "") => `/plus-shop/phones/${encodeURIComponent(session)}${more}`;

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
    language.value = first.language;
    draw(first);
    events = new EventSource(phone("/events"));
    events.addEventListener("screen", (event) => draw(JSON.parse(event.data)));
  } catch (problem) {
    say(problem.message);
    const again = element("button", { type: "button", class: "wide-button", "data-key": "retry" }, "Try again");
    again.addEventListener("click", () => open(make));
    glass.replaceChildren(element("div", { class: "app" }, stage("bad", "cross", "The phone cannot be used yet", problem.message), element("div", { class: "app-bottom" }, again)));
  }
}

async function tap(action, value) {
  try {
    draw(await post(phone("/taps"), value === undefined ? { do: action } : { do: action, value }));
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
  log.parentElement.hidden = screen.events.length === 0;
  log.replaceChildren(...screen.events.map((name) => element("li", {}, name)));
  // A sheet that is drawn stays: drawing it anew would load it again.
  if (screen.place === "sheet" && sheet?.address === screen.sheet && glass.contains(sheet.frame)) return;
  glass.dataset.place = screen.place;
  keepingFocus(() => glass.replaceChildren(content(screen)));
});

function content(screen) {
  if (screen.place !== "sheet") sheet = null;
  switch (screen.place) {
    case "shop":
      return shop(screen);
    case "checkout":
      return checkout(screen);
    case "ordering":
      say("The shop is making the order.");
      return stage("open", "turning", "Making the order");
    case "sheet":
      return payment(screen);
    case "wallet":
      return wallet(screen);
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
    const buy = element("button", { type: "button", "data-key": `buy-${offer.id}`, "aria-label": `Buy ${offer.name}` }, "Buy");
    buy.addEventListener("click", () => tap("choose", offer.id));
    return element(
      "li", {}, element("img", { src: offer.picture, alt: "", width: 56, height: 56 }),
      element("div", {}, element("h4", {}, offer.name), element("p", {}, offer.summary), element("div", { class: "offer-line" }, element("span", {}, offer.price), buy)),
    );
  }));
  return element("div", { class: "app" }, element("h3", {}, "Pier Nine"), list);
}

function checkout(screen) {
  const { chosen, row } = screen;
  say(row ? (row.enabled ? "Alipay+ is on offer." : row.disableReason ?? "Alipay+ is not on offer.") : "The app asks for the ways to pay.");
  const parts = [element("h3", {}, "Checkout"), element("p", { class: "plus-price" }, element("span", {}, chosen?.name ?? ""), element("strong", {}, chosen?.price ?? ""))];
  if (screen.problem) parts.push(element("p", { class: "express-problem" }, screen.problem.reason));
  parts.push(element("h4", {}, "How to pay"));
  if (!row) parts.push(element("p", { class: "quiet" }, "One moment."));
  else {
    const words = [element("span", { class: "plus-brand" }, row.brand)];
    if (row.promotion) words.push(element("span", { class: "small" }, row.promotion));
    if (!row.enabled) words.push(element("span", { class: "small quiet" }, row.disableReason ?? ""));
    const drawn = row.logo ? [element("img", { src: row.logo, alt: "", height: 28 })] : [];
    parts.push(element("div", { class: "plus-row", "data-enabled": String(row.enabled) }, ...drawn, element("div", {}, ...words)));
  }
  const bottom = element("div", { class: "app-bottom" });
  if (row?.enabled) {
    const pay = button("Pay with Alipay+", "pay");
    pay.dataset.focus = "";
    pay.classList.add("button-main");
    bottom.append(pay);
  }
  bottom.append(button("Back", "back"));
  parts.push(bottom);
  return element("div", { class: "app" }, ...parts);
}

function payment(screen) {
  say("The payment sheet is open.");
  const frame = element("iframe", { src: screen.sheet, title: "Payment sheet", class: "plus-sheet" });
  sheet = { address: screen.sheet, frame };
  return element("div", { class: "plus-cover" }, frame);
}

function wallet(screen) {
  say("The wallet is open.");
  const order = screen.order ? `${screen.order.subject}, ${screen.order.price}` : "";
  const bottom = element("div", { class: "app-bottom" });
  if (screen.away) bottom.append(element("a", { class: "away-button", href: screen.away, "data-key": "away", "data-focus": true }, "Go on in the wallet"));
  bottom.append(button("Back to the shop’s app", "comeBack"));
  return element("div", { class: "app" }, stage("open", "wallet", "The wallet opens", order), bottom);
}

const marks = { paid: ["good", "tick"], undecided: ["open", "wait"], failed: ["bad", "cross"], cancelled: ["open", "cross"] };

function outcome(screen) {
  const { kind, title, text } = screen.outcome;
  const [tone, mark] = marks[kind] ?? marks.undecided;
  say(`${title}. ${text}`);
  const drawn = stage(tone, mark, title, text);
  drawn.dataset.outcome = kind;
  const bottom = element("div", { class: "app-bottom" });
  if (screen.order) {
    drawn.append(element("p", { class: "small" }, `${screen.order.subject}, ${screen.order.price}`));
    const links = [element("a", { href: screen.order.desk, "data-key": "desk" }, "See it as the merchant does")];
    if (screen.order.story) links.push(element("br"), element("a", { href: screen.order.story, "data-key": "story" }, "Read every message of this payment"));
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
  const fresh = () => post("/plus-shop/phones", { model: chooser.value, language: language.value });
  for (const choice of [chooser, language]) choice.addEventListener("change", () => open(fresh));
  // The app around the sheet: what the page says by its bridge goes to the SDK, and only what the sheet's own page says.
  addEventListener("message", async (event) => {
    if (!sheet || event.source !== sheet.frame.contentWindow || event.origin !== new URL(sheet.address).origin || typeof event.data?.alipayPlusSheet !== "string") return;
    try {
      draw(await post(phone("/sheet"), { message: event.data.alipayPlusSheet }));
    } catch (problem) {
      say(problem.message);
    }
  });
  open(held ? async () => answered(await fetch(`/plus-shop/phones/${encodeURIComponent(held)}`)) : fresh);
}
