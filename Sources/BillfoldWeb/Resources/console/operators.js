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

/** What a form's fields say: numbers as such, `data-list` as the lines that say something, `data-pairs="a b"` as such lines of `x=y`, each an
 * object of both names. A name with a dot lies in an object, and its list may be empty. Other empty fields say nothing. */
function detail(form) {
  const fields = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled || (["radio", "checkbox"].includes(field.type) && !field.checked)) continue;
    const lines = field.value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    let value = field.type === "number" ? Number(field.value) : field.value;
    if ("list" in field.dataset) value = lines;
    if ("pairs" in field.dataset) {
      const names = field.dataset.pairs.split(" ");
      value = lines.map((line) => Object.fromEntries(line.split("=").map((half, index) => [names[index], half.trim()])));
    }
    const [outer, inner] = field.name.split(".");
    if (field.value === "" && !inner) continue;
    if (inner) (fields[outer] ??= {})[inner] = value;
    else fields[outer] = value;
  }
  return fields;
}

/** A form that asks for an action, its fields becoming the detail, that clears an alarm, or that takes a step at once. Heard at the
 * document, for live pages replace their parts. */
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-ask], [data-clear], [data-step]");
  if (!form) return;
  event.preventDefault();
  const note = form.querySelector("[data-answer]");
  const fields = detail(form);
  note.textContent = "";
  delete note.dataset.outcome;
  try {
    if (form.dataset.step) {
      await ask("POST", form.dataset.step, fields);
      location.reload();
      return;
    }
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
