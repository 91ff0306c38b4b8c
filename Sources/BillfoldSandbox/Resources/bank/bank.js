// The bank's app on a phone: opens a session, draws its screens as they come, and posts what the customer taps.
// Everything shown is put in as text; the screen's model is never read as markup.

import { element, icon } from "../phone/draw.js";
import { drawnWhenLetGo } from "../phone/press.js";
import { drawCards, drawLogIn, drawOutcome, drawPrompt } from "./app.js";
import { drawInbox, newestCode } from "./inbox.js";
import { drawSheet } from "./sheet.js";
import { drawWallet, drawWatch } from "./wallet.js";

const place = document.querySelector("[data-bank]");
const glass = place?.querySelector("[data-bank-glass]");
const status = place?.querySelector("[data-bank-status]");
const faults = place?.querySelector("[data-bank-faults]");
const watch = place?.querySelector("[data-bank-watch]");
const watchGlass = place?.querySelector("[data-bank-watch-glass]");
const inbox = place?.querySelector("[data-bank-inbox]");
const chooser = document.querySelector("[data-bank-model]");

let turns = 0;
let wiping = 0;
let session = null;
let events = null;
let shown = -1;
let screen = null;
/** The messages that were there when the phone was taken up, or whose banner was wiped away. */
const seen = new Set();
/** What the customer has typed and not sent: it outlives a redraw. */
const typed = { code: "", customer: "" };

async function post(path, body) {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(value.error?.reason ?? `The phone answered ${answer.status}.`), { code: value.error?.code });
  return value;
}

async function open(model) {
  const turn = ++turns;
  events?.close();
  session = null;
  shown = -1;
  seen.clear();
  try {
    const first = await post("/bank/phones", { model });
    // Another phone was chosen meanwhile.
    if (turn !== turns) return;
    session = first.session;
    for (const message of first.inbox) seen.add(message.id);
    draw(first);
    events = new EventSource(`/bank/phones/${encodeURIComponent(session)}/events`);
    events.addEventListener("screen", (event) => draw(JSON.parse(event.data)));
  } catch (problem) {
    say(problem.message);
    glass.replaceChildren(
      element("div", { class: "stage", "data-kind": "bad" }, icon("cross"), element("h3", {}, "The phone cannot be reached"), element("p", { class: "quiet" }, problem.message)),
    );
  }
}

async function tap(action, value) {
  try {
    if (action === "enterCode" || action === "enterPassCode") typed.code = "";
    draw(await post(`/bank/phones/${encodeURIComponent(session)}/taps`, value === undefined ? { do: action } : { do: action, value }));
  } catch (problem) {
    // A tap that came after the screen had gone on, such as a second one: the new screen is on its way.
    if (problem.code !== "not-on-screen") say(problem.message);
  }
}

function say(text) {
  if (status.textContent !== text) status.textContent = text;
}

/** Remembers which control had the focus by its key, and gives it back after the glass is redrawn. */
function keepingFocus(redraw) {
  const key = glass.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const scroll = glass.querySelector(".screen-body")?.scrollTop ?? 0;
  const before = glass.dataset.view;
  redraw();
  if (key) (glass.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? glass.querySelector("[data-focus]"))?.focus({ preventScroll: true });
  const body = glass.querySelector(".screen-body");
  if (body && before === glass.dataset.view) body.scrollTop = scroll;
}

const draw = drawnWhenLetGo(place, (next) => {
  if (next.session !== session || next.revision <= shown) return;
  shown = next.revision;
  screen = next;
  const isTyping = screen.sheet?.phase === "enteringCode" || screen.setUp?.phase === "entering";
  if (!isTyping) typed.code = "";
  redraw();
});

function redraw() {
  const tools = { tap, say, typed, code: newestCode(screen.inbox, seen) };
  keepingFocus(() => {
    const [view, content] = front(tools);
    glass.dataset.view = view;
    glass.replaceChildren(content, ...banner());
  });
  watch.hidden = !screen.watch;
  if (screen.watch) watchGlass.replaceChildren(...drawWatch(screen.watch));
  drawInbox(inbox, screen.inbox);
  faults.parentElement.hidden = screen.faults.length === 0;
  faults.replaceChildren(...screen.faults.map((fault) => element("li", {}, `${fault.code}: ${fault.reason}`)));
}

/** What is in front on the glass, and a name for it. */
function front(tools) {
  if (screen.sheet) return [`sheet-${screen.sheet.phase}`, drawSheet(screen, tools)];
  if (screen.front === "wallet") return ["wallet", withTabs(drawWallet(screen, tools))];
  if (screen.prompt) return ["prompt", drawPrompt(screen, tools)];
  if (screen.outcome) return ["outcome", drawOutcome(screen, tools)];
  if (!screen.customer) return ["log-in", withTabs(drawLogIn(screen, tools))];
  return ["cards", withTabs(drawCards(screen, tools))];
}

function withTabs(content) {
  const tab = (name, text) => {
    const made = element("button", { type: "button", "data-key": `tab-${name}`, "aria-current": screen.front === name ? "page" : null }, text);
    made.addEventListener("click", () => tap("switchTo", name));
    return made;
  };
  content.append(element("nav", { class: "tabs", "aria-label": "Apps" }, tab("bank", "Bank"), tab("wallet", "Wallet")));
  return content;
}

/** The newest message that came since, over what is in front; a tap wipes it away. */
function banner() {
  const fresh = screen.inbox.filter((message) => !seen.has(message.id));
  const newest = fresh.at(-1);
  if (!newest) return [];
  const made = element("button", { type: "button", class: "banner", "data-key": "banner", "aria-label": `Dismiss: ${newest.text}` }, element("span", {}, `${newest.channel}, just now`), newest.text);
  const wipe = () => {
    for (const message of fresh) seen.add(message.id);
    redraw();
  };
  made.addEventListener("click", wipe);
  clearTimeout(wiping);
  wiping = setTimeout(wipe, 8_000);
  say(`New message: ${newest.text}`);
  return [made];
}

if (place) {
  chooser.addEventListener("change", () => open(chooser.value));
  open(chooser.value);
}
