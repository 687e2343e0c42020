// Copying to the clipboard, also where a page may not write to it by itself.

import { announce, h, icon } from './dom.js';

/**
 * copyButton copies what text() gives.
 * @param {string} label what is copied, as the button's name
 * @param {() => string} text
 * @param {{small?: boolean}} [look] small shows the icon only
 */
export function copyButton(label, text, { small = false } = {}) {
  const words = h('span', { class: small ? 'quiet' : '' }, label);
  const button = h('button', {
    type: 'button', class: small ? 'button copy small' : 'button copy', title: small ? label : null,
    'data-focus': label,
    click: async () => {
      const done = await copy(text());
      const said = done ? 'Copied' : 'Not copied: select the text and copy it by hand';
      announce(said);
      button.classList.toggle('done', done);
      if (!small) words.textContent = done ? 'Copied' : 'Copy by hand';
      setTimeout(() => {
        button.classList.remove('done');
        words.textContent = label;
      }, 2000);
    },
  }, icon('copy'), small ? words : [' ', words]);
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** copyBySelection is the old way, which needs neither https nor a permission. */
function copyBySelection(text) {
  const active = document.activeElement;
  const area = h('textarea', { class: 'quiet', readonly: true, 'aria-hidden': 'true', tabindex: '-1' });
  area.value = text;
  document.body.append(area);
  area.select();
  let done = false;
  try {
    done = document.execCommand('copy');
  } catch {
    done = false;
  }
  area.remove();
  active?.focus({ preventScroll: true });
  return done;
}
