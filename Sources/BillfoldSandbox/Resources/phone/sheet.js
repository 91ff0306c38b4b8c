// The payment sheet, as the session's model describes it.

import { element, icon } from "./draw.js";

/**
 * @param screen the phone's screen, with its sheet
 * @param tap sends what the customer does
 * @param say tells a screen reader
 * @param typed what was typed and not sent yet
 */
export function drawSheet(screen, tap, say, typed) {
  const sheet = screen.sheet;
  const busy = sheet.phase !== "ready";
  const body = element("div", { class: "pay-sheet", "data-busy": sheet.phase === "updating" });
  const close = element("button", { type: "button", "data-key": "cancel", disabled: sheet.phase === "processing" }, "Close");
  close.addEventListener("click", () => tap("cancel"));
  body.append(element("header", {}, element("h3", {}, "Pay with phone"), close));

  if (sheet.phase === "processing") {
    say("Processing.");
    body.append(element("div", { class: "stage", "data-kind": "open" }, icon("turning"), element("h3", {}, "Processing")));
    return body;
  }
  if (sheet.phase === "enteringPIN") {
    body.append(pinPad(sheet, tap, say, typed));
    return body;
  }

  body.append(
    choices("Card", "selectCard", sheet.cards, sheet.selectedCard, busy, tap, (card) => [card.issuer, `${card.network} •• ${card.suffix}`]),
  );
  if (sheet.asksContact) {
    const title = sheet.asksAddress ? "Deliver to" : "Send to";
    body.append(
      choices(title, "selectContact", sheet.contacts, sheet.selectedContact, busy, tap, (contact) => [contact.name, contact.lines.join(", ")]),
    );
  }
  if (sheet.shippingMethods.length) {
    body.append(
      choices("Shipping", "selectShippingMethod", sheet.shippingMethods, sheet.selectedShippingMethod, busy, tap, (method) => [
        method.label, `${method.detail} · ${money(method.amount, sheet)}`,
      ]),
    );
  }
  if (sheet.supportsCouponCode) body.append(coupon(sheet, busy, tap, typed));
  if (sheet.problems.length) {
    body.append(element("ul", { class: "problems" }, ...sheet.problems.map((problem) => element("li", {}, problem.message || problem.code))));
  }
  body.append(figures(sheet));
  if (sheet.message) body.append(element("p", { class: "small" }, sheet.message));

  const confirm = element(
    "button",
    { type: "button", class: "confirm", "data-key": "authorize", "data-focus": "", disabled: busy || sheet.problems.length > 0 || !sheet.selectedCard },
    busy ? "Updating" : "Confirm with side button",
  );
  confirm.addEventListener("click", () => tap("authorize"));
  body.append(confirm);
  say(busy ? "Updating." : `${sheet.problems.map((problem) => problem.message).join(" ")} Total ${money(sheet.total, sheet)}.`);
  return body;
}

function choices(title, action, options, selected, busy, tap, words) {
  const group = element("fieldset", { disabled: busy }, element("legend", {}, title));
  for (const option of options) {
    const [strong, small] = words(option);
    const input = element("input", { type: "radio", name: action, value: option.id, checked: option.id === selected, "data-key": `${action}-${option.id}` });
    input.addEventListener("change", () => tap(action, option.id));
    group.append(element("label", { class: "choice" }, input, element("span", {}, element("strong", {}, strong), element("small", {}, small))));
  }
  return group;
}

function coupon(sheet, busy, tap, typed) {
  const input = element("input", { type: "text", maxlength: "64", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", "data-key": "coupon", disabled: busy });
  input.value = typed.coupon ?? sheet.couponCode;
  input.addEventListener("input", () => { typed.coupon = input.value; });
  const form = element("form", { class: "coupon" }, element("label", {}, "Coupon", input), element("button", { type: "submit", "data-key": "coupon-set", disabled: busy }, "Apply"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const code = input.value.trim();
    typed.coupon = null;
    tap("enterCouponCode", code);
  });
  return form;
}

function figures(sheet) {
  const lines = sheet.items.slice(0, -1);
  return element(
    "table", { class: "items" },
    element("tbody", {}, ...lines.map((item) => element("tr", {}, element("th", { scope: "row" }, item.label), element("td", { class: "number" }, item.isPending ? "pending" : money(item.amount, sheet))))),
    element("tfoot", {}, element("tr", {}, element("th", { scope: "row" }, `Pay ${sheet.merchant}`), element("td", { class: "number" }, sheet.totalIsPending ? "pending" : money(sheet.total, sheet)))),
  );
}

function pinPad(sheet, tap, say, typed) {
  const dots = element("div", { class: "pin-dots", "aria-hidden": "true" });
  const pad = element("div", { class: "pin-pad", "data-key": "pin", "data-focus": "", tabindex: "-1", role: "group", "aria-label": "Six-digit card PIN" });
  const show = () => dots.replaceChildren(...Array.from({ length: 6 }, (_, index) => element("span", { "data-filled": index < typed.pin.length })));
  const type = (digit) => {
    if (typed.pin.length < 6) typed.pin += digit;
    show();
    say(`${typed.pin.length} of 6 digits`);
    if (typed.pin.length === 6) {
      const pin = typed.pin;
      typed.pin = "";
      tap("enterPIN", pin);
    }
  };
  const erase = () => {
    typed.pin = typed.pin.slice(0, -1);
    show();
  };
  for (const digit of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "", "0"]) {
    if (!digit) {
      pad.append(element("span"));
      continue;
    }
    const key = element("button", { type: "button", "data-key": `pin-${digit}` }, digit);
    key.addEventListener("click", () => type(digit));
    pad.append(key);
  }
  const back = element("button", { type: "button", "data-quiet": true, "data-key": "pin-erase" }, "Erase");
  back.addEventListener("click", erase);
  pad.append(back);
  pad.addEventListener("keydown", (event) => {
    if (/^[0-9]$/.test(event.key)) type(event.key);
    else if (event.key === "Backspace") erase();
  });
  show();
  queueMicrotask(() => { if (!pad.contains(document.activeElement)) pad.focus({ preventScroll: true }); });
  return element(
    "div", { class: "stage" },
    element("h3", {}, "Card PIN"),
    element("p", { class: "quiet small" }, "The issuer asks for it. It travels sealed, and the shop cannot read it. Any six digits will do here."),
    dots,
    sheet.message ? element("p", { class: "problems" }, sheet.message) : null,
    pad,
  );
}

/** The app gave exact decimals; only zeros are added, so that figures line up. */
function money(amount, sheet) {
  const [whole, fraction = ""] = String(amount).split(".");
  const digits = { JPY: 0, KRW: 0 }[sheet.currencyCode] ?? 2;
  const text = digits ? `${whole}.${fraction.padEnd(digits, "0")}` : whole;
  return `${text} ${sheet.currencyCode}`;
}
