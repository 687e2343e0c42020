// A stand-in for CloudFront with its functions, over a bucket that is a folder, with a
// file NAME.json beside it that has the type and the cache time of its objects.
// The functions run in njs where it is given, else in Node.
//   node cloudfront.mjs --listen HOST:PORT --files FOLDER --bucket FOLDER [--njs PROGRAM]
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { file, listen, options } from "./server.mjs";

const given = options();
const read = (name) => fs.readFileSync(path.join(given.files, name), "utf8");
const distribution = JSON.parse(read("distribution.json"));
const policy = JSON.parse(read("response-headers-policy.json"));

// policyHeaders returns the headers that the response headers policy adds. Those of
// CORS come with answers to requests that name their origin. CloudFront takes none of
// these as custom headers.
function policyHeaders(request) {
  const all = policy.CustomHeadersConfig.Items.map((one) => [one.Header, one.Value]), cors = policy.CorsConfig;
  const elsewhere = all.find(([name]) => /^(access-control-.*|x-content-type-options)$/i.test(name));
  if (elsewhere) throw new Error(elsewhere[0] + " cannot be set as custom header");
  if (policy.SecurityHeadersConfig?.ContentTypeOptions) all.push(["X-Content-Type-Options", "nosniff"]);
  if (cors && request.headers.has("origin")) {
    all.push(["Access-Control-Allow-Origin", cors.AccessControlAllowOrigins.Items.join(", ")]);
    all.push(["Access-Control-Expose-Headers", cors.AccessControlExposeHeaders.Items.join(", ")]);
  }
  return all;
}

// A function gets a copy of its event, in a world without Node's or a browser's.
function run(name, event) {
  if (given.njs) {
    const literal = JSON.stringify(JSON.stringify(event));
    return JSON.parse(execFileSync(given.njs, ["-c", read(name) + `\nconsole.log(JSON.stringify(handler(JSON.parse(${literal}))));`]));
  }
  const world = vm.createContext({ text: JSON.stringify(event) });
  return JSON.parse(vm.runInContext(read(name) + "\nJSON.stringify(handler(JSON.parse(text)));", world));
}

// queryOf does not decode, and keeps all values of a repeated name.
function queryOf(search) {
  const query = Object.create(null);
  for (const part of search.slice(1).split("&")) {
    if (part === "") continue;
    const [name, ...rest] = part.split("="), value = rest.join("=");
    if (!query[name]) query[name] = { value };
    else (query[name].multiValue ||= [{ value: query[name].value }]).push({ value });
  }
  return query;
}

const headersOf = (headers) => Object.fromEntries([...headers].map(([name, value]) => [name, { value }]));
const plain = (headers) => Object.entries(headers || {}).map(([name, { value }]) => [name, value]);

// fromBucket says 403 for what is missing, as buckets do that may not be listed.
function fromBucket(request, uri) {
  const about = JSON.parse(fs.readFileSync(given.bucket + ".json", "utf8"))[uri.slice(1)];
  const headers = about ? { "content-type": about.type, "cache-control": about.cache } : {};
  return file(given.bucket, request, uri, headers) || new Response("<Error/>", { status: 403 });
}

listen(given.listen, (request) => {
  const url = new URL(request.url);
  const event = { version: "1.0", request: { method: request.method, uri: url.pathname, querystring: queryOf(url.search), headers: headersOf(request.headers) } };
  const asked = run("viewer-request.js", event);
  if (asked.statusCode) {
    if (asked.body && asked.body.encoding !== "text") throw new Error("what encoding is " + asked.body.encoding);
    return new Response(asked.body ? asked.body.data : null, { status: asked.statusCode, headers: plain(asked.headers) });
  }
  let response = fromBucket(request, asked.uri);
  if (response.status < 400) {
    const changed = run("viewer-response.js", { ...event, response: { statusCode: response.status, headers: headersOf(response.headers) } });
    return new Response(response.body, { status: response.status, headers: plain(changed.response ? changed.response.headers : changed.headers) });
  }
  const custom = distribution.CustomErrorResponses.Items.find((one) => one.ErrorCode === response.status);
  response = fromBucket({ method: request.method, headers: new Headers() }, custom.ResponsePagePath);
  const headers = new Headers(response.headers);
  for (const [name, value] of policyHeaders(request)) headers.set(name, value);
  headers.delete("etag");
  return new Response(response.body, { status: Number(custom.ResponseCode), headers });
});
