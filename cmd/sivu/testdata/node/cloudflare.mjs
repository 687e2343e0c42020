// A stand-in for Cloudflare: a worker before the store of its files, which shows
// 404.html for what is missing, or the root's index.html where that is not there.
// The store compares If-None-Match with one tag, and its 304 has no ETag. Compressed
// answers have nothing more in Vary, as in wrangler.
//   node cloudflare.mjs --listen HOST:PORT --site FOLDER --worker FILE
import { file, listen, load, options } from "./server.mjs";

const given = options();
const worker = (await load(given.worker)).default;
const own = new Set(["/_worker.js", "/_routes.json", "/_headers", "/_redirects", "/.assetsignore"]);

function isSameTag(request, tag) {
  return [tag, "W/" + tag].includes(request.headers.get("if-none-match"));
}

const ASSETS = {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const found = own.has(pathname) ? undefined : file(given.site, request, pathname, {}, isSameTag);
    if (found?.status === 304) found.headers.delete("etag");
    if (found) return found;
    const page = file(given.site, new Request(request.url), "/404.html");
    if (page) return new Response(await page.text(), { status: 404, headers: { "content-type": "text/html; charset=utf-8" } });
    return new Response("<!doctype html>", { headers: { "content-type": "text/html; charset=utf-8" } });
  },
};

listen(given.listen, (request) => worker.fetch(request, { ASSETS }, {}), "");
