// One record: as a reader sees it, beside its translations, and as the API
// gives it.

import * as api from '../api.js';
import { fill, h, heading, icon, patch } from '../dom.js';
import { adjust, current, to } from '../router.js';
import { hiddenId, store } from '../store.js';
import { languageName } from '../text.js';
import { JSONPanel } from './json.js';
import { problemItems } from './problems.js';
import { Reader } from './reader.js';
import { embedItem, factItems, languageItem, metaItem } from './record-parts.js';
import { translations } from './translations.js';

/** @returns {import('../app.js').View} */
export const recordView = (main, id) => new RecordView(main, id);

class RecordView {
  #id;
  #revision = -1;
  #eyebrow = h('p', { class: 'eyebrow' });
  #title = heading();
  #description = h('p', { class: 'lead', dir: 'auto' });
  #languages = h('ul', { class: 'languages' });
  #broken = h('div', { class: 'broken', hidden: true });
  #problems = h('ol', { class: 'problems' });
  #problemSection = section('Problems of this page', 'problems-of', this.#problems);
  #facts = h('dl', { class: 'facts' });
  #meta = h('tbody', {});
  #embeds = h('ul', { class: 'embeds' });
  #embedSection = section('Embeds', 'embeds', this.#embeds);
  #reader = new Reader((language) => {
    adjust({ with: language });
    this.update(current());
  });
  #grid = h('div', { class: 'record-grid' }, this.#reader.element,
    h('div', { class: 'record-side' }, h('section', { 'aria-label': 'Facts' }, this.#facts), this.#embedSection));
  #json;
  #shown;
  #gone = h('div', { class: 'gone', hidden: true },
    h('p', {}, 'No record has this id. It may have been removed, renamed or made a draft.'),
    h('p', {}, h('a', { href: to('records') }, 'All records')));
  #whole;

  constructor(main, id) {
    this.#id = id;
    this.#json = new JSONPanel(id);
    this.#shown = h('div', {}, this.#grid, metaSection(this.#meta), this.#json.element);
    this.#whole = h('div', {}, h('nav', { 'aria-label': 'Languages of this topic' }, this.#languages),
      this.#broken, this.#problemSection, this.#shown);
    fill(main, h('div', { class: 'record-head' }, this.#eyebrow, this.#title, this.#description), this.#gone, this.#whole);
  }

  update({ query }) {
    const entry = store.entry(this.#id);
    this.#gone.hidden = Boolean(entry);
    this.#whole.hidden = !entry;
    if (!entry) return this.#drawGone();
    const versions = translations(entry);
    this.#drawHead(entry);
    patch(this.#languages, versions.map((version) => languageItem(version, entry)));
    this.#drawBroken(entry);
    this.#drawProblems(entry);
    if (entry.broken === 'hidden') return `${entry.file}, broken`;
    patch(this.#facts, factItems(entry));
    this.#grid.classList.toggle('comparing', this.#reader.update(entry, versions, query.get('with') ?? ''));
    this.#json.update(entry, query);
    if (this.#revision !== store.revision) this.#read(entry);
    this.#revision = store.revision;
    return `${entry.title} (${entry.language})`;
  }

  #drawGone() {
    // A page that could not be shown is known by its file until it can.
    const mended = store.entries.find(({ file }) => file && hiddenId(file) === this.#id);
    if (mended) location.replace(to('record', mended.id));
    setText(this.#title, 'This record is not there', 'en');
    fill(this.#eyebrow, h('code', {}, this.#id));
    this.#description.hidden = true;
    this.#revision = -1;
    return 'Record not there';
  }

  #drawHead(entry) {
    fill(this.#eyebrow, h('span', { class: 'chip' }, h('b', {}, entry.language), ` ${languageName(entry.language)}`),
      entry.kind && h('span', {}, entry.kind), entry.broken !== 'hidden' && h('bdi', { class: 'path' }, entry.path || 'no address of its own'));
    setText(this.#title, entry.title || '(no title)', entry.language);
    setText(this.#description, entry.description, entry.language);
    this.#description.hidden = !entry.description;
  }

  #drawBroken({ broken }) {
    this.#shown.hidden = broken === 'hidden';
    this.#broken.hidden = !broken;
    const text = { earlier: 'You see it as it last was without them.', flawed: 'You see it as it is.', hidden: 'No version of it can be shown yet.' }[broken];
    if (this.#broken.dataset.text === text) return;
    this.#broken.dataset.text = text;
    fill(this.#broken, icon('broken'), h('p', {}, h('strong', {}, 'This page has errors. '), text, ' ', h('a', { href: to('problems') }, 'All problems')));
  }

  #drawProblems(entry) {
    const found = store.state.problems.diagnostics.filter(({ file }) => entry.file && file === entry.file);
    this.#problemSection.hidden = found.length === 0;
    patch(this.#problems, problemItems(found, false));
  }

  /** #read fetches what the lists do not hold. What has not changed is left alone. */
  async #read(entry) {
    try {
      const detail = await this.#json.read();
      patch(this.#meta, Object.entries(detail.meta).map(([key, value]) => metaItem(key, value, detail.language)));
      this.#embedSection.hidden = detail.embeds.length === 0;
      patch(this.#embeds, detail.embeds.map(embedItem));
      this.#reader.show(detail, entry);
    } catch (error) {
      // A record that is gone is told of by the next event, as is a server that is.
      if (!(error instanceof api.Gone || error instanceof TypeError)) throw error;
    }
  }
}

function section(name, id, ...content) {
  return h('section', { class: 'part', 'aria-labelledby': id }, h('h2', { id }, name), ...content);
}

function metaSection(rows) {
  const table = h('table', { class: 'meta', 'aria-labelledby': 'meta' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Key'), h('th', { scope: 'col' }, 'Value'))), rows);
  return section('Meta', 'meta', h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-labelledby': 'meta' }, table));
}

function setText(element, text, language) {
  element.textContent = text;
  element.lang = language;
  element.dir = 'auto';
}
