// Small makers of elements. Text goes in as text.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** A drawing from the page's own templates, which `cart.mustache` holds. */
export function icon(name) {
  const drawing = document.querySelector(`template[data-icon="${CSS.escape(name)}"]`)?.content.firstElementChild;
  return drawing ? drawing.cloneNode(true) : null;
}
