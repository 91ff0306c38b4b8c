'use strict';

const modules = new Map();

// Loads a module once. One that throws is forgotten, so that the next to ask sees the error and not a half-made module.
const load = (path) => {
  const known = modules.get(path);
  if (known) return known.exports;
  const module = { exports: {}, id: path };
  modules.set(path, module);
  try {
    const body = native.module(path);
    if (typeof body === 'string') {
      module.exports = JSON.parse(body);
    } else {
      body.call(module.exports, (name) => load(native.resolve(path, String(name))), module, module.exports);
    }
  } catch (error) {
    modules.delete(path);
    throw error;
  }
  return module.exports;
};

kit.load = load;

const timers = new Map();
let lastTimer = 0;
const timerLimit = 4096;

const schedule = (repeats) => (run, delay, ...values) => {
  if (typeof run !== 'function') throw new TypeError('a timer takes a function: text is not run as code here');
  if (timers.size >= timerLimit) throw new RangeError(`more than ${timerLimit} timers at once`);
  const id = ++lastTimer;
  // Below four milliseconds a repeating timer would be a loop.
  const wait = Math.max(repeats ? 4 : 0, Math.min(Number(delay) || 0, 2147483647));
  timers.set(id, { run, values, wait, repeats });
  native.emit('timer', JSON.stringify({ id, delay: wait }));
  return id;
};

const cancel = (id) => {
  if (timers.delete(id)) native.emit('clearTimer', JSON.stringify({ id }));
};

globalThis.setTimeout = schedule(false);
globalThis.setInterval = schedule(true);
globalThis.clearTimeout = cancel;
globalThis.clearInterval = cancel;
globalThis.queueMicrotask = (run) => {
  if (typeof run !== 'function') throw new TypeError('queueMicrotask takes a function');
  Promise.resolve().then(() => kit.guard('queueMicrotask', undefined, run));
};

kit.on('timer', ({ id }) => {
  const timer = timers.get(id);
  if (!timer) return;
  if (timer.repeats) native.emit('timer', JSON.stringify({ id, delay: timer.wait }));
  else timers.delete(id);
  kit.guard(timer.repeats ? 'setInterval' : 'setTimeout', undefined, timer.run, ...timer.values);
});
