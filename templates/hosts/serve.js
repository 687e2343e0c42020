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

// serve answers a request. load(file, headers) reads a file of the snapshot from
// the host's own store, with the headers of the request.
async function serve(request, load) {
  const url = new URL(request.url), answer = ask(request, url);
  if (!answer.file) return reply(request, url, answer);
  [[- if .Edge]]
  if (answer.file.endsWith(".api.json")) return serveVariant(request, url, answer.file, load);
  [[- end]]
  const stored = await load(answer.file, request.method, request.headers);
  return isFile(stored) ? dress(stored, stored.body) : missing(request, url, stored);
}

// isFile looks at the type too, so that a page that the host shows for missing
// files is never sent as one.
function isFile(stored) {
  const type = stored.headers.get("content-type") || "";
  return stored.status === 304 || (stored.ok && type.startsWith("application/json"));
}

// missing lets through what says nothing of whether the file is there: failures of
// the host, and refusals of conditions, of ranges and of too many requests.
function missing(request, url, stored) {
  const passes = stored.status >= 500 || [412, 416, 429].includes(stored.status);
  return passes ? stored : reply(request, url, NOT_FOUND);
}

// dress returns what is stored with the headers that are due.
function dress(stored, body) {
  const response = new Response(body, stored), vary = stored.headers.get("vary");
  for (const [name, value] of Object.entries(headersOf("GET", stored.status))) response.headers.set(name, value);
  if (vary && vary.toLowerCase() !== "accept") response.headers.set("vary", vary + ", Accept");
  return response;
}
