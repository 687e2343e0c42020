// The coverage picture as data: topics by languages, and what is missing.

/** @typedef {import('./store.js').Entry} Entry */
/** @typedef {'there' | 'missing' | 'stub' | 'untranslated' | 'older' | 'broken'} Status */
/** @typedef {{status: Status, entries: Entry[]}} Cell an entry, seldom more, of a topic in a language */

/**
 * @typedef {object} Topic
 * @property {string} name
 * @property {Cell[]} cells in the order of the languages
 * @property {Entry} lead the record in the reference language, or else in the next best one
 * @property {number} missing those that are not translated, begun or not
 * @property {number} older
 * @property {string} changed the newest modified of its records
 * @property {string} folded all that a search looks at
 */

/** @typedef {{language: string, there: number, missing: number, older: number}} Total */

/**
 * cover lays records out by topic and language.
 * @param {Entry[]} entries
 * @param {string[]} languages the reference language first
 * @param {{topic: string, language: string}[]} stubs sources that are no pages yet
 * @returns {{topics: Topic[], totals: Total[]}}
 */
export function cover(entries, languages, stubs) {
  const place = new Map(languages.map((language, i) => [language, i]));
  /** @type {Map<string, Entry[][]>} */
  const groups = new Map();
  for (const entry of entries) {
    let cells = groups.get(entry.topic);
    if (!cells) groups.set(entry.topic, (cells = languages.map(() => [])));
    cells[place.get(entry.language)].push(entry);
  }
  const begun = new Set(stubs.map(({ topic, language }) => `${language} ${topic}`));
  const topics = [...groups].map(([name, cells]) => topicOf(name, cells, languages.map((language) => begun.has(`${language} ${name}`))));
  const totals = languages.map((language, i) => ({ language, ...tally(topics.map((topic) => topic.cells[i])) }));
  return { topics, totals };
}

/** @returns {Topic} */
function topicOf(name, groups, begun) {
  const reference = groups[0][0];
  const cells = groups.map((entries, i) => ({ status: statusOf(entries[0], reference, begun[i]), entries }));
  const all = groups.flat();
  const { missing, older } = tally(cells);
  return {
    name,
    cells,
    lead: all[0],
    missing,
    older,
    changed: all.reduce((newest, { modified }) => (modified > newest ? modified : newest), ''),
    folded: [name.normalize('NFC').toLocaleLowerCase(), ...all.map(({ folded }) => folded)].join('\n'),
  };
}

/**
 * statusOf compares a record with that of the reference language. Timestamps
 * of the API have one form, so that they compare as texts.
 * @returns {Status}
 */
function statusOf(entry, reference, begun) {
  if (!entry) return begun ? 'stub' : 'missing';
  if (entry.broken) return 'broken';
  if (reference && isUntranslated(entry, reference)) return 'untranslated';
  return reference && entry.modified < reference.modified ? 'older' : 'there';
}

/** isUntranslated reports whether an entry has the text of another language, not only of another region. */
function isUntranslated(entry, reference) {
  const base = ({ language }) => language.split('-')[0];
  return Boolean(entry.text) && entry.text === reference.text && base(entry) !== base(reference);
}

function tally(cells) {
  const total = { there: 0, missing: 0, older: 0 };
  for (const { status } of cells) {
    if (['missing', 'stub', 'untranslated'].includes(status)) total.missing++;
    else total.there++;
    if (status === 'older') total.older++;
  }
  return total;
}

/** The orders in which topics can stand. */
export const orders = {
  topic: { label: 'Topic, A to Z', compare: byName },
  gaps: { label: 'Most gaps first', compare: (a, b) => b.missing - a.missing || b.older - a.older || byName(a, b) },
  changed: { label: 'Newest change first', compare: (a, b) => (b.changed > a.changed) - (b.changed < a.changed) || byName(a, b) },
};

const collator = new Intl.Collator('en', { numeric: true });

function byName(a, b) {
  return collator.compare(a.name, b.name);
}
