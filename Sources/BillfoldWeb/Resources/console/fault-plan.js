// Sends an order's fault plan to the sandbox's gateway.
import { ask } from "./session.js";

for (const form of document.querySelectorAll("[data-fault-plan]")) {
  form.hidden = false;
  const answer = form.querySelector("[data-answer]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = new FormData(form);
    const plan = { faults: values.getAll("fault"), delayMilliseconds: Number(values.get("delay")) || 0 };
    answer.textContent = "";
    delete answer.dataset.outcome;
    try {
      await ask("POST", form.dataset.faultPlan, plan);
      answer.textContent = plan.faults.length === 0 ? "No fault is set." : `Set: ${plan.faults.join(", ")}.`;
    } catch (error) {
      answer.dataset.outcome = "bad";
      answer.textContent = error.message;
    }
  });
}
