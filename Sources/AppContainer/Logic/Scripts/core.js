// Each of these files is the body of a function of (native, kit): `native` reaches the container and is never handed to a program,
// `kit` is what these files share. A program may change the built-ins, and by it harms only itself: whatever matters is checked
// on the other side.
'use strict';

const { stringify, parse } = JSON;
const RealDate = Date;

// The JSON text of a value, its lone surrogates replaced: they are no text in any other language. A pair of backslashes is skipped
// as one, so that a written "\ud800" stays what it is.
kit.text = (value) => {
  const text = stringify(value);
  if (text === undefined) return 'null';
  return text.includes('\\ud') ? text.replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === '\\\\' ? found : '\\ufffd')) : text;
};

// A deep copy of what JSON can carry; undefined stays itself.
kit.copy = (value) => (value === undefined ? undefined : parse(stringify(value) ?? 'null'));

kit.isObject = (value) => typeof value === 'object' && value !== null;

// Tells the container of an error, with the places the engine gave it.
kit.report = (where, error) => {
  const isError = error instanceof Error;
  let message;
  try {
    message = isError ? `${error.name}: ${error.message}` : typeof error === 'string' ? error : kit.text(error);
  } catch {
    message = 'an error that cannot be described';
  }
  const place = isError ? { stack: error.stack, file: error.sourceURL, line: error.line, column: error.column } : {};
  native.emit('error', stringify({ where, message: String(message), ...place }));
  return String(message);
};

kit.warn = (text) => native.emit('warning', stringify({ text }));

// Runs a program's function; what it throws is reported, told to App.onError, and ends nothing else.
kit.guard = (where, self, run, ...values) => {
  if (typeof run !== 'function') return undefined;
  try {
    return run.apply(self, values);
  } catch (error) {
    kit.failed(where, error);
    return undefined;
  }
};

kit.failed = (where, error) => {
  const message = kit.report(where, error);
  const app = kit.app;
  if (app && typeof app.onError === 'function' && !kit.isTellingError) {
    kit.isTellingError = true;
    try {
      app.onError(message, error instanceof Error ? error.stack : undefined);
    } catch (second) {
      kit.report('App.onError', second);
    } finally {
      kit.isTellingError = false;
    }
  }
};

kit.unhandled = (promise, reason) => {
  kit.report('unhandled rejection', reason);
  const app = kit.app;
  if (app) kit.guard('App.onUnhandledRejection', app, app.onUnhandledRejection, { promise, reason });
};

// The clock and the dice are the container's, so that a run can be repeated.
const ClockDate = new Proxy(RealDate, {
  construct: (target, values, made) => Reflect.construct(target, values.length ? values : [native.now()], made === ClockDate ? target : made),
  apply: () => new RealDate(native.now()).toString(),
});
RealDate.now = () => native.now();
RealDate.prototype.constructor = ClockDate;
globalThis.Date = ClockDate;
Math.random = () => native.random();

// What a program logs.
const say = (level) => (...values) => {
  const text = values
    .map((value) => {
      if (typeof value === 'string') return value;
      if (value instanceof Error) return `${value.name}: ${value.message}`;
      try {
        return typeof value === 'function' ? `function ${value.name}` : kit.isObject(value) ? kit.text(value) : String(value);
      } catch {
        return Object.prototype.toString.call(value);
      }
    })
    .join(' ');
  native.emit('console', stringify({ level, text: text.slice(0, 4096) }));
};
globalThis.console = { log: say('log'), info: say('info'), warn: say('warn'), error: say('error'), debug: say('debug') };

// Compiling code at run time by the other door is closed too.
delete globalThis.WebAssembly;
delete globalThis.SharedArrayBuffer;

// Every message from the container names what it is; `settle` is called after each, with what the turn left to tell.
const handlers = new Map();
kit.on = (kind, handler) => handlers.set(kind, handler);
kit.deliver = (kind, body) => {
  const handler = handlers.get(kind);
  if (handler) handler(parse(body));
};
