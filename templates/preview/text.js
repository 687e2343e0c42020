// Words, numbers, dates and languages, as people read them. The interface
// speaks English; only what comes from pages has other languages.

const names = new Intl.DisplayNames(['en'], { type: 'language' });
const numbers = new Intl.NumberFormat('en');
const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** languageName returns the English name of a language, or the code where there is none. */
export function languageName(code) {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** languageLabel names a language and its code, as in "Finnish (fi)". */
export function languageLabel(code) {
  const name = languageName(code);
  return name === code ? code : `${name} (${code})`;
}

export const number = (n) => numbers.format(n);

/** count says how many there are of a thing: "1 record", "12,014 records". */
export const count = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;

/** share is n of m in whole percent; 100 only if nothing is missing. */
export function share(n, m) {
  if (m === 0) return 0;
  return n === m ? 100 : Math.min(99, Math.floor((100 * n) / m));
}

const written = (format, timestamp) => {
  const time = new Date(timestamp);
  return Number.isNaN(time.getTime()) ? timestamp : format.format(time);
};

/** day and moment write a timestamp of the API; the times are UTC. */
export const day = (timestamp) => written(days, timestamp);
export const moment = (timestamp) => `${written(moments, timestamp)} UTC`;

/** fold makes text comparable for searches. */
export const fold = (text) => text.normalize('NFC').toLocaleLowerCase();

/** matcher returns a test that wants all words of a query somewhere in a folded text. */
export function matcher(query) {
  const words = fold(query).split(/\s+/).filter(Boolean);
  return (folded) => words.every((word) => folded.includes(word));
}

/** bytes says how long a text is in UTF-8. */
export function bytes(text) {
  const n = new TextEncoder().encode(text).length;
  if (n < 1000) return count(n, 'byte');
  return n < 1e6 ? `${(n / 1000).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`;
}
