// CloudFront Function for the viewer request, runtime cloudfront-js-2.0, for
// https://www.example.fi/v1.

// The one rule by which requests become files, the same on every host that runs
// JavaScript. It is ECMAScript 5.1, as CloudFront Functions ask for.
var PREFIX = "/v1"; // path of the base address
var CACHE = "public, max-age=60, stale-while-revalidate=600";
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

// lastOf returns the last value of a parameter. CloudFront leaves values encoded.
function lastOf(querystring, name) {
  var parameter = querystring[name];
  if (parameter === undefined) return undefined;
  var values = parameter.multiValue, value = values ? values[values.length - 1].value : parameter.value;
  try {
    return decodeURIComponent(value.replace(/\+/g, " "));
  } catch (e) {
    return value;
  }
}

// queryOf writes the query as it came, with the values of one name together.
function queryOf(querystring) {
  var parts = [];
  Object.keys(querystring).forEach(function (name) {
    (querystring[name].multiValue || [querystring[name]]).forEach(function (one) {
      parts.push(one.value === "" ? name : name + "=" + one.value);
    });
  });
  return parts.length ? "?" + parts.join("&") : "";
}

function handler(event) {
  var request = event.request, query = request.querystring;
  var answer = route(request.method, request.uri, lastOf(query, "page"), lastOf(query, "format"));
  if (answer.file) {
    request.uri = answer.file;
    request.querystring = {};
    return request;
  }
  var response = { statusCode: answer.status, headers: {} }, headers = headersOf(request.method, answer.status);
  Object.keys(headers).forEach(function (name) { response.headers[name] = { value: headers[name] }; });
  if (answer.location) response.headers.location = { value: answer.location + queryOf(query) };
  if (request.method !== "HEAD" && answer.body) response.body = { encoding: "text", data: answer.body };
  return response;
}
