// Switches, lists and acts: a form's fields become the body of what its data says, and the page is read again.
import { ask } from "./session.js";

for (const form of document.querySelectorAll("[data-act]")) {
  const answer = form.querySelector("[data-answer]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    answer.textContent = "";
    delete answer.dataset.outcome;
    const fields = Object.fromEntries([...new FormData(form, event.submitter)].filter(([, value]) => value !== ""));
    if (form.dataset.on) fields.on = form.dataset.on === "true";
    if (form.dataset.allowed) fields.allowed = form.dataset.allowed === "true";
    try {
      await ask(form.dataset.act, form.dataset.path, fields);
      location.reload();
    } catch (error) {
      answer.dataset.outcome = "bad";
      answer.textContent = error.message;
    }
  });
}
