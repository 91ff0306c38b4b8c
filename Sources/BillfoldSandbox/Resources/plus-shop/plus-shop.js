// The merchant's app on a phone: its own screens, and the payment sheet within them.

import { element } from "../phone/draw.js";
import { MerchantApp, stage } from "../phone/merchant-app.js";

const place = document.querySelector("[data-plus]");
const glass = place?.querySelector("[data-plus-glass]");
const log = place?.querySelector("[data-plus-events]");
const chooser = document.querySelector("[data-plus-model]");
const language = document.querySelector("[data-plus-language]");

let sheet = null;

const app = place && new MerchantApp({
  phones: "/plus-shop/phones",
  place,
  glass,
  status: place.querySelector("[data-plus-status]"),
  begin: (first) => {
    chooser.value = first.model;
    language.value = first.language;
  },
  around: (screen) => {
    log.parentElement.hidden = screen.events.length === 0;
    log.replaceChildren(...screen.events.map((name) => element("li", {}, name)));
    // A sheet that is drawn stays: drawing it anew would load it again.
    return !(screen.place === "sheet" && sheet?.address === screen.sheet && glass.contains(sheet.frame));
  },
  content,
});

function content(screen) {
  if (screen.place !== "sheet") sheet = null;
  switch (screen.place) {
    case "shop":
      return shop(screen);
    case "checkout":
      return checkout(screen);
    case "ordering":
      app.say("The shop is making the order.");
      return stage("open", "turning", "Making the order");
    case "sheet":
      return payment(screen);
    case "wallet":
      return wallet(screen);
    case "asking":
      app.say("The app asks its server.");
      return stage("open", "turning", "Asking the shop", "The app believes its own server alone.");
    default:
      return app.outcome(screen, "Read every message of this payment");
  }
}

function shop(screen) {
  app.say("Choose something.");
  const list = element("ul", { class: "offers" }, ...screen.offers.map((offer) => {
    const buy = element("button", { type: "button", "data-key": `buy-${offer.id}`, "aria-label": `Buy ${offer.name}` }, "Buy");
    buy.addEventListener("click", () => app.tap("choose", { value: offer.id }));
    return element(
      "li", {}, element("img", { src: offer.picture, alt: "", width: 56, height: 56 }),
      element("div", {}, element("h4", {}, offer.name), element("p", {}, offer.summary), element("div", { class: "offer-line" }, element("span", {}, offer.price), buy)),
    );
  }));
  return element("div", { class: "app" }, element("h3", {}, "Pier Nine"), list);
}

function checkout(screen) {
  const { chosen, row } = screen;
  app.say(row ? (row.enabled ? "Alipay+ is on offer." : row.disableReason ?? "Alipay+ is not on offer.") : "The app asks for the ways to pay.");
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
    const pay = app.button("Pay with Alipay+", "pay");
    pay.dataset.focus = "";
    pay.classList.add("button-main");
    bottom.append(pay);
  }
  bottom.append(app.button("Back", "back"));
  parts.push(bottom);
  return element("div", { class: "app" }, ...parts);
}

function payment(screen) {
  app.say("The payment sheet is open.");
  const frame = element("iframe", { src: screen.sheet, title: "Payment sheet", class: "plus-sheet" });
  sheet = { address: screen.sheet, frame };
  return element("div", { class: "plus-cover" }, frame);
}

function wallet(screen) {
  app.say("The wallet is open.");
  const order = screen.order ? `${screen.order.subject}, ${screen.order.price}` : "";
  const bottom = element("div", { class: "app-bottom" });
  if (screen.away) bottom.append(element("a", { class: "away-button", href: screen.away, "data-key": "away", "data-focus": true }, "Go on in the wallet"));
  bottom.append(app.button("Back to the shop’s app", "comeBack"));
  return element("div", { class: "app" }, stage("open", "wallet", "The wallet opens", order), bottom);
}

if (app) {
  const model = () => ({ model: chooser.value, language: language.value });
  for (const choice of [chooser, language]) choice.addEventListener("change", () => app.anew(model()));
  // The app around the sheet: what the page says by its bridge goes to the SDK, and only what the sheet's own page says.
  addEventListener("message", (event) => {
    if (!sheet || event.source !== sheet.frame.contentWindow || event.origin !== new URL(sheet.address).origin || typeof event.data?.alipayPlusSheet !== "string") return;
    app.send("sheet", { message: event.data.alipayPlusSheet });
  });
  app.start(place.dataset.session, model());
}
