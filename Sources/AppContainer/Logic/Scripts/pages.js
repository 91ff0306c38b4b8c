'use strict';

const pages = new Map();
const definitions = new Map();
let stack = [];
let registering;

// Methods and members that every page and component has.
const base = {
  setData(values, callback) {
    kit.setData(this, values, callback);
  },
  $spliceData(values, callback) {
    kit.spliceData(this, values, callback);
  },
  $batchedUpdates(run) {
    return kit.batchedUpdates(this, run);
  },
};
kit.base = base;

globalThis.App = (options) => {
  if (kit.app) return kit.warn('App() was called more than once: the first call stands');
  kit.app = kit.isObject(options) ? options : {};
};
globalThis.getApp = () => kit.app;
globalThis.getCurrentPages = () => stack.map((id) => pages.get(id)).filter(Boolean);
globalThis.Page = (options) => {
  if (registering?.kind !== 'page') return kit.warn('Page() was called outside of a page module');
  registering.options = kit.isObject(options) ? options : {};
};
globalThis.Component = (options) => {
  if (!registering) return kit.warn('Component() was called outside of a component module');
  registering.options = kit.isObject(options) ? options : {};
};

// Loads the module that registers a page or component and gives what it registered.
kit.definition = (kind, path) => {
  const known = definitions.get(path);
  if (known) return known;
  const outer = registering;
  registering = { kind };
  try {
    kit.load(path);
    if (!registering.options) {
      kit.warn(`${path} registers no ${kind}`);
      registering.options = {};
    }
    definitions.set(path, registering.options);
    return registering.options;
  } finally {
    registering = outer;
  }
};

// Observers see the values under their paths after a change that touched them.
kit.before = (instance) => (instance.$of.didUpdate ? { ...instance.data } : undefined);
kit.changed = (instance, before, paths) => {
  const { observers, didUpdate } = instance.$of;
  for (const { names, steps, run } of observers) {
    const touched = paths.some((path) => steps.some((step) => kit.startsWith(path, step) || kit.startsWith(step, path)));
    if (touched) kit.guard(`observer of ${names}`, instance, run, ...steps.map((step) => kit.read(instance.data, step)));
  }
  if (didUpdate) didUpdate(before);
};
kit.observers = (options) =>
  Object.entries(options ?? {}).map(([names, run]) => ({ names, run, steps: names.split(',').map((name) => kit.path(name.trim())) }));

const lifeCycle = (page, name, ...values) => kit.guard(`Page ${page.route} ${name}`, page, page[name], ...values);

const open = ({ id, route, query }) => {
  const options = kit.definition('page', `/${route}.js`);
  const page = Object.create(base);
  // Members are the definition's own, and so is data unless it is a function; the manual copies it (mini-programs.md#pages [D]).
  for (const key of Object.keys(options)) if (key !== 'data') page[key] = options[key];
  page.data = typeof options.data === 'function' ? options.data.call(page) : options.data;
  if (!kit.isObject(page.data)) page.data = {};
  page.route = route;
  Object.defineProperty(page, '$of', { value: { page: id, node: 0, observers: kit.observers(options.options?.observers ?? options.observers) } });
  pages.set(id, page);
  kit.initialData(page, 'page');
  lifeCycle(page, 'onLoad', query);
};

const changes = {
  load: open,
  show: ({ id }) => pages.has(id) && lifeCycle(pages.get(id), 'onShow'),
  hide: ({ id }) => pages.has(id) && lifeCycle(pages.get(id), 'onHide'),
  unload({ id }) {
    const page = pages.get(id);
    if (!page) return;
    kit.unmountAll(id);
    lifeCycle(page, 'onUnload');
    pages.delete(id);
  },
};

kit.on('pages', (message) => {
  // The stack as it will be is told first: onLoad sees its own page in getCurrentPages.
  stack = message.stack;
  for (const change of message.changes) {
    try {
      changes[change.kind](change);
    } catch (error) {
      kit.failed(`page ${change.route ?? change.id}`, error);
    }
  }
});

kit.on('launch', ({ hasApp, options }) => {
  kit.launchOptions = options;
  if (hasApp) {
    try {
      kit.load('/app.js');
    } catch (error) {
      kit.failed('app.js', error);
    }
  }
  kit.app ??= {};
  kit.guard('App.onLaunch', kit.app, kit.app.onLaunch, options);
  kit.guard('App.onShow', kit.app, kit.app.onShow, options);
});

kit.on('show', ({ options, page }) => {
  kit.guard('App.onShow', kit.app, kit.app?.onShow, options);
  if (pages.has(page)) lifeCycle(pages.get(page), 'onShow');
});

kit.on('hide', ({ page }) => {
  kit.guard('App.onHide', kit.app, kit.app?.onHide);
  if (pages.has(page)) lifeCycle(pages.get(page), 'onHide');
});

kit.on('painted', ({ page, batch, first }) => {
  kit.painted(batch);
  if (first && pages.has(page)) lifeCycle(pages.get(page), 'onReady');
});

const cycle = ['onLoad', 'onShow', 'onReady', 'onHide', 'onUnload'];

// What an event may call on a page or a component, by name.
const methods = (instance) =>
  [...Object.keys(instance), ...Object.keys(instance.events ?? {})]
    .filter((name) => typeof (instance[name] ?? instance.events[name]) === 'function' && !cycle.includes(name))
    .sort();

// A step of a run was written for a method: that there is none is an error of the step, and what there is helps.
const missing = (where, handler, names) => {
  const others = names.length ? `there are ${names.slice(0, 40).join(', ')}` : 'there is none';
  native.emit('error', kit.text({ code: 'unknown-handler', where, message: `a step names ${handler}, which is no method of ${where}: ${others}` }));
};

// An event of the view, or of the bars around the page. Handlers are looked up on the live instance: some are set in onLoad.
kit.on('event', ({ page, node, handler, values, isStep }) => {
  const instance = node ? kit.component(node) : pages.get(page);
  if (!instance) return isStep ? missing(node ? `component ${node}` : 'the page', handler, []) : undefined;
  const owner = node ? instance : instance.events && handler in instance.events ? instance.events : instance;
  const run = owner[handler];
  if (typeof run !== 'function') {
    const where = instance.route ?? instance.is;
    return isStep ? missing(where, handler, methods(instance)) : kit.warn(`${where} has no method ${handler}`);
  }
  try {
    const answer = run.apply(instance, values);
    if (handler === 'onShareAppMessage') native.emit('share', kit.text({ page, answer }));
  } catch (error) {
    kit.failed(`${instance.route ?? instance.is} ${handler}`, error);
  }
});

kit.page = (id) => pages.get(id);
