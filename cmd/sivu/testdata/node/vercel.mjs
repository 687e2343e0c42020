// A stand-in for Vercel: middleware before the files of a project, with the
// headers of vercel.json. It adds a charset to the type of files, and shows
// 404.html for what is missing. The middleware runs in Vercel's edge-runtime where
// the folder of its packages is given, else in Node.
//   node vercel.mjs --listen HOST:PORT --project FOLDER [--packages FOLDER]
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { file, listen, load, options } from "./server.mjs";

const given = options();
const settings = JSON.parse(fs.readFileSync(path.join(given.project, "vercel.json"), "utf8"));
const site = path.join(given.project, settings.outputDirectory);
const code = path.join(given.project, "middleware.js");
const middleware = given.packages ? inEdgeRuntime(code) : await load(code);
const under = middleware.config.matcher.replace("/:path*", "");

function dressed(response, own) {
  const headers = new Headers();
  for (const rule of settings.headers) {
    if (rule.source !== "/(.*)") throw new Error("what source is " + rule.source);
    for (const { key, value } of rule.headers) headers.set(key, value);
  }
  for (const [name, value] of response.headers) {
    if (own || !headers.has(name)) headers.set(name, value);
  }
  if (!own) headers.set("content-type", headers.get("content-type") + "; charset=utf-8");
  return new Response(response.body, { status: response.status, headers });
}

async function stored(request, pathname) {
  const found = file(site, request, pathname);
  if (found) return dressed(found, false);
  const page = file(site, new Request(request.url), "/404.html");
  const text = page ? await page.text() : "The page could not be found";
  const headers = { "content-length": String(text.length) };
  return dressed(new Response(request.method === "HEAD" ? null : text, { status: 404, headers }), false);
}

// inEdgeRuntime bundles a module as Vercel does, and runs it with nothing but what
// the edge-runtime gives. Request and Response are copied: those of the runtime
// are other classes than those here.
function inEdgeRuntime(file) {
  const require = createRequire(path.join(given.packages, "package.json"));
  const bundle = require("esbuild").buildSync({ entryPoints: [file], bundle: true, write: false, format: "iife", globalName: "middleware" });
  const { context } = new (require("edge-runtime").EdgeRuntime)({ initialCode: bundle.outputFiles[0].text + "\nglobalThis.middleware = middleware;" });
  return {
    config: context.middleware.config,
    async default(request) {
      const made = await context.middleware.default(new context.Request(request.url, { method: request.method, headers: [...request.headers] }));
      const body = made.body ? Buffer.from(await made.arrayBuffer()) : null;
      return new Response(body, { status: made.status, headers: [...made.headers] });
    },
  };
}

listen(given.listen, async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname !== under && !pathname.startsWith(under + "/")) return stored(request, pathname);
  const response = await middleware.default(request);
  const to = response.headers.get("x-middleware-rewrite");
  return to ? stored(request, new URL(to).pathname) : dressed(response, true);
});
