// Package markup turns the body of a page into content: one div.xmldoc that any
// page can hold (contract.md 2.2). A [Renderer] takes a body of Markdown, HTML or
// another [page.Syntax]. Its [Result] has the content, the embeds, anchors and
// links in it, and the problems with their offsets in the body.
//
// Markdown is rendered by goldmark. Headings get ids as on GitHub: the text in
// lower case; letters, marks, digits, "_" and "-" stay, white space becomes "-",
// the rest goes; a repeat gets "-1", "-2" and so on. {#id .class} at the end of a
// heading, or in a line below another block, gives it attributes, and a quote that
// begins with [!NOTE] or another word gets the classes of an alert (attributes.go).
// Task boxes are written as ☐ and ☑. Markdown that would cost goldmark too much time
// or memory is an error (budget.go).
//
// Template markers, which the generator of a site replaces, are found by their forms
// (markers_templates.go) and taken out of a body before it is rendered (markers.go): of a
// pair the text in it stays, a single one goes, and links, images and films are made of
// those that are understood (markers_known.go). So are the imports, expressions and
// components of MDX (markers_lines.go, markers_mdx.go). The text that is left leads back to the body by the marks of a
// buffer, so offsets are those of the body. [Result.Markers] counts the markers.
//
// All HTML is cleaned in one pass over its tokens (clean.go). What goldmark writes
// for a block without raw HTML is clean already but for its addresses; such blocks
// skip the pass (markdown.go). What need not change keeps its bytes.
//
//   - Elements that are not allowed (elements.go) lose their tags; some become a
//     div, some go with their content (remove.go). Attributes go one by one. Each
//     removal is a warning; those of attributes for looks, loading or scripts alone
//     are counted. Comments, doctypes and processing instructions go silently.
//   - Text of a removed element that a reader would see stays (fallback.go). What
//     is hidden stays hidden, or goes.
//   - Audio and video get controls: nothing plays by itself. In a noscript,
//     iframes and images without alt are removed: they count visits.
//   - The cleaner keeps the stack of open elements that a parser of its output
//     would have, by the rules of the HTML standard (balance.go). It writes missing
//     end tags, drops stray ones, and ends early what would cross another element.
//     More than 256 levels are an error.
//   - An iframe becomes an embed.
//   - Addresses of pages become "/" and the meta.url of the page (links.go), as
//     [Addressing] says what they mean; a page or an anchor that does not exist is a
//     broken link. Addresses of files become absolute where the site has a base for
//     them, else relative to its root.
//   - A body that is one div.xmldoc is unwrapped first. So content can be a body
//     again: cleaning content changes nothing.
//   - Trusted HTML is held against no allow-list. All else applies: elements that
//     cannot be kept inside one div are removed as everywhere.
package markup
