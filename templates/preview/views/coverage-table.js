// The rows of the coverage table, as items for patch.

import { h, icon } from '../dom.js';
import { to } from '../router.js';
import { store } from '../store.js';
import { day, languageName, number, share } from '../text.js';

/** headRow names the languages, each with how much of the site it has. */
export function headRow(totals, columns) {
  const shown = columns.map((i) => totals[i]);
  return {
    key: 'head',
    mark: JSON.stringify([columns, shown]),
    draw: () => h('tr', {},
      h('th', { scope: 'col', class: 'topic-head' }, 'Topic'),
      shown.map((total, i) => headCell(total, columns[i] === 0))),
  };
}

function headCell({ language, there, missing, older }, isReference) {
  const all = there + missing;
  const percent = share(there, all);
  const bar = h('span', { class: 'bar-of', 'aria-hidden': 'true' });
  bar.style.setProperty('--share', `${percent}%`);
  return h('th', { scope: 'col', class: missing > 0 ? 'has-gaps' : '' },
    h('span', { class: 'language-code' }, language),
    h('span', { class: 'language-name' }, languageName(language)),
    bar,
    h('span', { class: 'percent' }, `${percent} %`),
    h('span', { class: 'total' }, `${number(there)} of\u00a0${number(all)}`),
    h('span', { class: 'quiet' }, older > 0 ? `, ${number(older)} older` : '', isReference ? ', reference language' : ''));
}

/** topicRow shows where one topic is there, and links to what is. */
export function topicRow(topic, columns) {
  const cells = columns.map((i) => topic.cells[i]);
  return {
    key: topic.name,
    mark: JSON.stringify([columns, topic.lead.title, topic.lead.id,
      cells.map(({ status, entries }) => [status, entries.map(({ id, modified }) => [id, modified])])]),
    draw: () => h('tr', {},
      h('th', { scope: 'row' },
        h('bdi', { class: 'topic-name' }, topic.name || '(front page)'),
        h('span', { class: 'topic-title', lang: topic.lead.language, dir: 'auto' }, topic.lead.title)),
      columns.map((i) => cell(topic, i))),
  };
}

function cell(topic, i) {
  const { status, entries } = topic.cells[i];
  const language = store.languages[i];
  const [entry, ...others] = entries;
  const href = entry ? to('record', entry.id) : to('record', topic.lead.id, { with: language });
  return h('td', {},
    h('a', {
      class: `status status-${status}`, href, title: tip(topic, i), 'data-focus': `${topic.name} ${language}`,
      'aria-label': `${status}, ${languageName(language)}, ${topic.name || 'front page'}`,
    }, icon(status), status),
    others.map((other, n) => h('a', {
      class: 'more', href: to('record', other.id), 'aria-label': `${n + 2}. record, ${languageName(language)}, ${topic.name}`,
    }, `+${n + 1}`)));
}

function tip(topic, i) {
  const { status, entries } = topic.cells[i];
  const reference = topic.cells[0].entries[0];
  if (status === 'missing') return `Not there in ${languageName(store.languages[i])}`;
  if (status === 'stub') return `Begun in ${languageName(store.languages[i])}: a draft, or left out by skip_if`;
  if (status === 'untranslated') return `Has the text in ${languageName(store.languages[0])}`;
  if (status === 'broken') return 'The page has errors';
  const changed = `Changed ${day(entries[0].modified)}`;
  return status === 'older' ? `${changed}; ${languageName(store.languages[0])} changed ${day(reference.modified)}` : changed;
}
