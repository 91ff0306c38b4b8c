// The wallet's passes on the phone, and those on the watch.

import { element } from "../phone/draw.js";
import { bar, button, cardFace, choices, codeEntry, methodRows, scroller, stage } from "./parts.js";

/** A pass's state, how it is marked, and what it means for the customer. */
const states = {
  activated: ["ready", "mark-done", "It can pay."],
  requiresActivation: ["to be verified", "mark-open", "It cannot pay before the bank has verified you."],
  activating: ["being activated", "mark-open", "It can pay in a moment."],
  suspended: ["suspended", "mark-bad", "It cannot pay while it is suspended."],
  deactivated: ["deactivated", "mark-quiet", "It cannot pay any more."],
};

export function drawWallet(screen, tools) {
  if (screen.setUp) return setUp(screen, tools);
  const body = scroller();
  if (screen.passes.length === 0) {
    tools.say("The wallet is empty.");
    body.append(stage("open", "wallet", "No card yet", "Cards that you add from the bank’s app are here."));
  } else {
    tools.say(screen.passes.length === 1 ? "One card in the wallet." : `${screen.passes.length} cards in the wallet.`);
    body.append(...screen.passes.map((pass) => drawPass(pass, tools)));
  }
  body.append(drawOffers(screen, tools));
  return element("div", { class: "screen" }, bar("Wallet"), body);
}

/** What the bank's extension of the wallet offers, once somebody has looked. */
function drawOffers({ offers }, tools) {
  if (!offers) return button("Add a card from the bank’s app", "listOffers", tools, { class: "wide-button" });
  const rows = offers.entries.map(({ id, title, device }) => ({ id, title, text: `To the ${device}`, icon: "wallet" }));
  tools.say(offers.note ?? `${rows.length} cards from the bank’s app.`);
  return element(
    "section", { class: "stack-tight", "data-offers": rows.length, "aria-label": "From the bank’s app" }, element("h3", { class: "sheet-title" }, "From the bank’s app"),
    offers.note ? element("p", { class: "small" }, offers.note) : choices(rows, "addOffer", tools), button("Not now", "closeOffers", tools, { class: "wide-button" }),
  );
}

function drawPass(pass, tools) {
  const [word, mark, meaning] = states[pass.state] ?? [pass.state, "mark-open", ""];
  return element(
    "article", { class: "pass", "data-pass": pass.id, "data-state": pass.state, "aria-label": `${pass.displayName} ${pass.suffix}` },
    cardFace(pass, { small: true, quiet: pass.state !== "activated" }),
    element(
      "div", { class: "pass-line" }, element("span", { class: `mark ${mark}` }, word),
      element("span", { class: "small quiet figures" }, `number here •• ${pass.deviceSuffix}`), button("Remove", "removePass", tools, { value: pass.id, class: "plain-button" }),
    ),
    element("p", { class: "small" }, pass.note ?? meaning),
    pass.methods.length ? button("Verify", "verifyPass", tools, { value: pass.id, class: "wide-button", "data-focus": true }) : null,
  );
}

/** Proving from the pass's own screen, after it was put off on the sheet. */
function setUp(screen, tools) {
  const { setUp: proof } = screen;
  const title = { choosing: "Card verification", sending: "Asking for a code", entering: "Enter the code", verifying: "Enter the code" }[proof.phase];
  tools.say(`${title}.`);
  const body = scroller();
  if (proof.phase === "sending") body.append(stage("open", "turning", title));
  else body.append(element("h3", { class: "sheet-title" }, title));
  if (proof.message) body.append(element("p", { class: "sheet-problem" }, proof.message));
  if (proof.phase === "choosing") body.append(choices(methodRows(proof.methods), "requestPassCode", tools));
  if (proof.phase === "entering" || proof.phase === "verifying") body.append(codeEntry("enterPassCode", tools, proof.phase === "verifying"));
  return element("div", { class: "screen" }, bar("Wallet", button("Later", "laterPass", tools)), body);
}

export function drawWatch(watch) {
  if (watch.passes.length === 0) return [element("p", { class: "empty small quiet" }, watch.isReachable ? "No card on the watch" : "Out of reach")];
  return watch.passes.map((pass) => {
    const [word, mark] = states[pass.state] ?? [pass.state, "mark-open"];
    return element(
      "div", { class: "watch-pass", "data-pass": pass.id, "data-state": pass.state }, cardFace(pass, { small: true, quiet: pass.state !== "activated" }),
      element("span", { class: `mark ${mark}` }, word),
    );
  });
}
