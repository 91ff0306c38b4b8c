// Puts the text of an element on the clipboard. Without a clipboard, as in a page that is not on loopback and has no TLS, it selects the text.
for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;

function select(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const element = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(element.textContent);
  } catch {
    select(element);
    return;
  }
  const word = button.textContent;
  button.textContent = button.closest("[data-copied]").dataset.copied;
  setTimeout(() => { button.textContent = word; }, 1500);
});
