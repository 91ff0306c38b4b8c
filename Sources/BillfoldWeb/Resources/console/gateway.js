// Sends a notification again and shows what came of it: the page is read anew until the attempt stands in it.
import { ask } from "./session.js";

const attempts = (item) => item?.querySelectorAll("[data-attempt]").length ?? 0;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** The same notification as its trade's page draws it now: one that was given up leaves the list of those when it is sent again. */
async function drawn(id, page) {
  const answer = await fetch(page, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  const text = new DOMParser().parseFromString(await answer.text(), "text/html");
  return text.querySelector(`[data-notification="${CSS.escape(id)}"]`);
}

function say(item, outcome, text) {
  const place = item.querySelector("[data-answer]");
  if (!place) return;
  place.dataset.outcome = outcome;
  place.textContent = text;
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-replay]");
  if (!form) return;
  event.preventDefault();
  let item = form.closest("[data-notification]");
  const id = item.dataset.notification;
  const before = attempts(item);
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    await ask("POST", form.dataset.replay, { remark: new FormData(form).get("remark") });
    say(item, "good", "It is being sent again.");
    for (let turn = 0; turn < 40; turn += 1) {
      await pause(250);
      const now = await drawn(id, item.dataset.page);
      if (!now || attempts(now) <= before) continue;
      item.replaceWith(now);
      item = now;
      const last = [...item.querySelectorAll("[data-attempt]")].at(-1);
      say(item, last.dataset.attempt === "settled" ? "good" : "bad", last.dataset.tells);
      item.querySelector("[data-title]")?.focus({ preventScroll: true });
      return;
    }
    say(item, "bad", "It is on its way and was not answered yet: read the page again in a while.");
  } catch (error) {
    say(item, "bad", error.message);
  } finally {
    button.disabled = false;
  }
});
