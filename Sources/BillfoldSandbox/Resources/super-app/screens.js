// The super app's screens: log-in, home, and a mini program with its bar.

import { element, icon } from "../phone/draw.js";

/**
 * @param screen the phone's screen
 * @param tools `tap` sends what the user does, `say` tells a screen reader, `typed` keeps what is typed by the control's key
 */
export function drawScreen(screen, tools) {
  switch (screen.place) {
    case "login":
      return login(screen, tools);
    case "home":
      return home(screen, tools);
    case "program":
      return program(screen, tools);
    default:
      return opening(screen, tools);
  }
}

const body = (...children) => element("div", { class: "super-body", tabindex: "0", role: "group", "aria-label": "Screen" }, ...children);

function bar(title, ...controls) {
  const [before = null, after = null] = controls;
  return element("div", { class: "super-bar" }, before ?? element("span"), element("h3", {}, title), after ?? element("span"));
}

function button(text, key, act, attributes = {}) {
  const made = element("button", { type: "button", "data-key": key, ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

function problemOf({ problem }) {
  if (!problem) return null;
  return element("p", { class: "express-problem", role: "alert", "data-problem": problem.code }, problem.reason);
}

/** A labelled field whose text outlives a redraw. */
function field(label, key, typed, attributes = {}) {
  const input = element("input", { type: "text", "data-key": key, autocomplete: "off", ...attributes });
  input.value = typed.get(key) ?? "";
  input.addEventListener("input", () => typed.set(key, input.value));
  return { input, label: element("label", { class: "field" }, element("span", {}, label), input) };
}

function form(act, ...children) {
  const made = element("form", { class: "super-form" }, ...children);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
  return made;
}

/** Nobody has drawn logos: the first letter stands for one. */
const letter = (name) => element("span", { class: "super-letter", "aria-hidden": "true" }, [...name][0] ?? "?");

function login(screen, { tap, say, typed }) {
  say("Log in.");
  const name = field("E-mail or mobile number", "name", typed, { autocomplete: "username", autocapitalize: "none", spellcheck: "false", required: true });
  const password = field("Login password", "password", typed, { type: "password", autocomplete: "current-password", required: true });
  // While a log-in is under way there is nothing to do; the focus stays where it is.
  const busy = Boolean(screen.loading);
  const signIn = (value, secret) => busy || tap("signIn", { value, secret });
  const waits = { "aria-disabled": busy ? "true" : null };
  const act = () => signIn(name.input.value, password.input.value);
  const people = (screen.people ?? []).map((person) => element("li", {}, button(
    `Log in as ${person.title}`, `person-${person.name}`, () => signIn(person.name, person.password), { class: "wide-button", ...waits },
  )));
  return [
    bar("Super app"),
    body(
      problemOf(screen),
      form(act, name.label, password.label, element("button", { type: "submit", class: "button-main wide-button", "data-key": "signIn", "data-focus": true, ...waits }, "Log in")),
      people.length ? element("p", { class: "label" }, "Or be somebody of this demonstration") : null,
      people.length ? element("ul", { class: "plain super-people" }, ...people) : null,
    ),
  ];
}

function home(screen, { tap, say, typed }) {
  say(screen.problem?.reason ?? "Home. Open a mini program.");
  const tiles = (screen.apps ?? []).map((app) => {
    const words = element("span", { class: "super-words-of" }, element("strong", {}, app.name), app.slogan ? element("small", {}, app.slogan) : null);
    const tile = element("button", { type: "button", class: "super-tile", "data-key": `app-${app.appId}` }, letter(app.name), words);
    tile.addEventListener("click", () => tap("open", { value: app.appId }));
    return element("li", {}, tile);
  });
  const link = field("A link, or a code’s content", "link", typed, { autocapitalize: "none", spellcheck: "false", required: true });
  const follow = () => {
    typed.delete("link");
    tap("openLink", { value: link.input.value.trim() });
  };
  return [
    bar(screen.user ? `Hello, ${screen.user}` : "Home", null, button("Sign out", "signOut", () => tap("signOut"))),
    body(
      problemOf(screen),
      element("h4", { tabindex: "-1", "data-focus": true }, "Mini programs"),
      tiles.length ? element("ul", { class: "super-tiles" }, ...tiles) : element("p", { class: "quiet" }, "None is released yet. One moment."),
      button("Scan", "scan", () => tap("scan"), { class: "wide-button" }),
      form(follow, link.label, element("button", { type: "submit", "data-key": "openLink" }, "Open")),
    ),
  ];
}

function opening(screen, { tap, say }) {
  const name = screen.program?.name ?? "the mini program";
  say(`Opening ${name}.`);
  return [
    bar("Opening", null, button("Close", "close", () => tap("close"), { "data-focus": true })),
    body(problemOf(screen), element("div", { class: "stage", "data-kind": "open" }, icon("turning"), element("p", { class: "quiet" }, `Opening ${name}`))),
  ];
}

function program(screen, tools) {
  const { tap, say } = tools;
  const it = screen.program;
  say(`${it.title || it.name}.`);
  const back = it.canGoBack ? button("Back", "back", () => tap("back")) : null;
  const head = bar(it.title || it.name, back, button("Close", "close", () => tap("close"), { "data-focus": true }));
  // The page of an HTML5 program is in its frame, below the bar.
  if (it.kind === "web") return screen.problem ? [head, problemOf(screen)] : [head];
  if (!it.data) {
    // Nothing that could be touched is shown before the page's script is there.
    const wait = element("div", { class: "stage", "data-kind": "open" }, icon("turning"), element("p", { class: "quiet" }, "The page is starting"));
    return [head, body(problemOf(screen), wait, log(it.log ?? []))];
  }
  const data = it.data;
  const controls = it.controls ?? [];
  return [
    head,
    body(
      problemOf(screen),
      element("p", { class: "small quiet" }, "The template language is not drawn here. This is the data of the page ", element("code", {}, it.route ?? ""), ", and what its template names."),
      element("h4", {}, "Data"),
      data.length
        ? element("dl", { class: "super-data" }, ...data.map(({ name, value }) => element("div", { "data-datum": name }, element("dt", {}, name), element("dd", { class: "value" }, value))))
        : element("p", { class: "quiet" }, "None."),
      element("h4", {}, "Controls"),
      controls.length ? element("div", { class: "super-controls" }, ...controls.map((each, index) => control(each, index, tools))) : element("p", { class: "quiet" }, "None."),
      log(it.log ?? []),
    ),
  ];
}

/** Buttons that look alike differ by their dataset, which their key tells. */
function control({ kind, handler, label, dataset }, index, { tap, typed }) {
  const key = `control-${index}-${handler}`;
  const words = label || handler;
  const more = dataset ? { dataset } : {};
  if (kind !== "input") return button(words, key, () => tap("event", { value: handler, ...more }), { class: "wide-button", "data-handler": handler });
  const made = field(words, key, typed, { "data-handler": handler });
  const act = () => tap("event", { value: handler, text: made.input.value, ...more });
  return form(act, made.label, element("button", { type: "submit", "data-key": `${key}-send`, "aria-label": `Enter ${words}` }, "Enter"));
}

function log(lines) {
  if (!lines.length) return null;
  const list = element("ol", { class: "plain super-log" }, ...lines.map(({ level, text }) => element("li", { "data-level": level }, `${level}: ${text}`)));
  return element("div", {}, element("h4", {}, "Console"), list);
}
