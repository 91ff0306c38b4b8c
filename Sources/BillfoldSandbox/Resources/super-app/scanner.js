// The scanner: frames of the camera, or a picture, are sent to the phone, which reads the code in them.

import { element } from "../phone/draw.js";

const interval = 500;
const widest = 1280;

export class Scanner {
  /**
   * @param sheet the scanner's sheet: which kind of code, whether a picture may be chosen, and a note
   * @param tools `tap` sends what the user does, `sendPicture` sends a picture
   */
  constructor(sheet, tools) {
    this.tools = tools;
    this.kind = Scanner.kind(sheet);
    this.asked = new AbortController();
    this.isBusy = false;
    this.isLeaving = false;
    this.video = element("video", { class: "super-camera", playsinline: true, autoplay: true, muted: true, "aria-label": "What the camera sees", hidden: true });
    this.video.muted = true;
    this.note = element("p", { class: "super-note", role: "status" });
    this.camera = element("p", { class: "small quiet", role: "status", "data-camera": "starting" }, "Starting the camera.");
    const leave = element("button", { type: "button", class: "wide-button", "data-key": "leaveScanner", "data-escape": true, "data-focus": true }, "Cancel");
    leave.addEventListener("click", () => {
      this.isLeaving = true;
      tools.tap("leaveScanner").finally(() => { this.isLeaving = false; });
    });
    this.node = element("div", { class: "super-scanner" }, this.video, this.camera, this.note, sheet.albumAllowed === false ? null : this.chooser(), leave);
    this.tell(sheet.note);
    this.albumAllowed = sheet.albumAllowed !== false;
    this.start();
  }

  static kind(sheet) {
    return `${sheet.type} ${sheet.albumAllowed !== false}`;
  }

  /** Whether a sheet is this one with another note: the camera goes on. */
  fits(sheet) {
    return !this.asked.signal.aborted && Scanner.kind(sheet) === this.kind;
  }

  tell(note = "") {
    if (this.note.textContent !== note) this.note.textContent = note;
  }

  chooser() {
    const input = element("input", { type: "file", accept: "image/*", "data-key": "picture" });
    input.addEventListener("change", async () => {
      const [file] = input.files;
      if (!file) return;
      this.tell("Looking for a code in the picture.");
      await this.send(file, "album");
      input.value = "";
    });
    return element("label", { class: "field" }, element("span", {}, "Choose a picture"), input);
  }

  async start() {
    try {
      if (!navigator.mediaDevices) throw new Error("no camera");
      const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      if (this.asked.signal.aborted) {
        for (const track of stream.getTracks()) track.stop();
        return;
      }
      this.stream = stream;
      this.video.srcObject = stream;
      this.video.hidden = false;
      await this.video.play();
      this.camera.dataset.camera = "on";
      this.camera.textContent = "Hold the code in front of the camera.";
      this.timer = setInterval(() => this.look(), interval);
    } catch {
      if (this.asked.signal.aborted) return;
      this.letGo();
      this.camera.dataset.camera = "refused";
      this.camera.textContent = this.albumAllowed ? "The camera cannot be used here. Choose a picture instead." : "The camera cannot be used here, and this program takes no pictures.";
    }
  }

  /** One frame, where the one before has been answered. */
  async look() {
    const { videoWidth, videoHeight } = this.video;
    if (this.isBusy || this.isLeaving || !videoWidth || document.hidden) return;
    this.isBusy = true;
    try {
      const scale = Math.min(1, widest / videoWidth);
      const canvas = element("canvas", { width: Math.round(videoWidth * scale), height: Math.round(videoHeight * scale) });
      canvas.getContext("2d").drawImage(this.video, 0, 0, canvas.width, canvas.height);
      const picture = await new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg", 0.85); });
      if (picture && !this.isLeaving && !this.asked.signal.aborted) await this.give(picture, "camera");
    } finally {
      this.isBusy = false;
    }
  }

  /** A chosen picture waits for the frame that is on its way: the phone looks at one at a time. */
  async send(picture, from) {
    while (this.isBusy) await new Promise((resolve) => { setTimeout(resolve, 20); });
    if (this.asked.signal.aborted) return;
    this.isBusy = true;
    try {
      await this.give(picture, from);
    } finally {
      this.isBusy = false;
    }
  }

  async give(picture, from) {
    try {
      // Refused where the scanner has gone: the sheet goes with the next screen.
      if (!(await this.tools.sendPicture(picture, from, this.asked.signal))) this.letGo();
    } catch (problem) {
      if (!this.asked.signal.aborted) this.tell(problem.message);
    }
  }

  letGo() {
    clearInterval(this.timer);
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = null;
    this.video.srcObject = null;
    this.video.hidden = true;
  }

  stop() {
    this.asked.abort();
    this.letGo();
  }
}
