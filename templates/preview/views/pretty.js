// JSON set out for reading: the same values, with lines, steps and shades.

import { h } from '../dom.js';

/**
 * pretty returns the nodes of a value; all of its text stays text.
 * @returns {(Node | string)[]}
 */
export function pretty(value, indent = '') {
  if (value === null || typeof value !== 'object') {
    return [h('span', { class: value === null ? 'json-null' : `json-${typeof value}` }, JSON.stringify(value))];
  }
  const isArray = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return [isArray ? '[]' : '{}'];
  const deeper = `${indent}  `;
  const nodes = [isArray ? '[' : '{'];
  entries.forEach(([key, inner], i) => {
    nodes.push(`${i > 0 ? ',' : ''}\n${deeper}`);
    if (!isArray) nodes.push(h('span', { class: 'json-key' }, JSON.stringify(key)), ': ');
    nodes.push(...pretty(inner, deeper));
  });
  nodes.push(`\n${indent}${isArray ? ']' : '}'}`);
  return nodes;
}
