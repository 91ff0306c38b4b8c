// Sends a notification or a refund again and shows what came of it: the page is read anew until it says so.
import { ask } from "./session.js";

const attempts = (item) => item?.querySelectorAll("[data-attempt]").length ?? 0;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** An item as a page draws it now; null where the page has it no more. */
async function drawn(selector, page) {
  const answer = await fetch(page, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  return new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(selector);
}

function say(item, outcome, text) {
  const place = item.querySelector("[data-answer]");
  if (!place) return;
  place.dataset.outcome = outcome;
  place.textContent = text;
}

/** Puts an item where it stood before, and the reader's place to its title. */
function replace(item, now, outcome, text) {
  item.replaceWith(now);
  say(now, outcome, text);
  now.querySelector("[data-title]")?.focus({ preventScroll: true });
}

/** One that was given up leaves the list of those when it is sent again, so its trade's page is read. */
async function replayed(item) {
  const before = attempts(item);
  for (let turn = 0; turn < 40; turn += 1) {
    await pause(250);
    const now = await drawn(`[data-notification="${CSS.escape(item.dataset.notification)}"]`, item.dataset.page);
    if (!now || attempts(now) <= before) continue;
    const last = [...now.querySelectorAll("[data-attempt]")].at(-1);
    replace(item, now, last.dataset.attempt === "settled" ? "good" : "bad", last.dataset.tells);
    return;
  }
  say(item, "bad", "It is on its way and was not answered yet: read the page again in a while.");
}

/** A refund that was credited is owed no more. An attempt is counted when it begins, so its end is given a while. */
async function resent(item) {
  const before = Number(item.dataset.attempts);
  for (let turn = 0, since = 0; turn < 40; turn += 1) {
    await pause(250);
    const now = await drawn(`[data-owed="${CSS.escape(item.dataset.owed)}"]`, location.href);
    if (!now) {
      item.querySelector("[data-resend]").querySelector("label").remove();
      item.querySelector("button").remove();
      say(item, "good", "The wallet has credited it.");
      item.querySelector("[data-title]").focus({ preventScroll: true });
      return;
    }
    if (Number(now.dataset.attempts) > before) since += 1;
    if (since < 8) continue;
    const note = now.querySelector("[data-note]")?.textContent ?? "no answer";
    replace(item, now, "bad", `The wallet was told again and has not credited it: ${note}.`);
    return;
  }
  say(item, "bad", "It is on its way and was not answered yet: read the page again in a while.");
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-replay], [data-resend]");
  if (!form) return;
  event.preventDefault();
  const item = form.closest("li");
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    await ask("POST", form.dataset.replay ?? form.dataset.resend, { remark: new FormData(form).get("remark") });
    say(item, "good", "It is being sent again.");
    await (form.dataset.replay ? replayed(item) : resent(item));
  } catch (error) {
    say(item, "bad", error.message);
  } finally {
    button.disabled = false;
  }
});
