// What all stand-ins share: an HTTP server that speaks Request and Response, a
// store of files, and the compression that content networks do by themselves.
import crypto from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import zlib from "node:zlib";

// options returns the arguments, which are pairs of --name and value.
export function options() {
  const all = {};
  for (let i = 2; i < process.argv.length; i += 2) all[process.argv[i].slice(2)] = process.argv[i + 1];
  return all;
}

// load imports a file as a module, whatever its name ends with.
export function load(name) {
  return import("data:text/javascript;base64," + fs.readFileSync(name).toString("base64"));
}

// listen answers at host:port with what handle makes of a Request. vary is what the
// host itself adds to Vary when it compresses.
export function listen(address, handle, vary = "Accept-Encoding") {
  const [host, port] = address.split(":");
  const server = http.createServer(async (incoming, outgoing) => {
    try {
      const response = await handle(requestOf(incoming));
      await send(incoming, outgoing, response, vary);
    } catch (error) {
      console.error(incoming.method, incoming.url, error);
      outgoing.writeHead(500).end();
    }
  });
  // An idle connection that ends just when it is asked again would be an error
  // that no host has part in.
  server.keepAliveTimeout = 0;
  server.listen(Number(port), host);
}

function requestOf(incoming) {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name !== "connection") headers.set(name, String(value));
  }
  const request = new Request(new URL("http://" + incoming.headers.host + incoming.url), { headers });
  // A Request takes no method TRACE; hosts refuse it before any code runs, or not.
  return new Proxy(request, {
    get(target, name) {
      if (name === "method") return incoming.method;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

async function send(incoming, outgoing, response, vary) {
  let body = Buffer.from(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  headers.delete("connection"); // of an answer that was fetched: a field of one hop
  const size = incoming.method === "HEAD" ? Number(headers.get("content-length")) : body.length;
  if (size > 200 && response.status === 200) {
    if (vary) headers.append("vary", vary);
    if (/\bgzip\b(?!;q=0)/.test(incoming.headers["accept-encoding"] || "")) {
      body = body.length ? zlib.gzipSync(body) : body;
      headers.set("content-encoding", "gzip");
      headers.delete("content-length");
      if (headers.has("etag")) headers.set("etag", headers.get("etag").replace(/^"/, 'W/"'));
    }
  }
  if (incoming.method !== "HEAD" && response.status !== 304) headers.set("content-length", String(body.length));
  outgoing.writeHead(response.status, Object.fromEntries(headers));
  outgoing.end(incoming.method === "HEAD" ? undefined : body);
}

const types = { ".json": "application/json", ".html": "text/html; charset=utf-8", ".js": "text/javascript" };

// typeOf returns the type that a store gives a file.
export function typeOf(name) {
  return types[path.extname(name)] || "application/octet-stream";
}

// file answers with a file of a folder, or returns undefined where there is none.
// isSame evaluates the conditions of the request.
export function file(root, request, pathname, headers = {}, isSame = unchanged) {
  const name = path.join(root, path.normalize("/" + decodeURIComponent(pathname)));
  const info = fs.statSync(name, { throwIfNoEntry: false });
  if (!info || !info.isFile() || pathname.endsWith("/")) return undefined;
  const bytes = fs.readFileSync(name);
  const tag = '"' + crypto.createHash("sha1").update(bytes).digest("hex") + '"';
  const all = { "content-type": typeOf(name), etag: tag, "last-modified": info.mtime.toUTCString(), ...headers };
  if (isSame(request, tag, info.mtime)) return new Response(null, { status: 304, headers: all });
  all["content-length"] = String(bytes.length);
  return new Response(request.method === "HEAD" ? null : bytes, { headers: all });
}

function unchanged(request, tag, time) {
  const tags = request.headers.get("if-none-match");
  if (tags !== null) {
    return tags.split(",").map((one) => one.trim().replace(/^W\//, "")).some((one) => one === tag || one === "*");
  }
  const since = Date.parse(request.headers.get("if-modified-since") || "");
  return Math.floor(time.getTime() / 1000) * 1000 <= since;
}
