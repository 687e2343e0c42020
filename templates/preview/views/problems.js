// What is wrong with the source pages, where, and what to do about it.

import { copyButton } from '../copy.js';
import { fill, h, heading, icon, patch } from '../dom.js';
import { choice, filters, textField } from '../fields.js';
import { pageOf } from '../pager.js';
import { to } from '../router.js';
import { store } from '../store.js';
import { count, fold, matcher, number } from '../text.js';
import { listing } from './listing.js';

/** @typedef {{file: string, line?: number, column?: number, severity: string, rule: string, message: string, hint?: string}} Problem */

/** @returns {import('../app.js').View} */
export function problemsView(main) {
  const { hits, pages, set, say } = listing('problems', 'problem', (route) => update(route));
  const text = textField('Search', 'File, message or hint', set('text'));
  const severity = choice('Severity', set('severity'));
  const rule = choice('Rule', set('rule'));
  const lead = h('p', { class: 'lead' });
  const list = h('ol', { class: 'problems' });
  const empty = h('p', { class: 'empty' }, 'No problem passes these filters.');
  const bar = filters('Filter problems', text, severity, rule);
  fill(main, heading('Problems'), lead, bar, hits, list, empty, pages.element);

  function update({ query }) {
    const get = (name) => query.get(name) ?? '';
    const { problems } = store.state;
    const all = problems.diagnostics;
    lead.textContent = summary(problems);
    bar.hidden = hits.hidden = all.length === 0;
    text.set(get('text'));
    severity.set(get('severity'), [['', 'Errors and warnings'], ['error', 'Errors'], ['warning', 'Warnings']]);
    const rules = [...new Set(all.map((problem) => problem.rule))].sort();
    rule.set(get('rule'), [['', 'All rules'], ...rules.map((name) => [name, name])]);
    const found = select(all, get);
    const page = pageOf(found, query.get('page'));
    say(found.length, all.length);
    empty.hidden = found.length > 0 || all.length === 0;
    patch(list, problemItems(page.rows, true));
    pages.set(page);
    return problems.errors > 0 ? `${count(problems.errors, 'error')}, problems` : 'Problems';
  }

  return { update };
}

function select(all, get) {
  const matches = matcher(get('text'));
  return all.filter((problem) =>
    (!get('severity') || problem.severity === get('severity')) &&
    (!get('rule') || problem.rule === get('rule')) &&
    matches(fold([place(problem), problem.message, problem.hint, problem.rule].join('\n'))));
}

function summary({ errors, warnings, more }) {
  if (store.state.snapshot) return 'This is a folder that was built already. Its sources, and what may be wrong with them, are not known here.';
  if (errors + warnings === 0) return 'No problems: all pages are as they should be.';
  const said = `${count(errors, 'error')}, ${count(warnings, 'warning')}. `;
  const held = store.state.failed ? 'Of what has errors, the last good version is shown. ' : '';
  return said + held + (more > 0 ? `The ${number(more)} last ones are not listed.` : '');
}

/** place writes file:line:column, as editors and terminals understand it. */
export const place = ({ file, line, column }) => [fileName(file), line, column].filter(Boolean).join(':');

/** fileName quotes a name that holds what looks like a position, as sivu does on a terminal. */
const fileName = (file) => (/:(?:[\p{Nd}\s]|:|$)|(?:error|warning):/iu.test(file) ? JSON.stringify(file).replaceAll(':', '\\x3a') : file);

/**
 * problemItems returns problems as items for patch.
 * @param {Problem[]} problems
 * @param {boolean} linked whether each links to the record that it is in
 */
export function problemItems(problems, linked) {
  return problems.map((problem) => {
    const mark = JSON.stringify(problem);
    return { key: mark, mark, draw: () => row(problem, linked) };
  });
}

function row(problem, linked) {
  const { severity, rule, message, hint } = problem;
  const entry = linked && store.entries.find(({ file }) => file && file === problem.file);
  return h('li', { class: `problem problem-${severity}` },
    h('p', { class: 'problem-place' },
      h('span', { class: `severity severity-${severity}` }, icon(severity), severity),
      h('code', { class: 'place' }, place(problem)),
      copyButton(`Copy ${place(problem)}`, () => place(problem), { small: true })),
    h('p', { class: 'problem-message', dir: 'auto' }, message),
    hint && h('p', { class: 'problem-hint' }, h('b', {}, 'What to do: '), hint),
    h('p', { class: 'problem-rule' }, 'rule ', h('code', {}, rule),
      entry && [' · ', h('a', { href: to('record', entry.id) }, 'show the record')]));
}
