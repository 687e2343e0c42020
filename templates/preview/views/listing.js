// What all views with a filtered list have in common: filters in the address,
// the count of hits, and pages.

import { announce, h } from '../dom.js';
import { pager } from '../pager.js';
import { adjust, current, to } from '../router.js';
import { count, number } from '../text.js';

/**
 * listing is the common part of a view.
 * @param {string} view its name in the address
 * @param {string} noun what is listed, in the singular
 * @param {(route: import('../router.js').Route) => void} update draws the view anew
 */
export function listing(view, noun, update) {
  const hits = h('p', { class: 'hits' });
  const link = (page) => to(view, '', { ...Object.fromEntries(current().query), page: page > 1 ? String(page) : '' });
  return {
    hits,
    pages: pager(`Pages of ${noun}s`, link),
    /** set returns what a filter calls when it changes; a changed filter begins on the first page. */
    set: (name) => (value) => {
      adjust({ [name]: value, page: '' });
      update(current());
    },
    /** say tells how many of all pass the filters; screen readers hear it when it changes. */
    say(n, all) {
      const said = n === all ? count(n, noun) : `${number(n)} of ${count(all, noun)}`;
      if (hits.textContent === said) return;
      if (hits.textContent) announce(`${said} found`);
      hits.textContent = said;
    },
  };
}
