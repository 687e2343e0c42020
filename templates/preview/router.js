// Routes are in the fragment of the address, so that links, bookmarks and the
// back button work: #/view, #/view/part, #/view?filter=value.

/** @typedef {{view: string, part: string, query: URLSearchParams}} Route */

const scrolls = new Map();
let entry = 0;

/** current reads the route from the address. An unknown fragment is the first view. */
export function current() {
  const fragment = location.hash.startsWith('#/') ? location.hash.slice(2) : '';
  const at = fragment.indexOf('?');
  const path = at < 0 ? fragment : fragment.slice(0, at);
  const [view, ...parts] = path.split('/');
  return {
    view: view || 'coverage',
    part: decode(parts.join('/')),
    query: new URLSearchParams(at < 0 ? '' : fragment.slice(at + 1)),
  };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** to writes the link of a route, with the part as it is; filters that are empty are left out. */
export function to(view, part = '', filters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  const text = query.toString();
  return `#/${view}${part ? `/${encodeURIComponent(part)}` : ''}${text ? `?${text}` : ''}`;
}

/**
 * adjust changes filters of the route that is shown, in place: typing in a
 * filter makes no steps to go back through.
 */
export function adjust(filters) {
  const route = current();
  const all = Object.fromEntries(route.query);
  history.replaceState(history.state, '', to(route.view, route.part, { ...all, ...filters }));
}

/**
 * start calls show for the route now, and for each one that follows. moved is
 * false the first time; restore brings the scroll position of the route back,
 * or the top of a new one.
 * @param {(route: Route, moved: boolean) => void} show
 */
export function start(show) {
  history.scrollRestoration = 'manual';
  const enter = (moved) => {
    if (!Number.isInteger(history.state?.entry)) {
      history.replaceState({ entry: Math.round(performance.timeOrigin + performance.now()) }, '');
    }
    entry = history.state.entry;
    show(current(), moved);
    if (moved) window.scrollTo(0, scrolls.get(entry) ?? 0);
  };
  window.addEventListener('scroll', () => scrolls.set(entry, window.scrollY), { passive: true });
  window.addEventListener('hashchange', () => enter(true));
  enter(false);
}
