// The way from an address of the site, such as /fi/asuminen, to its record.

import { heading, fill, h } from '../dom.js';
import { to } from '../router.js';
import { store } from '../store.js';

/** @param {HTMLElement} main @param {string} part meta.url, with or without a fragment of its own */
export function atView(main, part) {
  const path = part.replace(/^\/+|#.*$/g, '').normalize('NFC');
  return {
    update() {
      const entry = store.entries.find((one) => one.path.normalize('NFC') === path);
      if (entry) {
        location.replace(to('record', entry.id));
        return entry.title;
      }
      fill(main, heading('No such page'),
        h('p', {}, 'No record has the address ', h('code', { dir: 'auto' }, path), '.'),
        h('p', {}, h('a', { href: to('records', '', { text: path }) }, 'Search the records')));
      return 'No such page';
    },
  };
}
