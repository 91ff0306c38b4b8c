'use strict';

const settings = JSON.parse(native.settings());
const calls = new Map();
let lastCall = 0;
const noop = () => {};
const my = {};

// Most calls have one of their functions, or none.
const tell = (call, which, run, result) => {
  if (typeof run === 'function') kit.guard(`my.${call.name} ${which}`, undefined, run, result);
};

const finish = (call, ok, result) => {
  calls.delete(call.id);
  if (ok) tell(call, 'success', call.success, result);
  else tell(call, 'fail', call.fail, result);
  // The same object as the one before (mini-programs.md#calls [O]).
  tell(call, 'complete', call.complete, result);
  tell(call, 'callback', call.callback, result);
  (ok ? call.resolve : call.reject)(result);
};

// A call that the container answers. It gives a promise, whose rejection nobody has to listen to.
const invoke = (name, given, callback) => {
  const id = ++lastCall;
  const from = kit.isObject(given) ? given : {};
  const call = { id, name, success: from.success, fail: from.fail, complete: from.complete, callback, resolve: noop, reject: noop };
  const promise = new Promise((resolve, reject) => {
    call.resolve = resolve;
    call.reject = reject;
  });
  promise.catch(noop);
  calls.set(id, call);
  let text;
  try {
    text = kit.isObject(given) && !Array.isArray(given) ? kit.text({ ...given, success: undefined, fail: undefined, complete: undefined }) : kit.text(given);
  } catch (error) {
    // Answered later, like everything else.
    Promise.resolve().then(() => finish(call, false, { error: 2, errorMessage: `${name}: the arguments are no JSON: ${error.message}` }));
    return promise;
  }
  native.call(id, name, text);
  return promise;
};

kit.on('answer', ({ id, ok, result }) => {
  const call = calls.get(id);
  if (call) finish(call, ok, result);
});

const invokeSync = (name, given) => JSON.parse(native.callSync(name, kit.text(given)));

for (const name of settings.interfaces) {
  my[name] = name.endsWith('Sync') ? (given) => invokeSync(name, given) : (given) => invoke(name, given);
}

// A request that can be taken back.
for (const name of ['request', 'httpRequest', 'uploadFile', 'downloadFile']) {
  if (!my[name]) continue;
  my[name] = (given) => {
    const promise = invoke(name, given);
    const id = lastCall;
    promise.abort = () => {
      const call = calls.get(id);
      if (!call) return;
      native.emit('abort', JSON.stringify({ id }));
      finish(call, false, { error: 20, errorMessage: `${name} was stopped` });
    };
    return promise;
  };
}

my.call = (name, given, callback) => {
  if (typeof given === 'function') [given, callback] = [undefined, given];
  return invoke(String(name), given, callback);
};
my.SDKVersion = settings.version;
my.canIUse = (name) => native.canIUse(String(name)) === true;
my.getLaunchOptionsSync = () => kit.copy(kit.launchOptions) ?? {};
my.getAppIdSync = () => ({ appId: settings.appId });
my.getEnv = (callback) => {
  const answer = { miniprogram: false };
  kit.guard('my.getEnv callback', undefined, typeof callback === 'function' ? callback : callback?.success, answer);
  return Promise.resolve(answer);
};

// Events of the container: `my.on('titleClick', f)` gives a handle, `my.onX` and `my.offX` take the function itself.
const listeners = new Map();
const listen = (event, run) => {
  if (typeof run !== 'function') return { remove: noop };
  if (!listeners.has(event)) listeners.set(event, new Set());
  listeners.get(event).add(run);
  return { remove: () => listeners.get(event).delete(run) };
};
my.on = (event, run) => listen(String(event), run);
for (const event of settings.events) {
  const name = event[0].toUpperCase() + event.slice(1);
  my[`on${name}`] = (run) => void listen(event, run);
  my[`off${name}`] = (run) => (run ? listeners.get(event)?.delete(run) : listeners.delete(event), undefined);
}
kit.on('emit', ({ event, data }) => {
  for (const run of [...(listeners.get(event) ?? [])]) kit.guard(`my.on ${event}`, undefined, run, data);
});

// One round trip to the view for all that was selected, answered in the order of the calls.
my.createSelectorQuery = () => {
  const steps = [];
  const add = (step) => (steps.push(step), query);
  const query = {
    select: (selector) => add({ op: 'select', selector: String(selector) }),
    selectAll: (selector) => add({ op: 'selectAll', selector: String(selector) }),
    selectViewport: () => add({ op: 'selectViewport' }),
    boundingClientRect: () => add({ op: 'boundingClientRect' }),
    scrollOffset: () => add({ op: 'scrollOffset' }),
    exec: (callback) => {
      invoke('selectorQuery', { steps, success: (answer) => callback?.(answer.results ?? []), fail: () => callback?.([]) });
      return query;
    },
  };
  return query;
};
// What a web view's page gets as `my.onMessage`.
my.createWebViewContext = (id) => ({
  postMessage: (data) => invoke('postWebViewMessage', { id: String(id), data: data === undefined ? null : data }),
});

kit.base.createSelectorQuery = () => my.createSelectorQuery();

globalThis.my = my;
