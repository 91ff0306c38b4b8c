// The messages that the customer was sent, whichever way.

import { element } from "../phone/draw.js";

export function drawInbox(place, messages) {
  if (messages.length === 0) {
    place.replaceChildren(element("li", { class: "small quiet" }, "Nothing was sent yet."));
    return;
  }
  place.replaceChildren(...[...messages].reverse().map((message) => element(
    "li", { "data-message": message.id, "data-channel": message.channel },
    element("p", { class: "inbox-head" }, element("span", {}, element("strong", {}, message.channel), ` to ${message.to}`), element("time", { datetime: new Date(message.at).toISOString() }, clock(message.at))),
    element("p", {}, message.text),
  )));
}

function clock(milliseconds) {
  return new Date(milliseconds).toISOString().slice(11, 19);
}

/** The code in the newest message that has one and came since the phone was taken up. */
export function newestCode(messages, seen) {
  for (const message of [...messages].reverse()) {
    const code = message.text.match(/(?<!•\s?)\b\d{6,8}\b/)?.[0];
    if (code) return code;
    if (seen.has(message.id)) return null;
  }
  return null;
}
