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

const shapes = {
  tick: ["M14 33l12 12 24-26"],
  cross: ["M18 18l28 28M46 18L18 46"],
  wait: ["M32 14v18l12 8", "M32 6a26 26 0 1 1 0 52a26 26 0 1 1 0-52"],
  turning: ["M32 8a24 24 0 1 1-24 24"],
};

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("viewBox", "0 0 64 64");
  drawing.setAttribute("aria-hidden", "true");
  if (name === "turning") drawing.setAttribute("class", "turning");
  for (const shape of shapes[name] ?? []) {
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", shape);
    drawing.append(path);
  }
  return drawing;
}
