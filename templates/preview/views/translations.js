// The versions of one topic, in all languages of the site.

import { cover } from '../coverage.js';
import { store } from '../store.js';

/**
 * @typedef {object} Version
 * @property {string} language
 * @property {import('../coverage.js').Status} status
 * @property {?import('../store.js').Entry} entry null where it is missing
 * @property {import('../store.js').Entry} lead the record that a translation would be made from
 */

/**
 * translations lists the versions of the topic of an entry.
 * @returns {Version[]}
 */
export function translations(entry) {
  const same = store.entries.filter(({ topic }) => topic === entry.topic);
  const [{ cells, lead }] = cover(same, store.languages, store.stubs).topics;
  return cells.map(({ status, entries }, i) => ({
    language: store.languages[i],
    status,
    // A topic may have more than one record in a language: that is the one shown.
    entry: entries.find(({ id }) => id === entry.id) ?? entries[0] ?? null,
    lead,
  }));
}

/**
 * newCommand is how an author begins the missing translation, or "" where the
 * sources do not tell.
 * @param {Version} version
 */
export function newCommand({ language, lead }) {
  const ending = /\.(html?|md|markdown)$/.exec(lead.file);
  if (!ending || !lead.topic) return '';
  const kind = lead.kind && lead.kind !== 'page' ? ` --kind ${lead.kind}` : '';
  return `sivu new ${quoted(`${language}/${lead.topic}${ending[1].startsWith('htm') ? '.html' : ''}`)}${kind}`;
}

/** quoted makes one word of a text for a shell. */
const quoted = (text) => (/^[\p{L}\p{N}._/-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
