// Keeps a story's page current. The server draws everything: when it announces a new entry, the page fetches itself and
// takes over what is new, so that there is one renderer and one place where values are escaped.

const section = document.querySelector("[data-events]");
const list = document.querySelector("[data-messages]");
const state = document.querySelector("[data-live-state]");

/** Puts the messages of a fresh page into this one, in its order, and keeps those that are here as they are: open or closed. */
function takeMessages(fresh) {
  const incoming = fresh.querySelector("[data-messages]");
  const diagram = document.querySelector(".sequence");
  const freshDiagram = fresh.querySelector(".sequence");
  if (!incoming || !list) return;
  if (diagram.dataset.parties !== freshDiagram.dataset.parties) {
    diagram.dataset.parties = freshDiagram.dataset.parties;
    diagram.querySelector(".sequence-heads").replaceWith(document.adoptNode(freshDiagram.querySelector(".sequence-heads")));
  }
  let place = list.firstElementChild;
  for (const item of [...incoming.children]) {
    const held = document.getElementById(item.id);
    if (held && list.contains(held)) {
      for (const name of ["low", "high"]) held.dataset[name] = item.dataset[name];
      held.querySelector(".message-time").textContent = item.querySelector(".message-time").textContent;
      if (held === place) place = place.nextElementSibling;
      else list.insertBefore(held, place);
    } else {
      const added = document.adoptNode(item);
      added.classList.add("is-new");
      list.insertBefore(added, place);
    }
  }
}

/** Replaces the parts that the server keeps current, but not one that the reader is in. */
function takeParts(fresh) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = fresh.querySelector(`[data-live="${CSS.escape(part.dataset.live)}"]`);
    if (next && !part.contains(document.activeElement) && !part.isEqualNode(next)) part.replaceWith(document.adoptNode(next));
  }
}

async function refresh() {
  const answer = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  takeMessages(fresh);
  takeParts(fresh);
}

function follow(path) {
  let waiting = false;
  let again = false;
  // A party reports a message before it stores what follows from it: once it is quiet, the state is looked at again.
  let settling = null;
  const changed = async (last) => {
    if (last !== true) { clearTimeout(settling); settling = null; }
    if (waiting) { again = true; return; }
    waiting = true;
    await new Promise((done) => setTimeout(done, 120));
    try { await refresh(); } catch { say("The page could not be brought up to date."); }
    waiting = false;
    if (again) { again = false; changed(); }
    else if (last !== true) settling = setTimeout(() => { settling = null; changed(true); }, 1500);
  };
  const say = (text) => { if (state && state.textContent !== text) state.textContent = text; };
  const events = new EventSource(path);
  events.addEventListener("open", () => { say(", live"); changed(); });
  events.addEventListener("entry", () => changed());
  events.addEventListener("error", () => say(events.readyState === EventSource.CLOSED ? ", no longer live" : ", reconnecting"));
  addEventListener("pagehide", () => events.close());
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
}

/** The arrow keys walk from message to message, Home and End go to the ends. */
function walk(event) {
  const summary = event.target.closest?.("summary");
  if (!summary || event.altKey || event.ctrlKey || event.metaKey) return;
  const all = [...list.querySelectorAll("summary")];
  const here = all.indexOf(summary);
  const next = { ArrowDown: all[here + 1], ArrowUp: all[here - 1], Home: all[0], End: all.at(-1) }[event.key];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function openAll(open) {
  for (const details of list.querySelectorAll("details")) details.open = open;
}

list?.addEventListener("keydown", walk);
const tools = document.querySelector("[data-tools]");
if (tools && list) {
  tools.hidden = false;
  tools.querySelector("[data-open-all]").addEventListener("click", () => openAll(true));
  tools.querySelector("[data-close-all]").addEventListener("click", () => openAll(false));
}
if (section) follow(section.dataset.events);
