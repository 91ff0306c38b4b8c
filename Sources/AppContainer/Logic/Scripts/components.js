'use strict';

const components = new Map();

const mixed = (options) => {
  // Mixins come first, their life-cycle methods run before the component's own.
  const list = [...(options.mixins ?? []), options];
  const cycle = (name) => list.map((part) => part[name]).filter((run) => typeof run === 'function');
  return {
    data: Object.assign({}, ...list.map((part) => (typeof part.data === 'function' ? part.data() : kit.copy(part.data) ?? {}))),
    props: Object.assign({}, ...list.map((part) => part.props ?? {})),
    methods: Object.assign({}, ...list.map((part) => part.methods ?? {})),
    observers: kit.observers(Object.assign({}, ...list.map((part) => part.observers ?? part.options?.observers ?? {}))),
    cycle,
  };
};

// A prop that begins with `on` and names a method of the page or parent is that method, called with plain arguments.
const propsOf = (component, defaults, given) => {
  const props = { ...defaults, ...given };
  for (const key of Object.keys(given)) {
    const value = given[key];
    if (!/^on[A-Z]/.test(key) || typeof value !== 'string') continue;
    const owner = component.$of.parent ?? component.$page;
    props[key] = (...values) => {
      if (typeof owner?.[value] === 'function') return owner[value](...values);
      kit.warn(`${component.is}: ${key} names ${value}, which ${owner?.route ?? owner?.is ?? 'nobody'} does not have`);
      return undefined;
    };
  }
  return props;
};

const run = (component, name, ...values) => {
  for (const part of component.$of.cycle(name)) kit.guard(`${component.is} ${name}`, component, part, ...values);
};

const derive = (component, next) => {
  if (component.$of.isDeriving) return;
  component.$of.isDeriving = true;
  run(component, 'deriveDataFromProps', next);
  component.$of.isDeriving = false;
};

kit.on('mount', ({ node, page, parent, path, props = {}, ref }) => {
  try {
    const options = kit.definition('component', `${path}.js`);
    const { data, props: defaults, methods, observers, cycle } = mixed(options);
    const component = Object.assign(Object.create(kit.base), methods, { data, is: path, $id: String(node), $page: kit.page(page) });
    const of = { page, node, observers, cycle, defaults, parent: parent ? components.get(parent) : undefined };
    Object.defineProperty(component, '$of', { value: of });
    components.set(node, component);
    component.props = propsOf(component, defaults, props);
    run(component, 'onInit');
    derive(component, component.props);
    kit.initialData(component, 'component');
    const owner = of.parent ?? component.$page;
    if (ref && typeof owner?.[ref] === 'function') {
      kit.guard(`${component.is} ref`, owner, owner[ref], cycle('ref').length ? cycle('ref').at(-1).call(component) : component);
    }
  } catch (error) {
    kit.failed(`component ${path}`, error);
  }
});

// The view tells the mounted ones when their whole subtree stands, children first.
kit.on('mounted', ({ nodes }) => {
  for (const node of nodes) {
    const component = components.get(node);
    if (!component || component.$of.isMounted) continue;
    component.$of.isMounted = true;
    if (component.$of.cycle('didUpdate').length) {
      component.$of.didUpdate = (before) => {
        if (component.$of.isUpdating) return;
        component.$of.isUpdating = true;
        run(component, 'didUpdate', component.props, before);
        component.$of.isUpdating = false;
      };
    }
    run(component, 'didMount');
  }
});

kit.on('props', ({ node, props }) => {
  const component = components.get(node);
  if (!component) return;
  const earlier = component.props;
  const data = { ...component.data };
  const next = propsOf(component, component.$of.defaults, props);
  // Props and the data made from them are one update.
  component.$of.isUpdating = true;
  derive(component, next);
  component.props = next;
  run(component, 'didUpdate', earlier, data);
  component.$of.isUpdating = false;
});

const unmount = (node) => {
  const component = components.get(node);
  if (!component) return;
  for (const [other, child] of [...components]) if (child.$of.parent === component) unmount(other);
  run(component, 'didUnmount');
  components.delete(node);
};
kit.on('unmount', ({ node }) => unmount(node));
kit.unmountAll = (page) => {
  for (const [node, component] of [...components]) if (component.$of.page === page) unmount(node);
};

kit.component = (node) => components.get(node);
