// The page as a reader sees it, and beside it one of its translations.

import { h } from '../dom.js';
import { choice } from '../fields.js';
import { languageLabel } from '../text.js';
import { Pane } from './pane.js';

export class Reader {
  #first = new Pane();
  #second = new Pane();
  #compare;

  /** @param {(language: string) => void} compareWith is told of a choice */
  constructor(compareWith) {
    this.#compare = choice('Side by side with', compareWith);
    const panes = h('div', { class: 'panes' }, this.#first.element, this.#second.element);
    this.element = h('section', { class: 'part reader', 'aria-labelledby': 'reader' },
      h('div', { class: 'part-head' }, h('h2', { id: 'reader' }, 'As a reader sees it'), this.#compare.element), panes);
    new ResizeObserver(() => {
      this.#first.fit();
      this.#second.fit();
    }).observe(panes);
  }

  /** show draws the record itself, whose detail was read. */
  show(detail, entry) {
    this.#first.show(detail, entry);
  }

  /**
   * update draws what stands beside it.
   * @param {import('../store.js').Entry} entry
   * @param {import('./translations.js').Version[]} versions
   * @param {string} other the language to compare with, "" for none
   * @returns {boolean} whether there is something beside it
   */
  update(entry, versions, other) {
    const others = versions.filter(({ language }) => language !== entry.language);
    this.#compare.set(other, [['', 'nothing else'], ...others.map(({ language, status }) =>
      [language, languageLabel(language) + (status === 'there' ? '' : ` – ${status}`)])]);
    const version = others.find(({ language }) => language === other);
    this.#first.name(entry, Boolean(version));
    this.#second.element.hidden = !version;
    if (!version) this.#second.clear();
    else if (version.entry?.broken === 'hidden') this.#second.hidden(version.entry);
    else if (version.entry) this.#second.read(version.entry, version.status);
    else this.#second.missing(version);
    return Boolean(version);
  }
}
