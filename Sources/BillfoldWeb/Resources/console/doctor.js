// Hands files, and what was pasted, to the doctor and shows the findings that the server drew.
import { csrfToken } from "./session.js";

const form = document.querySelector("[data-doctor]");
const input = form.elements.files;
const drop = form.querySelector("[data-drop]");
const answer = form.querySelector("[data-answer]");
form.hidden = false;

function say(text, bad = false) {
  answer.textContent = text;
  if (bad) answer.dataset.outcome = "bad"; else delete answer.dataset.outcome;
}

async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let start = 0; start < bytes.length; start += 0x8000) text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  return btoa(text);
}

async function examine() {
  const pasted = form.elements.pasted.value;
  const files = [...input.files, ...(pasted.trim() ? [new File([pasted], "pasted")] : [])];
  if (files.length === 0) return say("Choose a file or paste one first.", true);
  if (files.length > Number(form.dataset.mostFiles)) return say(`At most ${form.dataset.mostFiles} files at once.`, true);
  const large = files.find((file) => file.size > Number(form.dataset.mostBytes));
  if (large) return say(`${large.name} is larger than ${form.dataset.mostBytes} bytes.`, true);
  say("Examining");
  const headers = { "Content-Type": "application/json", Accept: "text/html" };
  if (csrfToken) headers["X-CSRF-Token"] = csrfToken;
  const artifacts = await Promise.all(files.map(async (file) => ({ name: file.name, bytes: await base64(file) })));
  const reply = await fetch("/doctor", { method: "POST", headers, body: JSON.stringify({ artifacts }), credentials: "same-origin" });
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const findings = page.querySelector("[data-findings]");
  if (!reply.ok || !findings) return say(`The server answered ${reply.status}.`, true);
  document.querySelector("[data-findings]").replaceWith(document.adoptNode(findings));
  say("");
  document.getElementById("findings")?.focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  examine().catch((error) => say(error.message, true));
});
for (const name of ["dragenter", "dragover"]) {
  drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("is-over"); });
}
for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("is-over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  input.files = event.dataTransfer.files;
  form.requestSubmit();
});
