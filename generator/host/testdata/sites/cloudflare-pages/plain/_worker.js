// The routing of a sivu snapshot on Cloudflare, for https://api.example.fi.
// The files of the snapshot lie beside it and are read through env.ASSETS.

// The one rule by which requests become files, the same on every host that runs
// JavaScript. It is ECMAScript 5.1, as CloudFront Functions ask for.
var PREFIX = ""; // path of the base address
var CACHE = "public, max-age=0, must-revalidate";
var ERROR_CACHE = "public, max-age=10";
var PAGE = /^[1-9][0-9]{0,8}$/;
var RECORD = /^\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/$/;
var FILE = /^\/(?:index|page-[1-9][0-9]{0,8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/index)(?:\.api)?\.json$/;
var NOT_FOUND = { status: 404, body: '{"detail":"Not found."}' };

// route takes the path as it came, and the last value that the query gives for
// page and for format (undefined where it gives none). It returns the file of
// the snapshot that answers, as {file}, or the answer itself, as {status, body},
// with the path of a redirect as {location}.
function route(method, path, page, format) {
  var pages = PREFIX + "/pages";
  if (method === "OPTIONS") return { status: 200, body: "{}" };
  if (method !== "GET" && method !== "HEAD") return { status: 405, body: '{"detail":"Method not allowed."}' };
  if (path.slice(0, pages.length) !== pages) return NOT_FOUND;
  var rest = path.slice(pages.length);
  if (rest === "" || RECORD.test(rest + "/")) return { status: 308, body: "", location: path + "/" };
  var ending = format === "api" ? ".api.json" : ".json";
  if (rest === "/") {
    if (page === undefined) return { file: "/pages/index" + ending };
    return PAGE.test(page) ? { file: "/pages/page-" + page + ending } : NOT_FOUND;
  }
  if (RECORD.test(rest)) return { file: "/pages" + rest + "index" + ending };
  return FILE.test(rest) ? { file: "/pages" + rest } : NOT_FOUND;
}

// headersOf returns the headers of an answer, by lower-case names.
function headersOf(method, status) {
  var headers = {
    "content-type": "application/json",
    "allow": "GET, HEAD, OPTIONS",
    "vary": "Accept, Accept-Encoding", // these hosts compress by themselves
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "ETag",
    "x-content-type-options": "nosniff",
    "cache-control": status < 400 ? CACHE : ERROR_CACHE
  };
  if (method === "OPTIONS") {
    headers["access-control-allow-methods"] = "GET, HEAD, OPTIONS";
    headers["access-control-allow-headers"] = "*";
    headers["access-control-max-age"] = "86400";
  }
  return headers;
}

// What the hosts share that know Request and Response.

function last(url, name) {
  return url.searchParams.getAll(name).pop();
}

function ask(request, url) {
  return route(request.method, url.pathname, last(url, "page"), last(url, "format"));
}

// reply makes the Response of an answer that is no file.
function reply(request, url, answer) {
  const headers = new Headers(headersOf(request.method, answer.status));
  if (answer.location) headers.set("location", answer.location + url.search);
  return new Response(request.method === "HEAD" ? null : answer.body, { status: answer.status, headers });
}

// serve answers a request. load(file, method, headers) reads a file of the snapshot
// from the host's own store. The store is asked without If-None-Match: stores
// compare it with one tag, and some of their 304s have no ETag.
async function serve(request, load) {
  const url = new URL(request.url), answer = ask(request, url);
  if (!answer.file) return reply(request, url, answer);
  const stored = await load(answer.file, request.method, unconditional(request));
  if (!isFile(stored)) return missing(request, url, stored);
  const response = dress(stored);
  return isUnchanged(request, response) ? notModified(response) : response;
}

// unconditional returns the headers of a request without those that isUnchanged
// looks at.
function unconditional(request) {
  const headers = new Headers(request.headers);
  for (const name of ["if-none-match", "if-modified-since"]) headers.delete(name);
  return headers;
}

// isUnchanged evaluates If-None-Match, or without it If-Modified-Since (RFC 9110,
// 13.1.2, 13.1.3). Tags are compared weakly, and may hold commas.
function isUnchanged(request, response) {
  const tags = request.headers.get("if-none-match"), tag = response.headers.get("etag");
  if (tags === null) {
    return Date.parse(response.headers.get("last-modified")) <= Date.parse(request.headers.get("if-modified-since"));
  }
  if (tags.trim() === "*") return true;
  const opaque = (one) => one.replace(/^W\//, "");
  return tag !== null && (tags.match(/(?:W\/)?"[^"]*"/g) || []).some((one) => opaque(one) === opaque(tag));
}

// notModified makes a 304 of a response: without its body, and what describes
// that (RFC 9110, 15.4.5).
async function notModified(response) {
  const headers = new Headers(response.headers);
  for (const name of ["content-length", "content-encoding", "content-range", "transfer-encoding"]) headers.delete(name);
  if (response.body) await response.body.cancel();
  return new Response(null, { status: 304, headers });
}

// isFile looks at the type too, so that a page that the host shows for missing
// files is never sent as one.
function isFile(stored) {
  const type = stored.headers.get("content-type") || "";
  return stored.ok && type.startsWith("application/json");
}

// missing lets through what says nothing of whether the file is there: failures of
// the host, and refusals of conditions, of ranges and of too many requests.
function missing(request, url, stored) {
  const passes = stored.status >= 500 || [412, 416, 429].includes(stored.status);
  return passes ? stored : reply(request, url, NOT_FOUND);
}

// dress returns what is stored with the headers that are due.
function dress(stored) {
  const response = new Response(stored.body, stored), vary = stored.headers.get("vary") || "";
  for (const [name, value] of Object.entries(headersOf("GET", stored.status))) response.headers.set(name, value);
  for (const name of vary.split(",")) {
    if (!/^\s*(accept(-encoding)?)?\s*$/i.test(name)) response.headers.append("vary", name.trim());
  }
  return response;
}

export default {
  fetch(request, env) {
    return serve(request, (file, method, headers) =>
      env.ASSETS.fetch(new Request(new URL(file, request.url), { method, headers })));
  },
};
