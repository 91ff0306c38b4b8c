// The super app on a phone: opens a session, draws its screens as they come, and posts what the user taps.
// Everything shown is put in as text; the screen's model is never read as markup.

import { element, icon } from "../phone/draw.js";
import { drawnWhenLetGo } from "../phone/press.js";
import { WebFrame } from "./frame.js";
import { drawScreen } from "./screens.js";
import { SheetLayer } from "./sheets.js";

const place = document.querySelector("[data-super]");
const part = (name) => place?.querySelector(`[data-super-${name}]`);
const [ground, over, toast, loading, trouble, status] = ["screen", "over", "toast", "loading", "trouble", "status"].map(part);
const [calls, region, none, story, network] = ["calls", "region", "none", "story", "network"].map(part);

let session = null;
let events = null;
let shown = -1;
/** What is drawn already: nothing is drawn anew that has not changed, so that nobody's click or word is lost. */
const drawn = { ground: "", toast: null, calls: "" };
/** What was typed and not sent yet, by the control's key; it outlives a redraw. */
const typed = new Map();
/** The page's data as they were last told. */
let told = null;
/** The control that the focus goes back to when a sheet is gone. */
let behind;

class Refused extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

async function answered(answer) {
  const value = answer.status === 204 ? {} : await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, value.error?.reason ?? `The phone answered ${answer.status}.`);
  return value;
}

async function post(path, body) {
  return answered(await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }));
}

const phone = (more = "") => `/super-app/phones/${encodeURIComponent(session)}${more}`;

async function tap(action, more = {}) {
  try {
    draw(await post(phone("/taps"), { do: action, ...more }));
    complain("");
  } catch (problem) {
    complain(problem.message);
  }
}

/** Sends a picture to the scanner; tells whether the scanner still wanted it. */
async function sendPicture(picture, from, signal) {
  const headers = { "Content-Type": picture.type || "application/octet-stream" };
  const answer = await fetch(phone(`/pictures?from=${from}`), { method: "POST", headers, body: picture, signal });
  if (answer.status === 409) return false;
  await answered(answer);
  return true;
}

function say(text) {
  if (status.textContent !== text) status.textContent = text;
}

function complain(text) {
  if (trouble.textContent !== text) trouble.textContent = text;
}

const frame = new WebFrame(part("frame"), async (message) => {
  try {
    await post(phone("/frames"), message);
  } catch (problem) {
    complain(problem.message);
  }
  // What was not told now is told with the next.
}, (number) => post(phone("/deliveries"), { seen: number }).catch(() => {}));
const sheets = new SheetLayer(over, { tap, say, sendPicture });

/** Takes up the phone that this browser holds, or a new one. */
async function open(held) {
  ground.replaceChildren(element("div", { class: "super-body" }, element("div", { class: "stage", "data-kind": "open" }, icon("turning"), element("p", { class: "quiet" }, "The phone is starting"))));
  try {
    const fresh = () => post("/super-app/phones", {});
    const first = held ? await answered(await fetch(`/super-app/phones/${encodeURIComponent(held)}`)).catch((problem) => {
      // The phone was forgotten; any other problem may pass.
      if (problem.status === 404) return fresh();
      throw problem;
    }) : await fresh();
    session = first.session;
    complain("");
    draw(first);
    events = new EventSource(phone("/events"));
    events.addEventListener("screen", (event) => draw(JSON.parse(event.data)));
  } catch (problem) {
    say(problem.message);
    const again = element("button", { type: "button", class: "wide-button", "data-key": "retry" }, "Try again");
    again.addEventListener("click", () => open(held));
    const stage = element("div", { class: "stage", "data-kind": "bad" }, icon("cross"), element("h3", {}, "The phone cannot be used yet"), element("p", { class: "quiet" }, problem.message));
    ground.replaceChildren(element("div", { class: "super-body" }, stage, again));
  }
}

const draw = drawnWhenLetGo(place, (screen) => {
  if (screen.session !== session || screen.revision <= shown) return;
  shown = screen.revision;
  const isWeb = screen.place === "program" && screen.program?.kind === "web";
  drawGround(screen, isWeb);
  frame.show(isWeb ? screen.program : null, screen.deliveries ?? []);
  drawSheet(screen.sheet);
  drawToast(screen);
  drawCalls(screen.calls ?? []);
  network.checked = screen.isOffline !== true;
  network.disabled = false;
  announce(screen.program);
  const link = webAddress(screen.story);
  story.hidden = !link;
  if (link) story.href = link;
});

