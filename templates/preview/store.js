// All that is known of the site: one small entry for each record of the API,
// and what the preview tells beyond it. Views read it and are told of changes.

import * as api from './api.js';
import { fold } from './text.js';

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} language
 * @property {string} title
 * @property {string} path meta.url, "" where there is none
 * @property {string} topic what its translations have in common
 * @property {string} kind "" where it is not known
 * @property {string} file of the source, "" where it is not known
 * @property {number} text tells whether two bodies are the same; 0 where that is not known
 * @property {'' | 'earlier' | 'flawed' | 'hidden'} broken what is shown of a page with errors; "" where it has none
 * @property {string} description
 * @property {string} created
 * @property {string} modified
 * @property {string} url of the record in the API
 * @property {string} folded all that a search looks at
 * @property {number} read how often it was read anew
 */

class Store extends EventTarget {
  /** @type {Map<string, Entry>} */
  #entries = new Map();
  /** @type {Map<string, Entry>} pages that cannot be shown */
  #hidden = new Map();
  /** @type {Map<string, {topic: string, kind: string, file: string, broken?: string}>} */
  #sources = new Map();
  #reads = 0;

  /** @type {Entry[]} newest first */
  entries = [];
  /** @type {string[]} the reference language first */
  languages = [];
  /** @type {{topic: string, language: string}[]} sources that are no pages yet */
  stubs = [];
  state = null;
  /** Whether there is nothing to show yet, because the pages have never been without errors. */
  unbuilt = false;
  /** Grows with each change of the entries, so that views know what to count anew. */
  revision = 0;

  entry = (id) => this.#entries.get(id) ?? this.#hidden.get(id);

  /** Whether the sources are known, and with them topics, kinds and files. */
  get hasSources() {
    return this.state?.pages != null;
  }

  /** reload reads everything: the state, and all list pages. */
  async reload(progress = () => {}) {
    const state = await api.state();
    const listed = await wholeWalk(progress).catch(notBuiltAsNull);
    this.#setState(state);
    this.unbuilt = listed === null;
    this.#entries.clear();
    this.#reads++;
    for (const record of listed ?? []) this.#take(record);
    this.#changed();
  }

  /** refresh reads the state and the named records only. */
  async refresh(ids) {
    const state = api.state();
    const records = api.inParallel(ids, (id) => api.record(id).catch(goneAsNull));
    const all = await Promise.all([state, records]);
    this.#setState(all[0]);
    this.#reads++;
    all[1].forEach((record, i) => (record ? this.#take(record) : this.#entries.delete(ids[i])));
    this.#changed();
  }

  /** @param {api.Listed} record */
  #take(record) {
    const id = api.idOf(record.url);
    const { title, url, description } = record.meta;
    const entry = {
      id,
      language: record.language,
      title: title ?? '',
      path: url ?? '',
      description: description ?? '',
      created: record.created,
      modified: record.modified,
      url: record.url,
      read: this.#reads,
      folded: fold([title, description, url, id].filter(Boolean).join('\n')),
    };
    this.#entries.set(id, this.#describe(entry));
  }

  /** describe adds what only the sources tell, or what can be told without them. */
  #describe(entry) {
    const source = this.#sources.get(entry.id);
    entry.topic = source?.topic ?? topicOf(entry);
    entry.kind = source?.kind ?? '';
    entry.file = source?.file ?? '';
    entry.text = source?.text ?? 0;
    entry.broken = source?.broken ?? '';
    return entry;
  }

  #setState(state) {
    this.state = state;
    this.stubs = state.stubs ?? [];
    const pages = state.pages ?? [];
    this.#sources = new Map(pages.filter(({ id }) => id).map((page) => [page.id, page]));
    const hidden = pages.filter(({ id, language }) => !id && state.languages?.includes(language)).map(hiddenEntry);
    this.#hidden = new Map(hidden.map((entry) => [entry.id, entry]));
    for (const entry of this.#entries.values()) this.#describe(entry);
  }

  #changed() {
    this.entries = [...this.#hidden.values(), ...[...this.#entries.values()].sort(newestFirst)];
    this.languages = languagesOf(this.entries, this.state.languages);
    this.revision++;
    this.dispatchEvent(new Event('change'));
  }
}

/**
 * wholeWalk walks again where records moved from page to page meanwhile: then
 * one may have been seen twice and another not at all.
 */
async function wholeWalk(progress) {
  for (let left = 3; ; left--) {
    const { count, results } = await api.walk(progress);
    if (left === 0 || new Set(results.map(({ url }) => url)).size === count) return results;
  }
}

function notBuiltAsNull(error) {
  if (error instanceof api.NotBuilt) return null;
  throw error;
}

function goneAsNull(error) {
  if (error instanceof api.Gone) return null;
  throw error;
}

/** hiddenEntry stands for a page that has no record, and is known by its file. */
function hiddenEntry({ language, topic, kind, file }) {
  return {
    id: hiddenId(file), language, title: file, path: '', topic, kind, file, description: '', created: '', modified: '', url: '',
    folded: fold(file), read: 0, broken: 'hidden',
  };
}

/** hiddenId takes the place of the id of a record. */
export const hiddenId = (file) => `file:${file}`;

/** The order of the API: created descending, then id. */
const newestFirst = (a, b) => compare(b.created, a.created) || compare(a.id, b.id);

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * topicOf guesses what the translations of a record have in common where the
 * sources are not known: its address without the language.
 */
function topicOf({ path, language, id }) {
  if (!path) return `(no address) ${id}`;
  const [first, ...others] = path.split('/');
  return first === language ? others.join('/') : path;
}

/**
 * languagesOf lists the languages of the site, and those that only records
 * have. Where the site's are not known, the one with most records is the
 * reference.
 */
function languagesOf(entries, known) {
  const counts = new Map((known ?? []).map((language) => [language, Infinity]));
  for (const { language } of entries) counts.set(language, (counts.get(language) ?? 0) + 1);
  const listed = [...counts.keys()];
  if (known) return listed;
  return listed.sort((a, b) => counts.get(b) - counts.get(a) || compare(a, b));
}

export const store = new Store();
