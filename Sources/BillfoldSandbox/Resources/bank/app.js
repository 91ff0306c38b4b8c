// The bank's own app: log-in, cards with their buttons, what became of an attempt, and a confirmation that the wallet asks for.

import { element, icon } from "../phone/draw.js";
import { bar, button, cardFace, scroller, stage } from "./parts.js";

export function drawLogIn(screen, tools) {
  tools.say("The bank’s app asks who you are.");
  return element(
    "div", { class: "screen" }, bar("Two Leaves Bank"),
    scroller(element("p", { class: "quiet" }, "Log in as one of the bank’s customers. The bank’s own server vouches for you; there is no password to type here."),
      element("ul", { class: "log-in" }, ...screen.customers.map((customer, place) => element("li", {}, logIn(customer, place, tools)))),
      logInAsAnother(tools),
      screen.problem ? element("p", { class: "sheet-problem" }, screen.problem.reason) : null,
    ),
  );
}

function logIn(customer, place, { tap }) {
  const made = element(
    "button", { type: "button", "data-key": `logIn-${customer.id}`, "data-focus": place === 0 },
    element("span", {}, customer.name, element("small", {}, customer.detail)), element("span", { "aria-hidden": "true" }, "→"),
  );
  made.addEventListener("click", () => tap("logIn", customer.id));
  return made;
}

/** For customers whose cards the bank brought in itself. */
function logInAsAnother({ tap, typed }) {
  const field = element("input", { type: "text", "data-key": "customer", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 64, required: true });
  field.value = typed.customer;
  field.addEventListener("input", () => (typed.customer = field.value));
  const form = element("form", { class: "log-in" }, element("label", {}, "Another customer’s id, such as that of a card import", field), element("button", { type: "submit", "data-key": "logIn-another" }, "Log in"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim()) tap("logIn", field.value.trim());
  });
  return form;
}

export function drawCards(screen, tools) {
  const body = scroller();
  if (screen.isLoading && screen.cards.length === 0) {
    tools.say("The app is asking for your cards.");
    body.append(stage("open", "turning", "Your cards are coming"));
  } else if (screen.problem) {
    tools.say(screen.problem.reason);
    body.append(stage("bad", "cross", "Not now", screen.problem.reason), button("Try again", "refresh", tools));
  } else {
    tools.say(`${screen.cards.length} cards.`);
    body.append(...screen.cards.map((card) => cardRow(card, tools)));
  }
  return element(
    "div", { class: "screen" },
    bar(screen.customer.name, button("Log out", "logOut", tools)), body,
  );
}

function cardRow(card, tools) {
  const row = element("article", { class: "card-row", "data-card": card.id, "aria-label": `${card.displayName} ${card.suffix}` }, cardFace(card, { quiet: card.status !== "active" }));
  const state = card.button;
  if (state.kind === "add" || state.kind === "addToWatch" || state.kind === "finishSetUp") {
    const made = element("button", { type: "button", class: "add-button", "data-kind": state.kind, "data-key": `add-${card.id}`, "data-focus": true }, icon("wallet"), state.text);
    made.addEventListener("click", () => tools.tap(state.kind === "finishSetUp" ? "finishSetUp" : "add", card.id));
    row.append(made);
  }
  if (state.reason) {
    row.append(element("p", { class: "add-state" }, state.kind === "added" || state.kind === "addToWatch" ? icon("tick") : state.kind === "inReview" ? icon("wait") : null, element("span", {}, state.reason)));
  }
  return row;
}

const marks = { ready: ["good", "tick"], pending: ["open", "wait"], review: ["open", "wait"], unknown: ["open", "wait"], refused: ["bad", "cross"], cancelled: ["open", "cross"] };

export function drawOutcome(screen, tools) {
  const { kind, title, text, code, story } = screen.outcome;
  const [tone, mark] = marks[kind] ?? marks.cancelled;
  tools.say(`${title}. ${text}`);
  const drawn = stage(tone, mark, title, text);
  drawn.dataset.outcome = kind;
  if (code) drawn.append(element("p", { class: "small" }, "Code ", element("code", {}, code)));
  if (story) drawn.append(element("p", {}, element("a", { href: story, "data-key": "story" }, "Read every message of this attempt")));
  const close = button("Back to the cards", "continue", tools, { class: "wide-button", "data-focus": true });
  const steps = kind === "pending" ? [button("Finish set-up in the wallet", "switchTo", tools, { value: "wallet", class: "wide-button" })] : [];
  return element("div", { class: "screen" }, bar("Two Leaves Bank"), scroller(drawn, element("div", { class: "stack-tight push" }, ...steps, close)));
}

/** The wallet opened the app, so that the customer confirms here that it is he who adds the card. */
export function drawPrompt(screen, tools) {
  const { title, text, isBusy, problem } = screen.prompt;
  tools.say(`${title}. ${text}`);
  const body = scroller(isBusy ? stage("open", "turning", "Telling the bank") : stage("open", "wallet", title, text));
  if (problem) body.append(element("p", { class: "sheet-problem" }, problem));
  if (!isBusy) {
    body.append(element(
      "div", { class: "stack-tight push" }, button("Yes, this is me", "confirm", tools, { class: "confirm", "data-focus": true }),
      button("Not now", "decline", tools, { class: "wide-button" }),
    ));
  }
  return element("div", { class: "screen" }, bar("Two Leaves Bank"), body);
}
