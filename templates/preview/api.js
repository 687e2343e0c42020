// The API of the contract, as a client sees it, and the state of the preview.

/** @typedef {{language: string, meta: Object<string, ?string>, created: string, modified: string, url: string}} Listed */
/** @typedef {{count: number, next: ?string, previous: ?string, results: Listed[]}} Envelope */

/** How many requests are open at once; a browser keeps six to one server, and one is for events. */
const AT_ONCE = 5;

/** Gone is thrown for a record that is not there. */
export class Gone extends Error {}

/** NotBuilt is thrown where the server has no answers yet. */
export class NotBuilt extends Error {}

async function get(address, signal) {
  const answer = await fetch(address, { signal, headers: { Accept: 'application/json' } });
  if (answer.status === 404) throw new Gone(`${address} is not there`);
  if (answer.status === 503) throw new NotBuilt('there is nothing to show yet');
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer;
}

/** The address of a record on this server; url is where it is fetched, not what it says of itself. */
export const recordAddress = (id, variant = 'plain') => `/pages/${id}/${variant === 'api' ? '?format=api' : ''}`;

/** state returns what the preview knows beyond the API. */
export const state = async () => (await get('/_preview/state.json')).json();

/** record returns one record in detail. */
export const record = async (id) => (await get(recordAddress(id))).json();

/** recordText returns the exact text of one record in one of its variants. */
export const recordText = async (id, variant) => (await get(recordAddress(id, variant))).text();

/** idOf returns the id in the address of a record, "" where there is none. */
export function idOf(url) {
  const found = /\/pages\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//.exec(url);
  return found ? found[1] : '';
}

/**
 * inParallel does a task for each item, a few at a time, and returns what they
 * gave in the order of the items.
 * @template T, U
 * @param {T[]} items
 * @param {(item: T) => Promise<U>} task
 * @returns {Promise<U[]>}
 */
export async function inParallel(items, task) {
  const results = new Array(items.length);
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const i = next++;
      results[i] = await task(items[i]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work));
  return results;
}

/**
 * walk reads all list pages: the first tells how many there are.
 * @param {(done: number, total: number) => void} progress in records
 * @returns {Promise<{count: number, results: Listed[]}>}
 */
export async function walk(progress) {
  const stop = new AbortController();
  const page = async (n) => (await get(n === 1 ? '/pages/' : `/pages/?page=${n}`, stop.signal)).json();
  /** @type {Envelope} */
  const first = await page(1);
  const size = first.results.length;
  const pages = size === 0 ? 1 : Math.ceil(first.count / size);
  let done = size;
  progress(done, first.count);
  try {
    const others = await inParallel(Array.from({ length: pages - 1 }, (_, i) => i + 2), async (n) => {
      const envelope = await page(n);
      done += envelope.results.length;
      progress(done, first.count);
      return envelope.results;
    });
    return { count: first.count, results: [first.results, ...others].flat() };
  } catch (error) {
    stop.abort();
    throw error;
  }
}
