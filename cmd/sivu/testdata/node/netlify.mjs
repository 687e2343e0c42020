// A stand-in for Netlify: an edge function before the files of a site. What the
// function fetches from the site comes here again, as an ordinary request.
//   node netlify.mjs --listen HOST:PORT --project FOLDER
import path from "node:path";
import { file, listen, load, options } from "./server.mjs";

const given = options();
const site = path.join(given.project, "site");
const edge = await load(path.join(given.project, "netlify/edge-functions/sivu.js"));
const under = edge.config.path.replace(/\*$/, "");
if (!edge.config.path.endsWith("/*")) throw new Error("what path is " + edge.config.path);

// stored drops conditions unless it is told not to, as context.next does.
function stored(request, conditional) {
  const { pathname } = new URL(request.url);
  const headers = new Headers(request.headers);
  if (!conditional) for (const name of ["if-none-match", "if-modified-since"]) headers.delete(name);
  const found = file(site, { method: request.method, headers }, pathname);
  return found || new Response("<!doctype html>Page not found", { status: 404, headers: { "content-type": "text/html" } });
}

listen(given.listen, async (request) => {
  if (!new URL(request.url).pathname.startsWith(under)) return stored(request, true);
  return edge.default(request, {
    next: async (o) => {
      if (o instanceof Request) throw new Error("a changed request is not sure to be honoured");
      return stored(request, o && o.sendConditionalRequest);
    },
  });
});
