// What a page in a web view, and a page of an HTML5 mini program, is given: `my` and `AlipayJSBridge` (mini-programs.md#web-pages). The host
// puts it in before the page's own scripts. It protects nothing: who may call what is decided on the other side, by the page's origin.
(function (window, settings) {
  'use strict';

  if (window.AlipayJSBridge) return;
  const document = window.document;
  const calls = new Map();
  let lastCall = 0;
  const noop = () => {};

  // A web view's own channel, or the page around this one.
  const send = (frame) => {
    const text = JSON.stringify(frame);
    const channel = window.webkit?.messageHandlers?.[settings.handler] ?? window[settings.handler];
    if (channel && typeof channel.postMessage === 'function') {
      channel.postMessage(text);
    } else if (settings.hostOrigin && window.parent && window.parent !== window) {
      window.parent.postMessage(text, settings.hostOrigin);
    } else {
      throw new Error('there is no host');
    }
  };

  const run = (callback, ...values) => {
    if (typeof callback !== 'function') return;
    try {
      callback(...values);
    } catch (error) {
      // The page's own mistake is shown where its other mistakes are, and keeps no other callback from running.
      window.setTimeout(() => { throw error; }, 0);
    }
  };

  const finish = (call, ok, result) => {
    run(ok ? call.success : call.fail, result);
    // The same object as the one before (mini-programs.md#calls).
    run(call.complete, result);
    run(call.callback, result);
    (ok ? call.resolve : call.reject)(result);
  };

  // It gives a promise, whose rejection nobody has to listen to.
  const invoke = (name, given, callback) => {
    const isObject = typeof given === 'object' && given !== null;
    const from = isObject ? given : {};
    const call = { success: from.success, fail: from.fail, complete: from.complete, callback };
    const promise = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
    promise.catch(noop);
    const id = ++lastCall;
    calls.set(id, call);
    try {
      const plain = isObject && !Array.isArray(given);
      const args = plain ? { ...given, success: undefined, fail: undefined, complete: undefined } : given;
      send({ v: 1, kind: 'call', seq: id, name, args: args === undefined ? null : args });
    } catch (error) {
      calls.delete(id);
      Promise.resolve().then(() => finish(call, false, { error: 2, errorMessage: `${name}: ${error.message}` }));
    }
    return promise;
  };

  const my = {};
  for (const name of settings.interfaces) my[name] = (given) => invoke(name, given);

  my.call = (name, given, callback) => {
    if (typeof given === 'function') [given, callback] = [undefined, given];
    return invoke(String(name), given, callback);
  };
  my.canIUse = (name) => settings.interfaces.includes(String(name));
  my.SDKVersion = settings.version;
  my.getEnv = (callback) => {
    const answer = { miniprogram: true };
    run(typeof callback === 'function' ? callback : callback?.success, answer);
    return Promise.resolve(answer);
  };
  my.postMessage = (data) => invoke('postMessage', { data });
  // The page puts its own function here.
  my.onMessage = noop;

  const fire = (name, data) => {
    const event = new window.Event(name);
    event.data = data;
    document.dispatchEvent(event);
  };

  // What the host hands over: an answer, or something that happened.
  const receive = (text) => {
    const frame = JSON.parse(text);
    if (frame.v !== 1) return;
    if (frame.kind === 'reply') {
      const call = calls.get(frame.cb);
      if (!call) return;
      calls.delete(frame.cb);
      finish(call, frame.ok === true, frame.res);
    } else if (frame.kind === 'event') {
      if (frame.name === 'message') run(my.onMessage, frame.data);
      else fire(frame.name, frame.data);
    }
  };

  if (settings.hostOrigin) {
    window.addEventListener('message', (event) => {
      if (event.source === window.parent && event.origin === settings.hostOrigin && typeof event.data === 'string') receive(event.data);
    });
  }

  window.my = my;
  window.AlipayJSBridge = {
    call: (name, given, callback) => {
      if (typeof given === 'function') [given, callback] = [undefined, given];
      invoke(String(name), given, callback);
    },
    startupParams: settings.startupParams,
    receive,
  };

  // Pages listen for it, or find the global (mini-programs.md#alipayjsbridge). Their scripts have to have run first.
  const ready = () => fire('AlipayJSBridgeReady');
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', ready);
  else Promise.resolve().then(ready);
})
