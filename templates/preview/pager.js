// Long lists come in pages: what is on the screen stays small, however long
// the list is, and every page has an address.

import { fill, h, icon } from './dom.js';
import { number } from './text.js';

/** How many rows a page has. */
export const SIZE = 50;

/**
 * pageOf cuts out one page of a list. A page beyond the last is the last.
 * @template T
 * @param {T[]} list
 * @param {string | null} wanted
 */
export function pageOf(list, wanted) {
  const last = Math.max(1, Math.ceil(list.length / SIZE));
  const page = Math.min(last, Math.max(1, Number.parseInt(wanted ?? '1', 10) || 1));
  const start = (page - 1) * SIZE;
  return { page, last, start, total: list.length, rows: list.slice(start, start + SIZE) };
}

/**
 * pager shows where one is in a list, and the ways on.
 * @param {string} label
 * @param {(page: number) => string} link
 */
export function pager(label, link) {
  const element = h('nav', { class: 'pager', 'aria-label': label });
  let drawn = '';
  return {
    element,
    set({ page, last, start, total, rows }) {
      element.hidden = last === 1;
      const mark = `${page} ${last} ${total} ${rows.length} ${link(1)}`;
      if (mark === drawn) return;
      drawn = mark;
      const step = (to, name, ...content) =>
        to < 1 || to > last
          ? h('span', { class: 'button off', 'aria-hidden': 'true' }, ...content)
          : h('a', { class: 'button', href: link(to), rel: name }, ...content);
      fill(element,
        step(page - 1, 'prev', icon('previous'), 'Previous'),
        h('span', { class: 'pager-at' },
          `${number(start + 1)}–${number(start + rows.length)} of ${number(total)}`,
          h('span', { class: 'pager-page' }, `page ${number(page)} of ${number(last)}`)),
        step(page + 1, 'next', 'Next', icon('next')));
    },
  };
}
