// All records, newest first, with filters by language, kind and text.

import { fill, h, heading, icon, patch } from '../dom.js';
import { choice, filters, textField } from '../fields.js';
import { pageOf } from '../pager.js';
import { to } from '../router.js';
import { store } from '../store.js';
import { day, languageLabel, languageName, matcher } from '../text.js';
import { listing } from './listing.js';

const orders = {
  created: { label: 'Newest first', compare: null },
  modified: {
    label: 'Last changed first',
    compare: (a, b) => (b.modified > a.modified) - (b.modified < a.modified),
  },
};

/** @returns {import('../app.js').View} */
export function recordsView(main) {
  const { hits, pages, set, say } = listing('records', 'record', (route) => update(route));
  const text = textField('Search', 'Title, description, address or id', set('text'));
  const language = choice('Language', set('language'));
  const kind = choice('Kind', set('kind'));
  const order = choice('Order', set('order'));
  const list = h('ol', { class: 'records' });
  const empty = h('p', { class: 'empty' });
  fill(main, heading('Records'), h('p', { class: 'lead' }, 'One record is one topic in one language.'),
    filters('Filter records', text, language, kind, order), hits, list, empty, pages.element);

  function update({ query }) {
    const get = (name) => query.get(name) ?? '';
    text.set(get('text'));
    language.set(get('language'), [['', 'All languages'], ...store.languages.map((code) => [code, languageLabel(code)])]);
    kind.element.hidden = !store.hasSources;
    kind.set(get('kind'), [['', 'All kinds'], ...kinds().map((name) => [name, name])]);
    order.set(get('order'), Object.entries(orders).map(([name, { label }]) => [name, label]));
    const found = select(get);
    const page = pageOf(found, query.get('page'));
    say(found.length, store.entries.length);
    patch(list, page.rows.map((entry) => ({ key: entry.id, mark: markOf(entry), draw: () => row(entry) })));
    list.start = page.start + 1;
    list.hidden = found.length === 0;
    empty.hidden = found.length > 0;
    empty.textContent = store.entries.length === 0 ? 'There are no records yet.' : 'No record passes these filters.';
    pages.set(page);
    return 'Records';
  }

  return { update };
}

const kinds = () => [...new Set(store.entries.map(({ kind }) => kind))].filter(Boolean).sort();

/** select returns the entries that pass the filters, in the order asked for. */
function select(get) {
  const matches = matcher(get('text'));
  const language = get('language');
  const kind = store.hasSources ? get('kind') : '';
  const found = store.entries.filter((entry) =>
    (!language || entry.language === language) && (!kind || entry.kind === kind) && matches(entry.folded));
  const { compare } = orders[get('order')] ?? orders.created;
  return compare ? found.sort(compare) : found;
}

const markOf = (entry) => [entry.language, entry.title, entry.path, entry.description, entry.kind, entry.created, entry.modified, entry.broken].join('\n');

function row(entry) {
  const { id, language, title, path, description, kind, created, modified, broken } = entry;
  return h('li', { class: 'record-row' },
    h('a', { class: 'record-link', href: to('record', id), 'data-focus': id },
      h('span', { class: 'record-title', lang: language, dir: 'auto' }, title || '(no title)')),
    description && h('p', { class: 'record-description', lang: language, dir: 'auto' }, description),
    h('p', { class: 'record-facts' },
      h('span', { class: 'chip' }, h('b', {}, language), ` ${languageName(language)}`),
      broken && h('span', { class: 'status status-broken' }, icon('broken'), 'broken'),
      kind && h('span', {}, kind),
      path && h('bdi', { class: 'path' }, path),
      created && h('span', {}, 'created ', h('time', { datetime: created }, day(created))),
      modified !== created && h('span', {}, 'changed ', h('time', { datetime: modified }, day(modified)))));
}
