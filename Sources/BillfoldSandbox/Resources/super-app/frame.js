// The frame that an HTML5 mini program runs in. What it says is taken from that frame alone and goes to the phone with the origin that the
// browser tells; what the phone answers goes to that origin alone.

import { element } from "../phone/draw.js";

export class WebFrame {
  /**
   * @param place the element that the frame is put into
   * @param seen is told up to which number deliveries were posted
   * @param send takes a message of the page: its text, its origin, and whether a tap has just been made
   */
  constructor(place, send, seen) {
    this.place = place;
    this.seen = seen;
    this.frame = null;
    this.address = null;
    // One after the other, in the page's own order.
    let last = Promise.resolve();
    addEventListener("message", (event) => {
      if (!this.frame || event.source !== this.frame.contentWindow || typeof event.data !== "string") return;
      const message = { text: event.data, origin: event.origin, hasTap: navigator.userActivation?.isActive === true };
      last = last.then(() => send(message));
    });
  }

  set inert(isInert) {
    this.place.inert = isInert;
  }

  /** Shows a program's page, or none. The frame is made once for a program and kept: drawing it anew would load it again. */
  show(program, deliveries) {
    const address = program?.webPage && URL.canParse(program.webPage) ? new URL(program.webPage) : null;
    // A page of the phone's own origin could reach into the phone.
    const isApart = address && ["http:", "https:"].includes(address.protocol) && address.origin !== location.origin;
    const known = isApart ? JSON.stringify([program.appId, program.version, address.href]) : null;
    if (known !== this.address) {
      this.address = known;
      this.frame = known && element("iframe", { src: address.href, title: program.name, class: "super-page", sandbox: "allow-scripts allow-forms allow-same-origin" });
      // A page that begins now awaits none of the answers that are there already.
      this.posted = Math.max(0, ...deliveries.map(({ number }) => number));
      this.waiting = [];
      this.isLoaded = false;
      this.frame?.addEventListener("load", () => {
        this.isLoaded = true;
        this.deliver();
      });
      this.place.replaceChildren(...(this.frame ? [this.frame] : []));
      this.place.hidden = !this.frame;
    }
    if (!this.frame) return;
    this.frame.title = program.name;
    for (const delivery of deliveries) {
      if (delivery.number <= this.posted) continue;
      this.posted = delivery.number;
      this.waiting.push(delivery);
    }
    this.deliver();
  }

  /** Each text goes once, and only to a page of the origin that it is meant for. */
  deliver() {
    if (!this.isLoaded) return;
    const posted = this.waiting.splice(0);
    for (const { text, origin } of posted) this.frame.contentWindow?.postMessage(text, origin);
    if (posted.length) this.seen(posted.at(-1).number);
  }
}
