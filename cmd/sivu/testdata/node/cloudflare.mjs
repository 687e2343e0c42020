// A stand-in for Cloudflare: a worker before the store of its files, which shows
// 404.html for what is missing, or the root's index.html where that is not there.
//   node cloudflare.mjs --listen HOST:PORT --site FOLDER --worker FILE
import { file, listen, load, options } from "./server.mjs";

const given = options();
const worker = (await load(given.worker)).default;
const own = new Set(["/_worker.js", "/_routes.json", "/_headers", "/_redirects", "/.assetsignore"]);

const ASSETS = {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const found = own.has(pathname) ? undefined : file(given.site, request, pathname);
    if (found) return found;
    const page = file(given.site, new Request(request.url), "/404.html");
    if (page) return new Response(await page.text(), { status: 404, headers: { "content-type": "text/html; charset=utf-8" } });
    return new Response("<!doctype html>", { headers: { "content-type": "text/html; charset=utf-8" } });
  },
};

listen(given.listen, (request) => worker.fetch(request, { ASSETS }, {}));
