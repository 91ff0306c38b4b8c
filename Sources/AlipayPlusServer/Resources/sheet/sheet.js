// Everything works without this file: it opens a wallet at the tap, counts down, and shows news without being asked.

const body = document.body;
const main = document.querySelector("main");
const say = document.querySelector("[data-say]");
const isInApp = body.dataset.client === "app";
// What opens apps has no hover; where a mouse hovers over a wide page, the wallet is on another device, or in this browser.
const isDesk = matchMedia("(min-width: 50rem) and (hover: hover)").matches;
let busy = false;
let hasLeft = false;
let end = performance.now() + Number(main.dataset.left);

// The app around the page: by the bridge of a web view, or where the app is drawn on a page by a message to it.
function tell(message) {
  const text = JSON.stringify(message);
  window.webkit?.messageHandlers?.alipayPlusSheet?.postMessage(text);
  const host = body.dataset.hosts.split(" ").find((origin) => origin && location.ancestorOrigins?.[0] === origin);
  if (host) parent.postMessage({ alipayPlusSheet: text }, host);
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function open(type, { opening, applink, scheme, normal }) {
  if (busy) return;
  busy = true;
  say.textContent = opening;
  if (isInApp) {
    tell({ event: "select", walletName: type, links: { applinkUrl: applink, schemeUrl: scheme, normalUrl: normal } });
    await pause(8000);
    busy = false;
    say.textContent = "";
    return;
  }
  hasLeft = false;
  for (const link of isDesk ? [normal] : [applink, scheme, normal]) {
    if (!link || hasLeft) continue;
    location.href = link;
    // A page comes after all; a scheme that no app takes does nothing.
    await pause(/^https?:/i.test(link) ? 8000 : 1200);
  }
  if (!hasLeft) location.reload();
}

const form = document.querySelector("[data-choices]");
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (busy) return;
  const chosen = form.querySelector("input[name=wallet]:checked");
  if (!chosen) {
    say.textContent = say.dataset.choose;
    form.querySelector("input[name=wallet]").focus();
    return;
  }
  // Not waited for: a wallet's link is opened by the tap itself, or phones do not open it.
  fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), keepalive: true, headers: { Accept: "application/json" } })
    .catch(() => {});
  const query = new URLSearchParams(form.dataset.query);
  query.set("wallet", chosen.value);
  // Loaded again, or come back to, the page says what became of it.
  if (!isInApp) history.replaceState(null, "", `?${query}`);
  open(chosen.value, chosen.dataset);
});
if (form) form.noValidate = true;
form?.addEventListener("change", () => { say.textContent = ""; });

document.querySelector("[data-open]")?.addEventListener("click", (event) => {
  event.preventDefault();
  open(event.currentTarget.dataset.open, event.currentTarget.dataset);
});

const close = document.querySelector("[data-close]");
if (close) {
  close.hidden = false;
  close.addEventListener("click", () => tell({ event: "cancel" }));
}

addEventListener("visibilitychange", () => {
  if (document.hidden) hasLeft = true;
  else if (hasLeft && busy) location.reload();
});
addEventListener("pagehide", () => { hasLeft = true; });
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

const two = (number) => String(number).padStart(2, "0");
const timer = document.querySelector("[data-timer]");
function count() {
  const seconds = Math.max(0, Math.floor((end - performance.now()) / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const text = `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
  if (timer && timer.textContent !== text) timer.textContent = text;
}

async function look() {
  if (document.hidden) return;
  const answer = await fetch(`${main.dataset.path}/state${location.search}`).catch(() => null);
  if (!answer?.ok) return;
  const { view, left } = await answer.json();
  end = performance.now() + left;
  // While a wallet is opened, the address is already that of whoever waits for it.
  if (view !== main.dataset.view && !(busy && view === "waiting")) location.reload();
}

if ("watched" in main.dataset) {
  setInterval(count, 500);
  setInterval(look, 3000);
}
if (isInApp) tell(main.dataset.view === "missing" ? { event: "error", message: "no payment has this address" } : { event: "show" });
