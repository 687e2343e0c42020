// Evaluates to a list of faults of the page as it is.
(() => {
  const faults = [];
  const fault = (what, element) => faults.push(`${what}: ${element.outerHTML.slice(0, 160)}`);
  const all = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());
  const textOf = (id) => document.getElementById(id)?.textContent ?? '';

  function nameOf(element) {
    const by = element.getAttribute('aria-labelledby');
    const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(' ');
    return (by ? by.split(' ').map(textOf).join(' ') : element.getAttribute('aria-label') ?? (labels || element.textContent || element.title)).trim();
  }

  // Names, headings, landmarks, tables.
  for (const element of all('a, button, input, select, [tabindex="0"], [role="tab"], [role="region"]')) {
    if (!nameOf(element)) fault('no name', element);
  }
  for (const frame of all('iframe')) if (!frame.title) fault('no title', frame);
  for (const nav of all('nav, form[role="search"]')) if (!nameOf(nav) || !(nav.ariaLabel || nav.getAttribute('aria-labelledby'))) fault('landmark without a name', nav);
  if (all('h1').length !== 1) faults.push(`${all('h1').length} h1`);
  if (all('main').length !== 1 || all('header').length !== 1) faults.push('landmarks are missing');
  if (document.documentElement.lang !== 'en' || !document.title) faults.push('language or title is missing');
  let level = 0;
  for (const heading of all('h1, h2, h3, h4')) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) fault('heading level is skipped', heading);
    level = next;
  }
  for (const table of all('table')) {
    if (!table.caption && !nameOf(table)) fault('table without a caption', table);
    for (const cell of table.querySelectorAll('th')) if (!cell.scope) fault('th without scope', cell);
  }
  const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) faults.push(`id ${id} twice`);
  for (const name of ['aria-labelledby', 'aria-controls', 'for']) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      if (!document.getElementById(element.getAttribute(name))) fault(`${name} leads nowhere`, element);
    }
  }

  // Contrast of text with what is behind it (WCAG 2.2, 1.4.3), and sizes of
  // targets that stand alone (2.5.8).
  const parse = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  function ground(element) {
    for (let e = element; e; e = e.parentElement) {
      const color = parse(getComputedStyle(e).backgroundColor);
      if (color.length === 3 || color[3] > 0.99) return color;
    }
    return [255, 255, 255];
  }
  for (const element of all('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!hasText || element.closest('.quiet, .off, option, noscript')) continue;
    const style = getComputedStyle(element);
    const [a, b] = [luminance(parse(style.color)), luminance(ground(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) fault(`contrast ${ratio.toFixed(2)}`, element);
  }
  for (const element of all('button, select, input, .tabs a, .coverage td a, .language')) {
    const box = (element.closest('label') ?? element).getBoundingClientRect();
    if (box.width < 24 || box.height < 24) fault(`a target of ${box.width} by ${box.height} px`, element);
  }
  return faults;
})()
