// The page as a whole: which view is shown, and what stands around each.

import { announce, fill, h, heading, icon } from './dom.js';
import { follow, onStatus } from './live.js';
import { current, start } from './router.js';
import { store } from './store.js';
import { count, number } from './text.js';
import { atView } from './views/at.js';
import { coverageView } from './views/coverage.js';
import { problemsView } from './views/problems.js';
import { recordView } from './views/record.js';
import { recordsView } from './views/records.js';

/**
 * A view fills an element. Its update follows the address and the store; it
 * returns the title of the document.
 * @typedef {{update: (route: import('./router.js').Route) => string}} View
 */

/** @type {Object<string, (main: HTMLElement, part: string) => View>} */
const views = { coverage: coverageView, records: recordsView, record: recordView, problems: problemsView, at: atView };

/** The entry of the navigation that a view belongs to, where it is not its own. */
const parents = { record: 'records', at: 'records' };

const main = document.getElementById('main');
let shown = { name: '', part: '', view: null };

function show(route, moved) {
  const name = Object.hasOwn(views, route.view) ? route.view : 'coverage';
  if (shown.name !== name || shown.part !== route.part) {
    main.replaceChildren();
    shown = { name, part: route.part, view: views[name](main, route.part) };
  }
  for (const link of document.querySelectorAll('[data-view]')) {
    if (link.dataset.view === (parents[name] ?? name)) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  update(route);
  if (moved) main.querySelector('h1')?.focus({ preventScroll: true });
}

function update(route) {
  document.title = `${shown.view.update(route)} – sivu preview`;
}

/** drawAround draws what is the same on every view: the badge and the banner. */
function drawAround() {
  const { problems, failed } = store.state;
  const badge = document.getElementById('badge');
  const all = problems.errors + problems.warnings;
  badge.hidden = all === 0;
  badge.className = problems.errors > 0 ? 'badge badge-error' : 'badge';
  fill(badge, number(all), h('span', { class: 'quiet' }, ` (${errorsAndWarnings(problems)})`));
  const banner = document.getElementById('banner');
  const text = failed ? `${store.unbuilt ? 'Nothing can be shown until that is cured' : 'Of what has errors you see the last good version'} (${errorsAndWarnings(problems)}). ` : '';
  if (banner.dataset.text === text) return;
  banner.dataset.text = text;
  fill(banner, failed && h('div', { class: 'banner' }, icon('error'),
    h('p', {}, h('strong', {}, 'The pages cannot be built as they are now. '),
      text, h('a', { href: '#/problems' }, 'See what is wrong'))));
}

const errorsAndWarnings = ({ errors, warnings }) =>
  [errors > 0 && count(errors, 'error'), warnings > 0 && count(warnings, 'warning')].filter(Boolean).join(', ') || 'no problems';

/** What is seen of the connection, and what screen readers hear: only what is news. */
const statuses = {
  connecting: { text: 'Connecting' },
  connected: { text: 'Up to date' },
  reconnecting: { text: 'Reconnecting', said: 'The connection to the server is lost' },
  updated: { text: 'Updated just now', said: 'The pages were updated' },
};

let calm = 0;

function drawStatus(status) {
  const live = document.getElementById('live');
  live.dataset.live = status;
  const { text, said } = statuses[status];
  document.getElementById('live-text').textContent = text;
  if (said) announce(said);
  clearTimeout(calm);
  if (status === 'updated') calm = setTimeout(() => drawStatus('connected'), 10_000);
}

/** drawLoading shows how far the first reading is. */
function drawLoading() {
  const progress = h('progress', { 'aria-label': 'Records read' });
  const text = h('p', { class: 'loading-text' }, 'Asking the server');
  fill(main, h('div', { class: 'loading' }, heading('Reading the pages'), progress, text));
  return (done, total) => {
    progress.max = Math.max(1, total);
    progress.value = done;
    text.textContent = `${number(done)} of ${count(total, 'record')}`;
  };
}

async function run() {
  try {
    await follow(drawLoading());
  } catch (error) {
    fill(main, h('div', { class: 'loading' }, heading('The server does not answer'),
      h('p', {}, 'Is sivu preview still running? ', h('code', {}, error.message)),
      h('button', { type: 'button', class: 'button', click: run }, 'Try again')));
    return;
  }
  drawAround();
  start(show);
  store.addEventListener('change', () => {
    drawAround();
    update(current());
  });
}

document.getElementById('skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
onStatus(drawStatus);
run();
