// How tall a frame should be. What is in a sandboxed frame cannot be asked, so
// it is reckoned from the content, by the type sizes of body.css. All in px.

const LINE = 27.2; // of the text
const GLYPH = 8; // width of a letter on average; signs of Chinese and the like count double
const MEASURE = 680; // the widest line
const PADDING = 56; // of both sides, and of top and bottom
const IMAGE = 260; // as tall as most are

const least = 120;
const most = 6000;

/** What the end of an element adds below its text. */
const below = { p: 17, div: 0, h1: 68, h2: 54, h3: 48, h4: 44, h5: 44, h6: 44, ul: 17, ol: 17, table: 17, tr: 13, blockquote: 0, pre: 41, hr: 54, figure: 17 };

const tags = /<(\/?)(p|div|h[1-6]|ul|ol|li|dl|dt|dd|table|tr|blockquote|pre|figure|figcaption|section|article|hr|br)\b[^>]*>/gi;

/**
 * heightOf reckons the height of a content in a frame.
 * @param {string} content HTML; it is only measured
 * @param {number} width of the frame
 */
export function heightOf(content, width) {
  const letters = Math.max(12, Math.min(MEASURE, width - PADDING) / GLYPH);
  const html = content.replace(/<!--[^]*?-->/g, '');
  let height = PADDING;
  let end = 0;
  for (const tag of html.matchAll(tags)) {
    height += textHeight(html.slice(end, tag.index), letters);
    const name = tag[2].toLowerCase();
    if (tag[1] || name === 'hr') height += below[name] ?? 0;
    end = tag.index + tag[0].length;
    if (height > most) return most;
  }
  height += textHeight(html.slice(end), letters);
  return Math.round(Math.min(most, Math.max(least, height)));
}

function textHeight(html, letters) {
  const images = (html.match(/<img\b/gi) ?? []).length;
  const text = html.replace(/<[^>]*>/g, '').trim();
  const wide = (text.match(/[\u2e80-\uffdc]/g) ?? []).length;
  return images * IMAGE + Math.ceil((text.length + wide) / letters) * LINE;
}
