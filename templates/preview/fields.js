// The controls that filters are made of. Each has a label, and tells of a
// change at once; set() follows the address without losing the cursor.

import { h } from './dom.js';

let made = 0;
const nextId = (name) => `${name}-${++made}`;

/** @typedef {{element: HTMLElement, set: (value: string) => void}} Field */

/**
 * textField is a search field.
 * @param {string} label
 * @param {string} hint what can be searched for
 * @param {(value: string) => void} changed
 * @returns {Field}
 */
export function textField(label, hint, changed) {
  const id = nextId('text');
  const input = h('input', {
    id, type: 'search', placeholder: hint, autocomplete: 'off', spellcheck: 'false', dir: 'auto',
    input: () => changed(input.value),
  });
  return {
    element: h('div', { class: 'field field-wide' }, h('label', { for: id }, label), input),
    set: (value) => {
      if (input.value !== value) input.value = value;
    },
  };
}

/**
 * choice is a list to choose one of; set takes its options too, as they change
 * with the site.
 * @param {string} label
 * @param {(value: string) => void} changed
 */
export function choice(label, changed) {
  const id = nextId('choice');
  const select = h('select', { id, change: () => changed(select.value) });
  const element = h('div', { class: 'field' }, h('label', { for: id }, label), select);
  let drawn = '';
  return {
    element,
    /** @param {string} value @param {[string, string][]} options value and text */
    set(value, options) {
      const mark = JSON.stringify(options);
      if (mark !== drawn) select.replaceChildren(...options.map(([v, text]) => h('option', { value: v }, text)));
      drawn = mark;
      select.value = options.some(([v]) => v === value) ? value : options[0][0];
    },
  };
}

/**
 * check is a box to tick; it stands for "1" and "".
 * @param {string} label
 * @param {(value: string) => void} changed
 * @returns {Field}
 */
export function check(label, changed) {
  const input = h('input', { type: 'checkbox', change: () => changed(input.checked ? '1' : '') });
  return {
    element: h('div', { class: 'field field-check' }, h('label', {}, input, ' ', label)),
    set: (value) => {
      input.checked = value === '1';
    },
  };
}

/** filters holds fields; it is a landmark for those who jump from one to the next. */
export const filters = (label, ...fields) =>
  h('form', { class: 'filters', role: 'search', 'aria-label': label, submit: (event) => event.preventDefault() },
    fields.map((field) => field.element));
