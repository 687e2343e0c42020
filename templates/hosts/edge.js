// The api variants, made of the base files as they are asked for.

var BASE_URL = [[json .BaseURL]];

// serveVariant answers with the api variant of a base file. Its validator is
// another than that of the base file.
async function serveVariant(request, url, file, load) {
  const headers = unconditional(request);
  for (const name of ["accept-encoding", "range", "if-range", "if-match", "if-unmodified-since"]) headers.delete(name);
  const stored = await load(file.replace(".api.json", ".json"), "GET", headers);
  if (!isFile(stored)) return missing(request, url, stored);
  const response = dress(stored), tag = stored.headers.get("etag");
  for (const name of ["content-encoding", "content-length", "transfer-encoding", "accept-ranges"]) response.headers.delete(name);
  if (tag) response.headers.set("etag", tag.replace(/"$/, '-api"'));
  if (isUnchanged(request, response)) return notModified(response);
  const body = new TextEncoder().encode(variantOf(await response.text()));
  response.headers.set("content-length", String(body.length));
  return new Response(request.method === "HEAD" ? null : body, response);
}

// variantOf takes the JSON text of a list page or a record and returns that of
// its api variant. It changes the addresses of the service where they stand as
// url, next and previous of the page, and as url of its records; meta and content
// are passed over, whatever they hold.
function variantOf(text) {
  let out = "", done = 0, depth = 0, top = "", key = "";
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "{" || c === "[") depth++;
    else if (c === "}" || c === "]") depth--;
    if (c !== '"') continue;
    const end = endOfString(text, i + 1), inner = text.slice(i + 1, end);
    if (text[end + 1] === ":") {
      key = inner;
      if (depth === 1) top = inner;
    } else if (isLink(key, depth, top) && inner.startsWith(BASE_URL + "/")) {
      out += text.slice(done, i + 1) + variantLink(inner);
      done = end;
    }
    i = end;
  }
  return out + text.slice(done);
}

// isLink knows the places of links: in the outermost object, and in the elements
// of its results.
function isLink(key, depth, top) {
  if (depth === 1) return key === "url" || key === "next" || key === "previous";
  return depth === 3 && top === "results" && key === "url";
}

// endOfString returns where a JSON string ends, that is, its closing mark.
function endOfString(text, from) {
  for (let i = from; ; i++) {
    i = text.indexOf('"', i);
    if (i < 0) return text.length;
    let slashes = 0;
    while (text[i - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return i;
  }
}

function variantLink(address) {
  const [path, query] = address.split("?");
[[- if eq .Links "query"]]
  return path + "?format=api" + (query ? "&" + query : "");
[[- else if eq .Links "file"]]
  return path.replace(/\.json$/, ".api.json") + (query ? "?" + query : "");
[[- else]]
  return path.replace(/\.json$/, ".api.json") + "?format=api" + (query ? "&" + query : "");
[[- end]]
}
