// What several screens of the phone are put together from.

import { element, icon } from "../phone/draw.js";

export function button(text, action, { tap }, { value, ...attributes } = {}) {
  const made = element("button", { type: "button", "data-key": value === undefined ? action : `${action}-${value}`, ...attributes }, text);
  made.addEventListener("click", () => tap(action, value));
  return made;
}

export function bar(title, ...controls) {
  return element("div", { class: "screen-bar" }, element("h3", {}, title), ...controls);
}

/** The part of a screen that scrolls; it takes the focus, so that a keyboard can scroll it. */
export function scroller(...content) {
  return element("div", { class: "screen-body", tabindex: "0", role: "region", "aria-label": "Screen" }, ...content);
}

export function stage(kind, mark, title, text) {
  return element("div", { class: "stage", "data-kind": kind }, icon(mark), element("h3", {}, title), text ? element("p", { class: "quiet" }, text) : null);
}

const networks = { visa: "Visa", mastercard: "Mastercard", unionPay: "UnionPay" };

/** A card's picture: the bank's own, the same for every network. */
export function cardFace(card, { small = false, quiet = false } = {}) {
  return element(
    "div", { class: small ? "card-face card-small" : "card-face", "data-network": card.network, "data-quiet": quiet },
    element("div", { class: "card-top" }, element("strong", {}, card.displayName)),
    element("div", { class: "card-bottom" }, element("span", {}, `•••• ${card.suffix}`), element("span", { class: "card-network" }, networks[card.network] ?? card.network)),
  );
}

/** A list of things to choose one of. */
export function choices(rows, action, tools) {
  return element("ul", { class: "choice-list" }, ...rows.map((row, place) => {
    const made = element(
      "button", { type: "button", "data-key": `${action}-${row.id}`, "data-focus": place === 0, disabled: row.disabled },
      row.icon ? icon(row.icon) : null, element("span", {}, element("strong", {}, row.title), row.text ? element("small", {}, row.text) : null),
    );
    made.addEventListener("click", () => tools.tap(action, row.id));
    return element("li", {}, made);
  }));
}

const ways = {
  TEXT_TO_CARDHOLDER_NUMBER: "Text message",
  EMAIL_TO_CARDHOLDER_ADDRESS: "E-mail",
  CARDHOLDER_TO_CALL_AUTOMATED_NUMBER: "Call",
  CARDHOLDER_TO_USE_MOBILE_APP: "The bank’s app",
  CARDHOLDER_TO_CALL_MANNED_NUMBER: "Call the bank",
};

export function methodRows(methods) {
  return methods.map((method) => ({
    id: method.id, title: ways[method.type] ?? method.type, text: method.isBlocked ? "Blocked: too many wrong codes" : method.value,
    disabled: method.isBlocked,
  }));
}

/** The field for a code, with the code of the newest message at hand, as phones offer it. */
export function codeEntry(action, tools, busy) {
  const field = element("input", {
    name: "code", inputmode: "numeric", autocomplete: "one-time-code", maxlength: 32, required: true, "aria-label": "Verification code",
    "data-key": "code", "data-focus": true, disabled: busy,
  });
  field.value = tools.typed.code;
  field.addEventListener("input", () => { tools.typed.code = field.value; });
  const form = element("form", { class: "code-entry" }, field);
  if (tools.code && !busy) {
    const fill = element("button", { type: "button", class: "plain-button", "data-key": "fill" }, `Use ${tools.code} from the messages`);
    fill.addEventListener("click", () => {
      field.value = tools.typed.code = tools.code;
      field.focus();
    });
    form.append(fill);
  }
  form.append(element("button", { type: "submit", class: "confirm", "data-key": "send-code", disabled: busy }, busy ? "Checking" : "Confirm"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim()) tools.tap(action, field.value.trim());
  });
  return form;
}
