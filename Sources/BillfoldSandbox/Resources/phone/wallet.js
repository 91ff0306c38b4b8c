// What the device does: sets the wallet's knobs, and plays the merchant's change of keys.

import { element } from "./draw.js";

const place = document.querySelector("[data-wallet]");
const form = place?.querySelector("[data-wallet-form]");
const chooser = place?.querySelector("[data-wallet-behaviour]");
const rotation = place?.querySelector("[data-wallet-rotation]");

let behaviours = [];

async function ask(path, method = "GET", body = undefined) {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(value.error?.reason ?? `The sandbox answered ${answer.status}.`);
  return value;
}

/** Runs a step and says how it ended. */
async function saying(where, step) {
  const status = place.querySelector(where);
  try {
    status.textContent = await step();
  } catch (problem) {
    status.textContent = problem.message;
  }
}

const same = (one, other) => Object.keys(one).every((key) => key === "version" || JSON.stringify(one[key]) === JSON.stringify(other[key]));

async function load() {
  behaviours = (await ask("/phone/wallet/behaviours")).behaviours;
  const group = (title, isAccepted) => element(
    "optgroup", { label: title },
    ...behaviours.filter((each) => each.isAccepted === isAccepted).map((each) => element("option", { value: each.name }, each.title)),
  );
  chooser.replaceChildren(group("Genuine", true), group("For the merchant to refuse", false));
  const present = await ask("/phone/wallet");
  const known = behaviours.find((each) => same(each.knobs, present));
  if (!known) chooser.prepend(element("option", { value: "" }, "Something else, set by a program"));
  chooser.value = known?.name ?? "";
  form.elements.version.value = present.version ?? "";
  return known && known.name !== "genuine" ? `Now: ${known.title}.` : "";
}

async function set() {
  const chosen = behaviours.find((each) => each.name === chooser.value);
  if (!chosen) return "Choose what the device does.";
  await ask("/phone/wallet", "PUT", { ...chosen.knobs, version: form.elements.version.value || chosen.knobs.version });
  return `Now: ${chosen.title}.`;
}

async function rotate(step) {
  const key = rotation.elements.key.value;
  if (step === "issue") {
    const issued = await ask("/certificates/rotations", "POST", { key });
    return `Certificate ${issued.serial} is issued. The wallet goes on with the old one.`;
  }
  const { certificates } = await ask("/certificates");
  const newest = certificates.filter((each) => each.kind === "processing" && each.key === key).at(-1);
  if (!newest) return "No certificate of that kind was issued.";
  await ask(`/certificates/${encodeURIComponent(newest.serial)}/activation`, "POST");
  return `The wallet uses certificate ${newest.serial}.`;
}

if (place) {
  place.addEventListener("toggle", () => { if (place.open) saying("[data-wallet-status]", load); });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    saying("[data-wallet-status]", set);
  });
  rotation.addEventListener("submit", (event) => {
    event.preventDefault();
    saying("[data-rotation-status]", () => rotate(event.submitter?.value));
  });
}
