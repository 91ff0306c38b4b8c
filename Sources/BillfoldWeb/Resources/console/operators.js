// Signs operators in, asks for actions, and sends decisions.
import { ask } from "./session.js";

const answer = document.querySelector("[data-answer]");

function refuse(error) {
  answer.dataset.outcome = "bad";
  answer.textContent = error.message;
}

document.querySelector("[data-sign-in]")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  const values = new FormData(form);
  answer.textContent = "";
  try {
    await ask("POST", "/api/session", { name: values.get("name"), password: values.get("password") });
    const next = new URL(form.dataset.signIn, location.origin);
    location.assign(next.origin === location.origin ? next.href : "/");
  } catch (error) {
    form.elements.password.value = "";
    refuse(error);
    form.elements.password.focus();
  }
});

/** A form that asks for an action, its fields becoming the detail, or that clears an alarm. Heard at the document, for live pages
 * replace their parts. */
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-ask], [data-clear]");
  if (!form) return;
  event.preventDefault();
  const note = form.querySelector("[data-answer]");
  const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
  note.textContent = "";
  delete note.dataset.outcome;
  try {
    if (form.dataset.clear) {
      await ask("POST", "/api/alarms/clearances", { payment: form.dataset.payment, alarm: form.dataset.clear, ...fields });
      location.reload();
      return;
    }
    await ask("POST", "/api/approvals", { kind: form.dataset.ask, subject: form.dataset.subject, detail: JSON.stringify(fields) });
    location.assign("/approvals");
  } catch (error) {
    note.dataset.outcome = "bad";
    note.textContent = error.message;
  }
});

for (const button of document.querySelectorAll("[data-decide]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await ask("POST", button.dataset.decide);
      location.reload();
    } catch (error) {
      button.disabled = false;
      refuse(error);
    }
  });
}
