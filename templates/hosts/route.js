// The one rule by which requests become files, the same on every host that runs
// JavaScript. It is ECMAScript 5.1, as CloudFront Functions ask for.
var PREFIX = [[json .Prefix]]; // path of the base address
var CACHE = [[json .Cache]];
var ERROR_CACHE = [[json .ErrorCache]];
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
