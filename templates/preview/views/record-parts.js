// What is listed of a record, as items for patch.

import { copyButton } from '../copy.js';
import { h, icon } from '../dom.js';
import { to } from '../router.js';
import { languageName, moment } from '../text.js';

/** languageItem is one language of the switch, there or not. */
export function languageItem({ language, status, entry, lead }, shown) {
  const href = entry ? to('record', entry.id) : to('record', lead.id, { with: language });
  const isShown = language === shown.language;
  return {
    key: language,
    mark: [status, href, isShown].join(' '),
    draw: () => h('li', {}, h('a', {
      class: `language language-${status}`, href, 'data-focus': language, 'aria-current': isShown ? 'page' : null,
    }, h('b', {}, language), ' ', h('span', { class: 'language-long' }, languageName(language)),
    status !== 'there' && h('span', { class: 'language-status' }, icon(status), status))),
  };
}

/** factItems are the things to know about a record that are not in meta. */
export function factItems(entry) {
  const time = (timestamp) => h('time', { datetime: timestamp, title: timestamp }, moment(timestamp));
  const source = entry.file && [h('code', { class: 'place', dir: 'auto' }, entry.file),
    copyButton('Copy the name of the source', () => entry.file, { small: true })];
  const facts = [
    ['Source', entry.file, () => source],
    ['Changed', entry.modified, () => time(entry.modified)],
    ['Created', entry.created, () => time(entry.created)],
    ['Topic', entry.topic || '(front page)', (topic) => h('bdi', {}, topic)],
    ['Kind', entry.kind, (kind) => kind],
    ['Id', entry.id, (id) => h('code', {}, id)],
  ];
  return facts.filter(([, value]) => value).map(([name, value, draw]) => ({
    key: name,
    mark: value,
    draw: () => h('div', {}, h('dt', {}, name), h('dd', {}, draw(value))),
  }));
}

/** metaItem is one key of meta; null is told from a text. */
export function metaItem(key, value, language) {
  return {
    key,
    mark: JSON.stringify([value, language]),
    draw: () => h('tr', {}, h('th', { scope: 'row' }, h('code', {}, key)), h('td', {}, metaValue(value, language))),
  };
}

function metaValue(value, language) {
  if (value === null) return h('code', { class: 'null' }, 'null');
  if (value === '') return h('span', { class: 'null' }, 'empty text');
  return h('span', { lang: language, dir: 'auto' }, String(value));
}

/** embedItem links to an embed; the contract allows only https there, and so does this. */
export function embedItem({ uri }) {
  const safe = /^https:\/\//i.test(uri);
  return {
    key: String(uri),
    mark: '',
    draw: () => h('li', {}, safe ? h('a', { href: uri, rel: 'noopener noreferrer', target: '_blank' }, uri) : h('code', {}, String(uri))),
  };
}
