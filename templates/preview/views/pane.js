// One frame with the content of a record. It is sandboxed: nothing in it runs,
// and it cannot reach this page.

import * as api from '../api.js';
import { copyButton } from '../copy.js';
import { fill, h, icon } from '../dom.js';
import { to } from '../router.js';
import { day, languageLabel, languageName } from '../text.js';
import { heightOf } from './height.js';
import { newCommand } from './translations.js';

const mark = (status) => h('span', { class: `status status-${status}` }, icon(status), status);

/** markOf tells whether a record was read anew. */
const markOf = (entry) => `${entry.id} ${entry.read}`;

/** What links in a frame may do: open a window of their own. */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

export class Pane {
  #head = h('p', { class: 'pane-head' });
  #body = h('div', { class: 'pane-body' });
  #frame = null;
  #content = '';
  #shown = '';
  #reading = '';

  element = h('div', { class: 'pane' }, this.#head, this.#body);

  /**
   * show loads the frame, again only where the record was read anew: what it shows
   * beside its text may have changed, too.
   */
  show(detail, entry) {
    const mark = markOf(entry);
    const isNew = mark !== this.#shown;
    this.#shown = mark;
    this.#content = detail.content;
    if (!this.#frame) {
      this.#frame = h('iframe', { sandbox: SANDBOX, referrerpolicy: 'no-referrer' });
      fill(this.#body, this.#frame);
    }
    this.#frame.title = `${detail.meta.title} (${languageName(detail.language)})`;
    if (isNew) this.#frame.src = `/_preview/body/${entry.id}`;
    this.fit();
  }

  /** fit makes the frame as tall as its content should need. */
  fit() {
    const width = this.#body.clientWidth;
    if (this.#frame && width > 0) this.#frame.style.height = `${heightOf(this.#content, width)}px`;
  }

  clear() {
    this.#frame = null;
    this.#shown = this.#reading = '';
    fill(this.#body);
  }

  /** name says what is in the pane, where that does not go without saying. */
  name(entry, named) {
    this.#head.hidden = !named;
    this.#title(entry.language, ` changed ${day(entry.modified)}`);
  }

  /** read fetches another record, if it was not read since it changed, and shows it. */
  async read(entry, status) {
    this.#title(entry.language, ` changed ${day(entry.modified)} `,
      status !== 'there' && mark(status),
      h('a', { href: to('record', entry.id) }, 'open'));
    const wanted = markOf(entry);
    if (wanted === this.#reading) return;
    this.#reading = wanted;
    try {
      const detail = await api.record(entry.id);
      if (wanted === this.#reading) this.show(detail, entry);
    } catch {
      // The next event tells what has become of it.
      this.#reading = '';
    }
  }

  /** hidden tells that a page has errors, and no version that can be shown. */
  hidden(entry) {
    this.clear();
    this.#title(entry.language, mark('broken'), h('a', { href: to('record', entry.id) }, 'open'));
    fill(this.#body, h('div', { class: 'not-there' }, h('p', {}, 'This page has errors, and cannot be shown yet.')));
  }

  /** missing tells that a translation is not there, and how it is begun. */
  missing(version) {
    this.clear();
    this.#title(version.language, mark(version.status));
    const isStub = version.status === 'stub';
    const command = isStub ? '' : newCommand(version);
    fill(this.#body, h('div', { class: 'not-there' },
      h('p', {}, `This topic is ${isStub ? 'only begun' : 'not there'} in ${languageName(version.language)}${isStub ? ': its page is a draft, or left out by skip_if.' : ' yet.'}`),
      command && h('p', {}, 'To begin it:'),
      command && h('p', { class: 'command' }, h('code', {}, command), copyButton('Copy the command', () => command))));
  }

  #title(language, ...more) {
    fill(this.#head, h('b', {}, languageLabel(language)), ...more);
  }
}
