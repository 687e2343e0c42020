// Package markup turns the body of a page, Markdown or HTML, into content: one
// div.xmldoc that any page can hold (contract.md 2.2).
//
// Markdown is rendered to HTML first, and what it writes itself is allowed. Its
// headings get ids as GitHub makes them: the text of the heading in lower case,
// letters, marks, digits, "_" and "-" kept, white space as "-", the rest
// dropped, "-1", "-2" and so on for a repeat; {#id} at the end of a heading
// sets one. Where nothing is left for an id there is none. Task boxes are
// written as ☐ and ☑. Markdown that would cost its parser the square of its
// length, or a stack without end, is an error: budget.go says what
// it counts.
//
// Then the HTML is cleaned in one pass over its tokens. What need not change
// keeps its bytes. Headings of HTML bodies get no ids.
//
//   - The allow-list is in tables.go. Elements that are not on it lose their
//     tags, some lose their content too, and a div takes the place of those that
//     browsers show as blocks. Attributes go one by one. Each removal is a warning.
//     Comments, doctypes and processing instructions go silently.
//   - Of an element that goes, the text stays that readers would have read: what
//     stands in an object or a noscript, the options of a select, the text of a
//     textarea and of a formula, the title and the texts of a drawing, the value
//     of an input and the alt of an area. Text that is hidden, by the attribute
//     hidden, a popover or a style, stays hidden, or goes with an element that may
//     not stay.
//   - Audio and video get controls where they have none: nothing plays by itself.
//   - In a noscript, iframes and images without alt are removed: they count visits.
//   - The cleaner keeps the stack of open elements that a parser of its output
//     would have, by the rules of the HTML standard for bodies, lists and tables.
//     End tags that end nothing are dropped, those that are missing are written
//     unless they are optional, and an element that would cross another is ended
//     early. So there is nothing left for a parser to repair, and nothing leads
//     out of the div. Elements nested more than 256 levels deep are an error.
//   - An iframe becomes an embed.
//   - The renderer notes where in the Markdown its HTML came from, so that a
//     problem is reported at its place in the body.
//   - Addresses of pages become "/" and the meta.url of the page; a page or an
//     anchor that is not there is a broken link. Addresses of files become
//     absolute where the site says against what, else they begin at its root.
//   - A body that is one div.xmldoc is unwrapped first, with the comment that a
//     content begins with. So content can be a body again: cleaning content
//     changes nothing.
//   - Trusted HTML is held against no allow-list. All else applies, so elements
//     that no one can keep in one div for certain are removed as everywhere.
package markup
