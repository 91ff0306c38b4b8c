"use strict";
// The four functions for JavaScript. Each takes the bank's id of a card and returns a promise; a refusal has the stable `code`.
const { NativeModules, requireNativeComponent } = require("react-native");

const refusal = (code, message) => Object.assign(new Error(message), { code });

const ask = async (name, card) => {
  if (typeof card !== "string" || card === "") throw refusal("message-malformed", "a card's id is expected");
  // Read at each call: the module is there once the app's native half is.
  const wallet = NativeModules.BillfoldWallet;
  if (!wallet) throw refusal("no-wallet", "this app has no wallet");
  return wallet[name](card);
};

// 0: show nothing, 1: added everywhere, 2: show the button.
const showButton = async (card) => {
  if (!NativeModules.BillfoldWallet) return { state: 0, devices: [] };
  return ask("showButton", card);
};

let button;

module.exports = Object.freeze({
  showButton,
  containsCard: (card) => ask("containsCard", card),
  activationState: (card) => ask("activationState", card),
  addCard: (card) => ask("addCard", card),
  // Asked for once: React refuses a second registration of a native component.
  get AddPassButton() {
    button = button ?? requireNativeComponent("BillfoldAddPassButton");
    return button;
  },
});
