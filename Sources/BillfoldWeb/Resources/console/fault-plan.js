// Sends a fault plan to a party of the sandbox.
import { ask } from "./session.js";

/** Merges the chosen plans; lists add up, and a delay is the reader's. Throws where two of them set one key differently. */
function merge(inputs, delayKey, delay) {
  const plan = {};
  for (const input of inputs) {
    for (const [key, value] of Object.entries(JSON.parse(input.dataset.plan))) {
      if (Array.isArray(value)) {
        plan[key] = [...(plan[key] ?? []), ...value];
        continue;
      }
      if (key in plan && plan[key] !== value) throw new Error(`"${title(input)}" does not go together with another choice.`);
      plan[key] = value;
    }
  }
  if (delayKey in plan) plan[delayKey] = delay;
  return plan;
}

const title = (input) => input.closest("label").querySelector("strong").textContent;

for (const form of document.querySelectorAll("[data-fault-plan]")) {
  form.hidden = false;
  const answer = form.querySelector("[data-answer]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    answer.textContent = "";
    delete answer.dataset.outcome;
    try {
      const chosen = [...form.querySelectorAll("[name=fault]:checked")];
      const order = form.elements.order?.value;
      const path = order ? form.dataset.faultPlan.replace(/[^/]*$/, encodeURIComponent(order)) : form.dataset.faultPlan;
      await ask("POST", path, merge(chosen, form.dataset.delayKey, Number(form.elements.delay?.value) || 0));
      answer.textContent = chosen.length === 0 ? "No fault is set." : `Set: ${chosen.map(title).join(", ")}.`;
    } catch (error) {
      answer.dataset.outcome = "bad";
      answer.textContent = error.message;
    }
  });
}