/** Says what a tap changed in the page's data, which may lie out of sight. */
function announce(program) {
  const before = told;
  told = program?.data ? { route: program.route, data: new Map(program.data.map(({ name, value }) => [name, value])) } : null;
  if (!told || before?.route !== told.route) return;
  const changed = [...told.data].filter(([name, value]) => before.data.get(name) !== value);
  if (changed.length) say(changed.map(([name, value]) => `${name}: ${value}`).join(". "));
}

/** The screen itself; the control with the focus has it again afterwards, known by its key. */
function drawGround(screen, isWeb) {
  const { place: where, people, user, apps, problem, program } = screen;
  const isBusy = where === "login" && Boolean(screen.loading);
  const next = JSON.stringify([where, people, user, apps, problem, program, isBusy]);
  if (next === drawn.ground) return;
  drawn.ground = next;
  if (ground.dataset.place !== where) typed.clear();
  ground.dataset.place = where;
  ground.toggleAttribute("data-web", isWeb);
  const hadFocus = ground.contains(document.activeElement);
  const key = hadFocus ? document.activeElement.dataset.key : undefined;
  const scroll = ground.querySelector(".super-body")?.scrollTop ?? 0;
  ground.replaceChildren(...drawScreen(screen, { tap, say, typed }));
  const body = ground.querySelector(".super-body");
  if (body) body.scrollTop = scroll;
  if (hadFocus) focusOn(key);
}

function focusOn(key) {
  const same = key ? ground.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`) : null;
  (same ?? ground.querySelector("[data-focus]"))?.focus({ preventScroll: true });
}

/** While a sheet is up nothing under it can be reached. */
function drawSheet(sheet) {
  const was = sheets.isUp;
  if (sheet && !was) behind = ground.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  ground.inert = Boolean(sheet);
  frame.inert = Boolean(sheet);
  const hadFocus = over.contains(document.activeElement) || document.activeElement === document.body;
  sheets.show(sheet);
  if (!sheet && was && hadFocus) focusOn(behind);
}

function drawToast(screen) {
  const words = screen.loading ?? "";
  if (loading.dataset.words !== words) {
    loading.dataset.words = words;
    loading.replaceChildren(...(words ? [element("p", { class: "super-loading" }, icon("turning"), words)] : []));
  }
  const number = screen.toast?.number ?? null;
  if (number === drawn.toast) return;
  drawn.toast = number;
  if (number === null) {
    const hadFocus = toast.contains(document.activeElement);
    toast.replaceChildren();
    if (hadFocus) focusOn(undefined);
    return;
  }
  const away = element("button", { type: "button", "aria-label": "Dismiss", "data-key": "dismiss" }, "×");
  away.addEventListener("click", () => tap("dismissToast"));
  toast.replaceChildren(element("div", { class: "super-toast", "data-type": screen.toast.type }, element("span", {}, screen.toast.text), away));
}

const marks = { waiting: "mark mark-open", done: "mark mark-done", failed: "mark mark-bad" };

/** Newest first: what has just happened needs no scrolling. */
function drawCalls(list) {
  const next = JSON.stringify(list);
  if (next === drawn.calls) return;
  drawn.calls = next;
  none.hidden = list.length > 0;
  region.hidden = list.length === 0;
  calls.replaceChildren(...list.toReversed().map((call) => element(
    "li", { "data-call": call.name, "data-state": call.state },
    element("p", {}, element("code", {}, call.name), " ", element("span", { class: marks[call.state] ?? "mark" }, call.state)),
    call.text ? element("p", { class: "small quiet" }, call.text) : null,
  )));
}

/** Only the web's own schemes may be followed. */
function webAddress(text) {
  if (!text || !URL.canParse(text, location.href)) return null;
  const address = new URL(text, location.href);
  return ["http:", "https:"].includes(address.protocol) ? address.href : null;
}

if (place) {
  addEventListener("pagehide", () => sheets.release());
  network.addEventListener("change", () => tap("network", { value: network.checked ? "on" : "off" }));
  open(place.dataset.session);
}
