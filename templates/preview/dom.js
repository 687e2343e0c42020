// Building elements. Text becomes text nodes and nothing else: no string of a
// page is ever read as HTML here.

/**
 * h makes an element. Attributes that are null, undefined or false are left
 * out, true stands for the empty value, and a function is a listener for the
 * event of that name.
 * @param {string} name
 * @param {Object<string, any>} [attributes]
 * @param {...any} children nodes, texts, arrays of them; null and false are left out
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  add(element, children);
  return element;
}

/** @param {Element} element @param {any[]} children */
function add(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(element, child);
    else element.append(child);
  }
}

/** fill puts children in the place of those that an element has. */
export function fill(element, ...children) {
  const fragment = document.createDocumentFragment();
  add(fragment, children);
  element.replaceChildren(fragment);
}

const SVG = 'http://www.w3.org/2000/svg';

/** Paths on a 16 by 16 field. The shapes differ, so that none needs its colour. */
const shapes = {
  there: ['M3.5 8.5l3 3 6-7'],
  missing: ['M4 4l8 8M12 4l-8 8'],
  stub: ['M3 13l1-3.5L11 2.5l2.5 2.5L6.5 12z'],
  untranslated: ['M3.5 6h9M3.5 10h9'],
  older: ['M8 2.2a5.8 5.8 0 1 0 .01 0', 'M8 5v3.3l2.2 1.5'],
  error: ['M5.2 1.8h5.6l3.4 3.4v5.6l-3.4 3.4H5.2l-3.4-3.4V5.2z', 'M8 4.8v4', 'M8 11.1v.2'],
  broken: ['M5.2 1.8h5.6l3.4 3.4v5.6l-3.4 3.4H5.2l-3.4-3.4V5.2z', 'M8 4.8v4', 'M8 11.1v.2'],
  warning: ['M8 2.2l6.2 11.3H1.8z', 'M8 6.6v3.2', 'M8 11.7v.1'],
  copy: ['M5.5 5.5h8v8h-8z', 'M3.5 10.5h-1v-8h8v1'],
  next: ['M6 3.5L10.5 8 6 12.5'],
  previous: ['M10 3.5L5.5 8 10 12.5'],
};

/**
 * icon draws one of the shapes; it is hidden from screen readers, for whom the
 * text beside it stands.
 * @param {keyof typeof shapes} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('focusable', 'false');
  for (const d of shapes[name]) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}

/** heading makes the one h1 of a view, which takes the focus on the way there. */
export const heading = (...children) => h('h1', { tabindex: '-1' }, ...children);

/**
 * patch brings the children of an element in line with a list and touches only
 * those that changed, so that focus, selection and scroll positions stay. Each
 * item has a key, a mark that differs when it must be drawn anew, and draw().
 * @param {Element} element
 * @param {{key: string, mark: string, draw: () => HTMLElement}[]} items
 */
export function patch(element, items) {
  const old = new Map();
  for (const child of element.children) old.set(child.dataset.key, child);
  const focus = focusWithin(element);
  let place = element.firstElementChild;
  for (const item of items) {
    let child = old.get(item.key);
    if (!child || child.dataset.mark !== item.mark) {
      const drawn = item.draw();
      drawn.dataset.key = item.key;
      drawn.dataset.mark = item.mark;
      if (child) {
        if (child === place) place = drawn;
        child.replaceWith(drawn);
      }
      child = drawn;
    }
    old.delete(item.key);
    if (child === place) place = place.nextElementSibling;
    else element.insertBefore(child, place);
  }
  for (const left of old.values()) if (left.parentNode === element) left.remove();
  focus();
}

/** focusWithin remembers what has the focus below an element, and gives it back. */
export function focusWithin(element) {
  const active = document.activeElement;
  if (!active || !element.contains(active)) return () => {};
  const mark = active.dataset.focus;
  return () => {
    if (document.activeElement === active || !mark) return;
    const again = element.querySelector(`[data-focus="${CSS.escape(mark)}"]`);
    if (again) again.focus({ preventScroll: true });
  };
}

let saying = 0;

/** announce tells screen readers something once nothing newer has come for a moment. */
export function announce(text) {
  clearTimeout(saying);
  const region = document.getElementById('announce');
  region.textContent = ''; // the same words again are news too
  saying = setTimeout(() => {
    region.textContent = text;
  }, 350);
}
