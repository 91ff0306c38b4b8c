'use strict';

const { hasOwn, defineProperty } = Object;
const forbidden = '__proto__';

// `a.b[2]['c.d']` as its steps: texts and numbers. Throws on what is no path.
kit.path = (text) => {
  const steps = [];
  const step = /(?:^|\.)([^.[\]]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/y;
  while (step.lastIndex < text.length) {
    const found = step.exec(text);
    if (!found) throw new TypeError(`${JSON.stringify(text.slice(0, 64))} is no path`);
    const name = found[1] ?? found[3] ?? found[4];
    if (name === forbidden) throw new TypeError('a path may not lead to a prototype');
    steps.push(found[2] === undefined ? name : Number(found[2]));
  }
  if (!steps.length) throw new TypeError('an empty path');
  return steps;
};

const put = (target, key, value) => {
  // An own property whatever the name is: no setter of a prototype runs.
  if (hasOwn(target, key)) target[key] = value;
  else defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
};

const read = (data, steps) => steps.reduce((value, key) => (kit.isObject(value) && hasOwn(value, key) ? value[key] : undefined), data);

// Sets a value at a path, and makes the containers that are missing: lists before numbers, objects before names.
const write = (data, steps, value) => {
  let target = data;
  steps.forEach((key, index) => {
    if (index === steps.length - 1) return put(target, key, value);
    if (!hasOwn(target, key) || !kit.isObject(target[key])) put(target, key, typeof steps[index + 1] === 'number' ? [] : {});
    target = target[key];
  });
};

// What changed since the turn began, by page. The texts are made when `setData` is called: what a program changes afterwards in
// the same objects is not told.
const pending = new Map();
let lastBatch = 0;

const updateOf = (page) => {
  let update = pending.get(page);
  if (!update) {
    if (!pending.size) native.changed();
    pending.set(page, (update = { page, changes: [], callbacks: [] }));
  }
  return update;
};

const startsWith = (steps, prefix) => steps.length >= prefix.length && prefix.every((step, index) => steps[index] === step);

const record = (instance, change) => {
  const { changes } = updateOf(instance.$of.page);
  if (change.op === 'set') {
    // What lies at or under the same path is overtaken, as long as no splice came between.
    for (let index = changes.length - 1; index >= 0 && changes[index].op === 'set'; index -= 1) {
      if (changes[index].node === change.node && startsWith(changes[index].path, change.path)) changes.splice(index, 1);
    }
  }
  changes.push(change);
};

const afterChange = (instance, before, paths, callback) => {
  if (typeof callback === 'function') updateOf(instance.$of.page).callbacks.push([instance, callback]);
  kit.changed(instance, before, paths);
};

kit.setData = (instance, values, callback) => {
  if (!kit.isObject(values)) throw new TypeError('setData takes an object');
  const before = kit.before(instance);
  const paths = [];
  for (const key of Object.keys(values)) {
    // A name that is there as it stands is that name; everything else is a path.
    const steps = hasOwn(instance.data, key) ? [key] : kit.path(key);
    const value = values[key];
    let text;
    try {
      text = value === undefined ? undefined : kit.text(value);
    } catch (error) {
      throw new TypeError(`setData: ${key} cannot be sent to the view: ${error.message}`);
    }
    write(instance.data, steps, value);
    paths.push(steps);
    if (text !== undefined) record(instance, { node: instance.$of.node, op: 'set', path: steps, text });
  }
  afterChange(instance, before, paths, callback);
};

kit.spliceData = (instance, values, callback) => {
  if (!kit.isObject(values)) throw new TypeError('$spliceData takes an object');
  const before = kit.before(instance);
  const paths = [];
  for (const key of Object.keys(values)) {
    const steps = hasOwn(instance.data, key) ? [key] : kit.path(key);
    if (!Array.isArray(values[key])) throw new TypeError(`$spliceData: ${key} takes a list: start, number to remove, items`);
    const [start = 0, count = 0, ...items] = values[key];
    if (!Number.isInteger(start) || !Number.isInteger(count) || count < 0) throw new TypeError(`$spliceData: ${key}: start and count are integers`);
    const list = read(instance.data, steps);
    if (!Array.isArray(list)) throw new TypeError(`$spliceData: ${key} is no list`);
    const from = start < 0 ? Math.max(0, list.length + start) : Math.min(start, list.length);
    const text = kit.text(items);
    // A list of its own, so that comparisons with the earlier data see a change.
    write(instance.data, steps, [...list.slice(0, from), ...items, ...list.slice(from + count)]);
    paths.push(steps);
    record(instance, { node: instance.$of.node, op: 'splice', path: steps, text: `[${from},${count},${text}]` });
  }
  afterChange(instance, before, paths, callback);
};

// All changes of a turn go in one message a page anyway; what is left to do is to run the function.
kit.batchedUpdates = (instance, run) => (typeof run === 'function' ? run.call(instance) : undefined);

// The whole data of a page or component that the view does not know yet.
kit.initialData = (instance, kind) => {
  record(instance, { node: instance.$of.node, op: kind, path: [], text: kit.text(instance.data) });
};

const painting = new Map();

// One message for each page that changed in this turn; Swift calls it when the turn's microtasks are done, if `native.changed` was called.
kit.flush = () => {
  const messages = [];
  for (const update of pending.values()) {
    const batch = ++lastBatch;
    painting.set(batch, update.callbacks);
    const changes = update.changes.map(
      ({ node, op, path, text }) => `{"node":${node},"op":"${op}","path":${kit.text(path)},"value":${text}}`);
    messages.push(`{"page":${update.page},"batch":${batch},"changes":[${changes.join(',')}]}`);
  }
  pending.clear();
  return `[${messages.join(',')}]`;
};

kit.painted = (batch) => {
  const callbacks = painting.get(batch) ?? [];
  painting.delete(batch);
  for (const [instance, callback] of callbacks) kit.guard('setData callback', instance, callback);
};

kit.read = read;
kit.startsWith = startsWith;
