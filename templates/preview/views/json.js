// The record as the API gives it: both variants, easy to read or byte for byte.

import * as api from '../api.js';
import { copyButton } from '../copy.js';
import { fill, h } from '../dom.js';
import { adjust, current } from '../router.js';
import { store } from '../store.js';
import { bytes } from '../text.js';
import { pretty } from './pretty.js';

const variants = { plain: 'Plain', api: 'format=api' };

/** More than this many characters are not shown, so that the page stays quick. */
const SHOWN = 200_000;

/** JSONPanel shows the variants of a record in tabs. */
export class JSONPanel {
  #id;
  /** @type {Object<string, string>} exact texts by variant */
  #texts = {};
  #variant = 'plain';
  #exact = false;
  #drawn = '';
  #address = h('code', { class: 'address' });
  #open = h('a', { class: 'button', target: '_blank', rel: 'noopener' }, 'Open', h('span', { class: 'quiet' }, ' the JSON in a new window'));
  #size = h('span', { class: 'json-size' });
  #text = h('pre', { class: 'json', tabindex: '0', role: 'region', 'aria-label': 'JSON text', dir: 'ltr' });
  #note = h('p', { class: 'note', hidden: true }, 'Only the beginning is shown. “Copy the JSON” copies all of it.');
  #tabs = tabList((variant) => this.#change({ json: variant === 'plain' ? '' : variant }));
  #look = lookSwitch((exact) => this.#change({ exact: exact ? '1' : '' }));
  #panel = h('div', { role: 'tabpanel', id: 'json-panel', class: 'json-panel' },
    h('div', { class: 'json-address' }, h('span', { class: 'label' }, 'Address'), this.#address,
      copyButton('Copy the address', () => this.#address.textContent), this.#open),
    h('div', { class: 'json-tools' }, this.#look.element, this.#size,
      copyButton('Copy the JSON', () => this.#texts[this.#variant] ?? '')), this.#text, this.#note);

  element = h('section', { class: 'part', 'aria-labelledby': 'json' }, h('h2', { id: 'json' }, 'JSON'), this.#tabs.element, this.#panel);

  constructor(id) {
    this.#id = id;
  }

  #change(filters) {
    adjust(filters);
    this.update(store.entry(this.#id), current().query);
  }

  /** update follows the address; the texts come with read. */
  update(entry, query) {
    if (!entry) return;
    this.#variant = query.get('json') === 'api' ? 'api' : 'plain';
    this.#exact = query.get('exact') === '1';
    this.#tabs.set(this.#variant);
    this.#look.set(this.#exact);
    this.#panel.setAttribute('aria-labelledby', `json-tab-${this.#variant}`);
    this.#open.href = api.recordAddress(this.#id, this.#variant);
    this.#address.textContent = store.state.base + api.recordAddress(this.#id, this.#variant);
    this.#draw();
  }

  /** read fetches both variants, and returns the record. */
  async read() {
    const [plain, twin] = await Promise.all([api.recordText(this.#id, 'plain'), api.recordText(this.#id, 'api')]);
    this.#texts = { plain, api: twin };
    this.#draw();
    return JSON.parse(plain);
  }

  #draw() {
    const text = this.#texts[this.#variant];
    const mark = `${this.#exact} ${text}`;
    if (mark === this.#drawn || text === undefined) return;
    this.#drawn = mark;
    this.#size.textContent = `${bytes(text)} of JSON`;
    this.#text.classList.toggle('exact', this.#exact);
    fill(this.#text, this.#exact || text.length > SHOWN ? text.slice(0, SHOWN) : pretty(JSON.parse(text)));
    this.#note.hidden = text.length <= SHOWN;
  }
}

/** tabList is the tabs pattern of the ARIA authoring practices: arrows move, one tab is in the order of focus. */
function tabList(chosen) {
  const names = Object.keys(variants);
  const tabs = names.map((name) => h('button', {
    type: 'button', role: 'tab', id: `json-tab-${name}`, 'aria-controls': 'json-panel', click: () => chosen(name),
  }, variants[name]));
  const element = h('div', {
    role: 'tablist', class: 'tab-list', 'aria-label': 'Variants of the record',
    keydown: (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    },
  }, tabs);
  return {
    element,
    set(variant) {
      tabs.forEach((tab, i) => {
        tab.setAttribute('aria-selected', String(names[i] === variant));
        tab.tabIndex = names[i] === variant ? 0 : -1;
      });
    },
  };
}

function lookSwitch(chosen) {
  const radio = (label, exact) => {
    const input = h('input', { type: 'radio', name: 'json-look', change: () => chosen(exact) });
    return [input, h('label', {}, input, h('span', {}, label))];
  };
  const [easy, easyLabel] = radio('Easy to read', false);
  const [exact, exactLabel] = radio('Exact bytes', true);
  return {
    element: h('fieldset', { class: 'segments' }, h('legend', { class: 'quiet' }, 'How the JSON is shown'), easyLabel, exactLabel),
    set(isExact) {
      easy.checked = !isExact;
      exact.checked = isExact;
    },
  };
}
