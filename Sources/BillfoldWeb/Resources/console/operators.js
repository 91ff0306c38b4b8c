// Signs operators in and sends their decisions.
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
