// The coverage picture: which topic is there in which language, and which
// translation is behind the reference language.

import { cover, orders } from '../coverage.js';
import { fill, h, heading, icon, patch } from '../dom.js';
import { check, choice, filters, textField } from '../fields.js';
import { pageOf } from '../pager.js';
import { to } from '../router.js';
import { store } from '../store.js';
import { count, languageLabel, languageName, matcher, number } from '../text.js';
import { headRow, topicRow } from './coverage-table.js';
import { listing } from './listing.js';

/** @returns {import('../app.js').View} */
export function coverageView(main) {
  const { hits, pages, set, say } = listing('coverage', 'topic', (route) => update(route));
  const text = textField('Search', 'Topic, title, address', set('text'));
  const language = choice('Language', set('language'));
  const order = choice('Order', set('order'));
  const gaps = check('Only topics with gaps', set('gaps'));
  const lead = h('p', { class: 'lead' });
  const signs = h('ul', { class: 'legend', 'aria-label': 'What the signs mean' });
  const head = h('thead', {});
  const body = h('tbody', {});
  const table = h('table', { class: 'coverage' },
    h('caption', { class: 'quiet', id: 'coverage-caption' }, 'Topics, and the languages that they are there in'), head, body);
  const empty = h('p', { class: 'empty' });
  const field = h('div', { class: 'coverage-field', role: 'region', tabindex: '0', 'aria-labelledby': 'coverage-caption' }, table);
  fill(main, heading('Coverage'), lead, filters('Filter topics', text, language, order, gaps),
    h('div', { class: 'above-table' }, hits, signs), field, empty, pages.element);

  let covered = null;
  let revision = -1;

  function update({ query }) {
    const get = (name) => query.get(name) ?? '';
    if (revision !== store.revision) covered = cover(store.entries, store.languages, store.stubs);
    revision = store.revision;
    fill(lead, summary(covered));
    fill(signs, legend(covered.topics));
    text.set(get('text'));
    language.set(get('language'), [['', 'All languages'], ...store.languages.map((code) => [code, languageLabel(code)])]);
    order.set(get('order'), Object.entries(orders).map(([name, { label }]) => [name, label]));
    gaps.set(get('gaps'));

    const columns = columnsOf(get('language'));
    const found = select(covered.topics, columns, get);
    const page = pageOf(found, query.get('page'));
    say(found.length, covered.topics.length);
    patch(head, [headRow(covered.totals, columns)]);
    patch(body, page.rows.map((topic) => topicRow(topic, columns)));
    field.hidden = found.length === 0;
    empty.hidden = found.length > 0;
    empty.textContent = covered.topics.length === 0
      ? 'There are no pages yet. Write one with “sivu new”, and it shows up here.'
      : 'No topic passes these filters.';
    pages.set(page);
    return 'Coverage';
  }

  return { update };
}

/** columnsOf returns the places of the languages to show: all, or one beside the reference. */
function columnsOf(language) {
  const only = store.languages.indexOf(language);
  if (only < 0) return store.languages.map((_, i) => i);
  return only === 0 ? [0] : [0, only];
}

/** select returns the topics that pass the filters, in the order asked for. */
function select(topics, columns, get) {
  const matches = matcher(get('text'));
  const gapIn = (topic) => columns.some((i) => topic.cells[i].status !== 'there');
  const found = topics.filter((topic) => (!get('gaps') || gapIn(topic)) && matches(topic.folded));
  return found.sort((orders[get('order')] ?? orders.topic).compare);
}

function summary({ topics, totals }) {
  const missing = totals.reduce((n, total) => n + total.missing, 0);
  const older = totals.reduce((n, total) => n + total.older, 0);
  const reference = languageName(store.languages[0] ?? '');
  const size = `${count(topics.length, 'topic')} in ${count(totals.length, 'language')}. `;
  if (missing + older === 0) return [size, h('strong', {}, 'Nothing is missing, and nothing is out of date.')];
  return [size,
    h('strong', {}, missing === 0 ? 'Nothing' : count(missing, 'translation')), missing === 1 ? ' is missing, ' : missing === 0 ? ' is missing, ' : ' are missing, ',
    h('strong', {}, number(older)), `${older === 1 ? ' is' : ' are'} older than ${reference}.`];
}

function legend(topics) {
  const has = (status) => topics.some(({ cells }) => cells.some((cell) => cell.status === status));
  const reference = languageName(store.languages[0] ?? '');
  const item = (name, text) => h('li', { class: `status status-${name}` }, icon(name), h('b', {}, name), h('span', {}, text));
  return [
    item('there', 'up to date'),
    item('missing', 'not translated yet'),
    has('stub') && item('stub', 'begun, and left out of the site'),
    has('untranslated') && item('untranslated', `has the text in ${reference}`),
    item('older', `not changed since ${reference} was`),
    has('broken') && item('broken', 'has errors'),
  ];
}
