// Keeps what is pressed before the page's own scripts run, and does it then, once however often it was pressed. No press is lost, and a
// form that a script answers does not leave the page. It is no module, so that it stands before the first button is drawn.
{
  const kept = new Map();
  const keep = (event) => {
    const control = event.type === "submit" ? event.target : event.target.closest?.("button[type='button']");
    if (!control || control.hasAttribute("action")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const presser = event.submitter;
    kept.set(control, () => (event.type === "submit" ? control.requestSubmit(presser) : control.click()));
  };
  addEventListener("submit", keep, true);
  addEventListener("click", keep, true);
  // Modules have run by now.
  addEventListener("DOMContentLoaded", () => {
    removeEventListener("submit", keep, true);
    removeEventListener("click", keep, true);
    for (const press of kept.values()) press();
  });
}
