// Keeping up with the server: its events, and what to read after each.

import { store } from './store.js';

/** After this many milliseconds without a connection the browser's own retries are helped along. */
const RETRY = 2000;

const live = new EventTarget();
let source = null;
let version = 0;
let chain = Promise.resolve();
let retry = 0;

/** @param {'connected' | 'reconnecting' | 'updated'} status */
const tell = (status) => live.dispatchEvent(new CustomEvent('status', { detail: status }));

/** onStatus calls back with each new status of the connection. */
export const onStatus = (then) => live.addEventListener('status', (event) => then(event.detail));

/**
 * follow reads everything once, then keeps it up to date. It fails only if
 * the first reading does.
 * @param {(done: number, total: number) => void} progress
 */
export async function follow(progress) {
  await store.reload(progress);
  version = store.state.version;
  connect();
  // Browsers open few connections to one server; tabs that nobody looks at
  // give theirs back.
  document.addEventListener('visibilitychange', () => (document.hidden ? disconnect() : connect()));
}

/** connect begins a stream. Its first event tells the version, and so whether anything was missed. */
function connect() {
  disconnect();
  source = new EventSource('/_preview/events');
  source.addEventListener('open', () => tell('connected'));
  source.addEventListener('state', (event) => {
    const news = JSON.parse(event.data);
    queue(() => take(news));
  });
  source.addEventListener('error', () => {
    tell('reconnecting');
    if (source?.readyState === EventSource.CLOSED) connectLater();
  });
}

function connectLater() {
  clearTimeout(retry);
  retry = setTimeout(() => document.hidden || connect(), RETRY);
}

function disconnect() {
  clearTimeout(retry);
  source?.close();
  source = null;
}

/** queue runs what has to be read one after the other, in the order of the events. */
function queue(task) {
  chain = chain.then(task).catch(() => {
    tell('reconnecting');
    connectLater();
  });
}

/**
 * take reads what has changed since the event before. The first event of a
 * stream does not say what that is, and then everything is read.
 */
async function take(news) {
  if (news.version <= version) return;
  if (store.unbuilt || !news.changed) {
    await store.reload();
    version = store.state.version;
  } else {
    await store.refresh(news.changed);
    version = news.version;
  }
  tell('updated');
}
