// A stand-in for the command aws: s3 cp, sync and ls on a bucket that is a folder, and
// invalidations of a distribution, which are only logged.
// AWS_BUCKETS holds the buckets, and beside each a file NAME.json with the type and
// the cache time of its objects. After every single object that was put or deleted
// it walks the bucket as a client would, where AWS_BASE is set, and writes to AWS_LOG
// what led nowhere.
// Within one command objects go in the order of their names: nobody promises another.
import fs from "node:fs";
import path from "node:path";

const folder = process.env.AWS_BUCKETS, log = process.env.AWS_LOG;
const say = (text) => fs.appendFileSync(log, text + "\n");
const [service, command, ...rest] = process.argv.slice(2);
if (service === "cloudfront") {
  say("cloudfront " + [command, ...rest].join(" "));
  if (command === "create-invalidation") console.log("I1");
  process.exit(0);
}
if (service !== "s3") throw new Error("no stand-in for " + service);
say("aws " + process.argv.slice(2).join(" "));

const flags = { filters: [] }, names = [];
for (let i = 0; i < rest.length; i++) {
  const flag = rest[i];
  if (flag === "--exclude" || flag === "--include") flags.filters.push([flag === "--include", rest[++i]]);
  else if (flag === "--content-type") flags.type = rest[++i];
  else if (flag === "--cache-control") flags.cache = rest[++i];
  else if (["--recursive", "--delete", "--size-only", "--only-show-errors", "--dryrun"].includes(flag)) flags[flag.slice(2)] = true;
  else if (flag.startsWith("--")) throw new Error("no stand-in for " + flag);
  else names.push(flag);
}

function bucketOf(address) {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address);
  return { bucket, key, root: path.join(folder, bucket) };
}

function filesBelow(root) {
  if (!fs.existsSync(root)) return [];
  return fs.readdirSync(root, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    .map((one) => path.relative(root, path.join(one.parentPath ?? one.path, one.name))).sort();
}

// chosen is the last filter that fits; * stands for anything, slashes too.
function chosen(name) {
  let is = true;
  for (const [include, pattern] of flags.filters) {
    const expression = pattern.split("*").map((part) => part.replace(/[.?+^$()[\]{}|\\]/g, "\\$&")).join(".*");
    if (new RegExp("^" + expression + "$").test(name)) is = include;
  }
  return is;
}

function change(target, key, from) {
  if (flags.dryrun) {
    console.log("(dryrun) " + (from ? "upload: " + from + " to " : "delete: ") + "s3://" + target.bucket + "/" + key);
    return;
  }
  const name = path.join(target.root, key), list = target.root + ".json";
  const about = fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, "utf8")) : {};
  if (from) {
    fs.mkdirSync(path.dirname(name), { recursive: true });
    fs.copyFileSync(from, name);
    about[key] = { type: flags.type || "binary/octet-stream", cache: flags.cache || "" };
  } else {
    fs.rmSync(name);
    delete about[key];
  }
  fs.writeFileSync(list, JSON.stringify(about));
  say((from ? "put " : "delete ") + key);
  if (process.env.AWS_BASE) walk(target.root, key);
}

// walk follows next, previous and url from the first list page, in both variants,
// once there is a first list page.
function walk(root, after) {
  const base = process.env.AWS_BASE, prefix = process.env.AWS_PREFIX || "";
  for (const ending of [".json", ".api.json"]) {
    const todo = ["pages/index" + ending], seen = new Set(todo);
    if (!fs.existsSync(path.join(root, prefix, todo[0]))) continue;
    while (todo.length) {
      const name = path.join(root, prefix, todo.pop());
      if (!fs.existsSync(name)) {
        say("MISSING " + name + " after " + after);
        continue;
      }
      const answer = JSON.parse(fs.readFileSync(name, "utf8"));
      for (const link of [answer.next, answer.previous, ...(answer.results || []).map((one) => one.url)]) {
        const to = link && fileOf(link.slice(base.length + 1), ending);
        if (to && !seen.has(to)) seen.add(to), todo.push(to);
      }
    }
  }
}

function fileOf(address, ending) {
  const [name, query] = address.split("?");
  if (name.endsWith(".json")) return name;
  const page = /(?:^|&)page=(\d+)/.exec(query || "");
  return name + (page ? "page-" + page[1] : "index") + ending;
}

if (command === "ls") {
  const target = bucketOf(names[0]);
  const keys = filesBelow(target.root).filter((key) => key.startsWith(target.key) && !key.slice(target.key.length).includes("/"));
  for (const key of keys) console.log("2026-01-01 00:00:00       " + "1000 " + path.basename(key));
  process.exit(keys.length ? 0 : 1);
}
const [from, to] = names, target = bucketOf(to);
if (command === "cp" && !flags.recursive) change(target, target.key, from);
else if (command === "cp" || command === "sync") {
  for (const name of filesBelow(from).filter(chosen)) {
    const source = path.join(from, name), old = path.join(target.root, target.key, name);
    const same = command === "sync" && fs.existsSync(old) && fs.statSync(old).size === fs.statSync(source).size &&
      (flags["size-only"] || fs.statSync(source).mtimeMs <= fs.statSync(old).mtimeMs);
    if (!same) change(target, path.join(target.key, name), source);
  }
  if (flags.delete) {
    for (const name of filesBelow(path.join(target.root, target.key)).filter(chosen)) {
      if (!fs.existsSync(path.join(from, name))) change(target, path.join(target.key, name));
    }
  }
} else throw new Error("no stand-in for " + command);
