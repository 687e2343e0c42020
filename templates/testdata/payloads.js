// Looks at contents in a page that runs scripts and has no policy. What may not
// be is returned as [number of the content, what is wrong].

// What no content holds, in the HTML namespace or outside of it.
const forbidden = 'script, style, link, meta, base, title, iframe, frame, object, embed, form, input, button, select, textarea, ' +
  'template, noscript, noembed, noframes, xmp, plaintext, svg, math, area, portal, body, head, html';
const attributes = ['style', 'srcdoc', 'action', 'formaction', 'autoplay', 'autofocus', 'ping', 'target', 'background', 'contenteditable', 'slot', 'is'];
const schemes = ['http:', 'https:', 'mailto:', 'tel:', 'sms:', ':']; // the last is of an address that leads nowhere
const inert = document.implementation.createHTMLDocument('');

// problem returns what is wrong with the one div of a content, or ''.
function problem(div) {
  if (div?.tagName !== 'DIV' || div.attributes.length !== 1 || div.className !== 'xmldoc') return 'the content is not one div.xmldoc';
  const bad = div.querySelector(forbidden);
  if (bad) return `it holds ${bad.tagName}`;
  for (const element of div.querySelectorAll('*')) {
    if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml') return `${element.tagName} is not HTML`;
    for (const { name } of element.attributes) {
      if (name.startsWith('on') || attributes.includes(name)) return `${element.tagName} has ${name}`;
    }
    // What the browser makes of the addresses.
    if (element.hasAttribute('href') && !schemes.includes(element.protocol)) return `a link leads to ${element.href}`;
    for (const name of ['src', 'poster', 'currentSrc']) {
      if (element[name] && !/^(https?:|$)/.test(new URL(element[name], location.href).protocol)) return `${name} is ${element[name]}`;
    }
  }
  // Written and read again, it is the same tree. A browser forgets to escape
  // carriage returns, which are read as line feeds.
  const again = inert.createElement('div');
  again.innerHTML = div.outerHTML.replaceAll('\r', '&#13;');
  if (again.childNodes.length !== 1 || !again.firstChild.isEqualNode(div)) return `it is read again as ${again.innerHTML}`;
  return '';
}

// divOf returns the div of the nodes of a content: a comment and the div.
const divOf = (nodes) => (nodes.length === 2 && nodes[0].nodeType === Node.COMMENT_NODE ? nodes[1] : null);

// asFragment puts a content into the page, and returns its div.
function asFragment(content, report) {
  const host = document.getElementById('host');
  host.innerHTML = content;
  report(`by innerHTML: ${problem(divOf([...host.childNodes]))}`);
  return host.lastChild;
}

// asDocument loads contents as one document, and compares it with their divs.
async function asDocument(frame, first, divs, report) {
  const path = `/content/${first}/${first + divs.length}`;
  await new Promise((loaded) => {
    frame.onload = loaded;
    frame.src = path;
  });
  const page = frame.contentDocument;
  const [comment, root, ...more] = page.childNodes;
  const nodes = [...page.body.childNodes];
  let found = '';
  if (new URL(page.URL).pathname !== path) {
    found = `it went to ${page.URL}`;
  } else if (comment?.nodeType !== Node.COMMENT_NODE || root?.tagName !== 'HTML' || more.length || root.attributes.length ||
      root.childNodes.length !== 2 || page.head.childNodes.length || page.body.attributes.length) {
    found = 'something stands outside the body';
  } else if (nodes.length !== 2 * divs.length - 1) {
    found = 'something stands outside the div';
  }
  divs.forEach((div, i) => {
    found ||= (i > 0 && nodes[2 * i - 1].nodeType !== Node.COMMENT_NODE ? 'there is no comment' : problem(nodes[2 * i])) ||
      (nodes[2 * i].isEqualNode(div) ? '' : 'it is another tree than by innerHTML');
  });
  report(`as a document: ${found}`);
}

// look looks at the contents from number first on, up to last. Those that are
// paragraphs of text share documents, the others have one each.
globalThis.look = async (first, last) => {
  const contents = await (await fetch(`/contents/${first}/${last}`)).json();
  const isText = (content) => !/<(?!!--|div class="xmldoc">|\/?p>|\/div>$)/.test(content);
  const problems = [];
  let next = 0;
  await Promise.all([...document.querySelectorAll('iframe')].map(async (frame) => {
    while (next < contents.length) {
      const begin = next;
      const report = (text) => text.endsWith(': ') || problems.push([first + begin, text]);
      const divs = [];
      do {
        divs.push(asFragment(contents[next++], report));
      } while (next < contents.length && isText(contents[next - 1]) && isText(contents[next]));
      await asDocument(frame, first + begin, divs, report);
    }
  }));
  document.getElementById('host').innerHTML = '';
  return problems;
};
