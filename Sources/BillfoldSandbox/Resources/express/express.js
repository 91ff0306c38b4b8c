// The shop's app on a phone: its own screens, and the faults that one may choose.

import { element } from "../phone/draw.js";
import { MerchantApp, stage } from "../phone/merchant-app.js";

const place = document.querySelector("[data-express]");
const faults = place?.querySelector("[data-express-faults]");
const generation = place?.querySelector("[data-express-generation]");
const fault = place?.querySelector("[data-express-fault]");
const chooser = document.querySelector("[data-express-model]");

const app = place && new MerchantApp({
  phones: "/alipay-shop/phones",
  place,
  glass: place.querySelector("[data-express-glass]"),
  status: place.querySelector("[data-express-status]"),
  begin: (first) => {
    chooser.value = first.model;
    if (fault.options.length === 1) fault.append(...first.faultChoices.map(({ value, title }) => element("option", { value }, title)));
  },
  around: (screen) => {
    faults.parentElement.hidden = screen.faults.length === 0;
    faults.replaceChildren(...screen.faults.map((code) => element("li", {}, code)));
  },
  content,
});

function content(screen) {
  switch (screen.place) {
    case "shop":
      return shop(screen);
    case "ordering":
      app.say("The shop is making the order.");
      return stage("open", "turning", "Making the order");
    case "wallet":
      app.say("The app hands the order to the wallet.");
      return leaving(screen, "wallet", "The tea house wants to open the wallet", "Open the wallet", app.button("Back to the shop’s app", "comeBack"));
    case "cashier":
      app.say("The web cashier is open.");
      return leaving(screen, "page", "There is no wallet on this phone", "Open the web cashier", app.button("Close the cashier", "closeCashier"));
    case "ended":
      app.say("The system has ended the app.");
      return leaving(screen, "cross", "The system has ended the shop’s app", screen.away ? "Go on in the wallet" : "", app.button("Start the app", "startApp"));
    case "asking":
      app.say("The app asks its server.");
      return stage("open", "turning", "Asking the shop", "The app believes its own server alone.");
    default:
      return app.outcome(
        screen, "Read every message of this order", element("p", { class: "small" }, "resultStatus ", element("code", {}, screen.outcome.status)),
      );
  }
}

function shop(screen) {
  app.say("Choose something.");
  const list = element("ul", { class: "offers" }, ...screen.offers.map((offer) => {
    const buy = element("button", { type: "button", "data-key": `buy-${offer.id}`, "aria-label": `Pay for ${offer.name}` }, "Pay");
    buy.addEventListener("click", () => {
      const wish = offer.generations.includes(generation.value) ? generation.value : "legacy";
      app.tap("buy", { value: offer.id, generation: wish, ...(fault.value ? { fault: fault.value } : {}) });
    });
    return element(
      "li", {}, element("img", { src: offer.picture, alt: "", width: 56, height: 56 }),
      element("div", {}, element("h4", {}, offer.name), element("p", {}, offer.summary), element("div", { class: "offer-line" }, element("span", {}, offer.price), buy)),
    );
  }));
  const problem = screen.problem ? element("p", { class: "express-problem" }, screen.problem.reason) : null;
  return element("div", { class: "app" }, element("h3", {}, "Two Leaves Tea House"), problem, list);
}

function leaving(screen, drawing, title, text, way) {
  const bottom = element("div", { class: "app-bottom" });
  if (screen.away && text) bottom.append(element("a", { class: "away-button", href: screen.away, "data-key": "away", "data-focus": true }, text));
  bottom.append(way);
  const order = screen.order ? `${screen.order.subject}, ${screen.order.price}` : "";
  return element("div", { class: "app" }, stage("open", drawing, title, order), bottom);
}

if (app) {
  chooser.addEventListener("change", () => app.anew({ model: chooser.value }));
  app.start(place.dataset.session, { model: chooser.value });
}
