// Everything works without this file. It looks again while a payment is under way, goes back to the shop after six seconds, and keeps an
// impatient finger from sending a form twice.

const wait = document.querySelector("[data-refreshes]");
if (wait) setTimeout(() => location.reload(), 1000);

const back = document.querySelector("[data-returns]");
const countdown = document.querySelector("[data-countdown]");
if (back) {
  let left = 6;
  const tick = () => {
    if (left === 0) return location.assign(back.href);
    countdown.textContent = `Back to the shop in ${left} ${left === 1 ? "second" : "seconds"}.`;
    left -= 1;
    setTimeout(tick, 1000);
  };
  tick();
}

for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
    setTimeout(() => delete form.dataset.sent, 8000);
  });
}
