// The system's add sheet, phase by phase, as the session's model describes it.

import { element, icon } from "../phone/draw.js";
import { button, cardFace, choices, codeEntry, methodRows, scroller, stage } from "./parts.js";

const working = {
  fetchingCertificates: ["Contacting the wallet’s servers", "They hand out a certificate and a number that is good once."],
  waitingForApp: ["The bank’s app prepares the card", "Its server seals the card’s number. The phone never sees it."],
  adding: ["Checking the card", "The wallet’s servers ask the card’s network."],
  enabling: ["Adding the card", "The network asks the bank, which decides now."],
  sendingCode: ["Asking for a code", "The network makes it, the bank delivers it."],
};

export function drawSheet(screen, tools) {
  const { sheet } = screen;
  const content = (phases[sheet.phase] ?? work)(screen, tools);
  const close = button("Close", "cancel", tools, { disabled: ["adding", "enabling", "sendingCode", "verifying", "closed"].includes(sheet.phase) });
  return element(
    "div", { class: "add-sheet", "data-phase": sheet.phase },
    element("div", { class: "screen-bar" }, element("h3", {}, "Add to wallet"), close), scroller(...content),
  );
}

/** The card as the sheet knows it: from the app's configuration alone. */
function face(sheet) {
  return cardFace({ displayName: sheet.description, suffix: sheet.suffix, network: { Visa: "visa", MasterCard: "mastercard", Mastercard: "mastercard", ChinaUnionPay: "unionPay" }[sheet.network] ?? sheet.network });
}

function heading(title, text) {
  return [element("h3", { class: "sheet-title" }, title), text ? element("p", { class: "sheet-lead" }, text) : null].filter(Boolean);
}

function work({ sheet }, { say }) {
  const [title, text] = working[sheet.phase] ?? ["One moment"];
  say(`${title}.`);
  return [stage("open", "turning", title, text)];
}

const phases = {
  introduction({ sheet }, tools) {
    tools.say(`Add ${sheet.description} to the wallet.`);
    const details = [["Name", sheet.cardholderName], ["Card number", `•••• ${sheet.suffix}`], ...sheet.details.map((line) => [line.label, line.value])];
    return [
      face(sheet), ...heading("Card details", "This is what will be added."),
      element("dl", { class: "detail-list" }, ...details.filter(([, value]) => value).map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)))),
      element("div", { class: "push" }, button("Next", "next", tools, { class: "confirm", "data-focus": true })),
    ];
  },

  choosingDevice({ sheet }, tools) {
    tools.say("Choose a device.");
    return [
      ...heading("Which device?", "The card can be in both, with a number of its own in each."),
      choices(sheet.devices.map((device) => ({ id: device.id, title: device.name, text: device.kind, icon: device.kind })), "chooseDevice", tools),
    ];
  },

  terms(_, tools) {
    tools.say("Read the terms and conditions.");
    return [
      ...heading("Terms and conditions"),
      element(
        "div", { class: "terms-text", tabindex: "0", role: "region", "aria-label": "Terms and conditions" },
        element("p", {}, "The bank puts a number of this device into its secure element. It stands for your card and works in this device alone."),
        element("p", {}, "The bank, the card’s network and the wallet’s maker tell each other what they need to judge this request, and nothing about what you buy."),
        element("p", {}, "Tell the bank when the device is lost: it can suspend this number and leave your card as it is. These terms are made up, like the bank."),
      ),
      element("div", { class: "stack-tight" }, button("Agree", "acceptTerms", tools, { class: "confirm", "data-focus": true }), button("Disagree", "declineTerms", tools, { class: "wide-button" })),
    ];
  },

  choosingMethod({ sheet }, tools) {
    tools.say("Choose how the bank verifies you.");
    return [
      ...heading("Card verification", "The bank wants to be sure that it is you. The card is in the wallet and cannot pay before that."),
      sheet.message ? element("p", { class: "sheet-problem" }, sheet.message) : null,
      choices(methodRows(sheet.methods), "chooseMethod", tools),
      element("div", { class: "push" }, button("Verify later", "later", tools, { class: "wide-button plain-button" })),
    ].filter(Boolean);
  },

  enteringCode: entering,
  verifying: entering,

  added({ sheet }, tools) {
    const isReady = sheet.activationState === 0;
    const title = isReady ? "Ready to use" : "Added, not usable yet";
    tools.say(`${title}.`);
    return [
      face(sheet),
      stage(isReady ? "good" : "open", isReady ? "tick" : "wait", title, isReady ? "The card can pay from this device." : "The card is in the wallet. It cannot pay before the bank has verified you."),
      element("div", { class: "push" }, button("Done", "done", tools, { class: "confirm", "data-focus": true })),
    ];
  },

  failed({ sheet }, tools) {
    tools.say("The card was not added.");
    return [
      stage("bad", "cross", sheet.message ?? "Could not add the card", "The wallet says no more than that. The bank’s app may."),
      element("div", { class: "push" }, button("Done", "done", tools, { class: "confirm", "data-focus": true })),
    ];
  },
};

function entering({ sheet }, tools) {
  const busy = sheet.phase === "verifying";
  const method = sheet.methods.find((each) => each.id === sheet.selectedMethod);
  tools.say(busy ? "The code is being checked." : "Enter the code.");
  return [
    ...heading("Enter the code", method ? `It was sent to ${method.value}.` : null),
    sheet.message ? element("p", { class: "sheet-problem" }, sheet.message) : null,
    codeEntry("enterCode", tools, busy),
    element(
      "div", { class: "push stack-tight" },
      method && !busy ? button("Send another code", "chooseMethod", tools, { value: method.id, class: "wide-button plain-button" }) : null,
      busy ? null : button("Verify later", "later", tools, { class: "wide-button plain-button" }),
    ),
  ].filter(Boolean);
}
