#!/bin/sh
# Brings a snapshot to Cloudflare Workers with static assets, for https://api.example.fi:
#     sh upload.sh SNAPSHOT
# The new site takes the place of the old one as a whole. Set CLOUDFLARE_API_TOKEN
# and CLOUDFLARE_ACCOUNT_ID; the name of the Worker is in wrangler.jsonc.
set -eu

snapshot=${1:-public}
here=$(cd "$(dirname "$0")" && pwd)
fail() {
  printf '%s\n' "$0: $1" >&2
  exit 2
}
[ -f "$snapshot/pages/index.json" ] || fail "$snapshot holds no snapshot; name its folder, as in: sh $0 public"
# Links that lead elsewhere are looked for on the first list page.
if ! grep -Eq '^\{"count":[0-9]+,"next":(null|"https://api\.example\.fi/pages/\?page=2"),' "$snapshot/pages/index.json" ||
  ! grep -Eq '"results":\[\]|"url":"https://api\.example\.fi/pages/[0-9a-f-]{36}/"' "$snapshot/pages/index.json"; then
  fail "$snapshot is built for another address or with other links than https://api.example.fi and query; build it anew with: sivu build --host cloudflare-workers --base-url 'https://api.example.fi' --out public"
fi

[ -f "$snapshot/pages/index.api.json" ] || fail "$snapshot holds no api variants, and nothing here makes them; build without --variants edge"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

# The site is made anew from what is the snapshot's: .sivu and whatever else lies
# in its folder stay behind.
site=$work/site
into=$site
mkdir -p "$into"
for name in pages 404.json 405.json; do
  cp -Rp "$snapshot/$name" "$into/"
done
# Precompressed files stay behind too, where this host has no use for them.
find "$into" -type f \( -name '*.json.gz' -o -name '*.json.br' -o -name '*.json.zst' \) -exec rm -f {} +

# take adds a file of the host: as the build made it, else as it lies beside this
# script.
take() {
  if [ -f "$snapshot/$1" ]; then
    cp "$snapshot/$1" "$site/"
  elif [ -f "$here/$1" ]; then
    cp "$here/$1" "$site/"
  else
    fail "$1 is missing; sivu build --host cloudflare-workers writes it"
  fi
}
take 404.html
take .assetsignore
cp "$here/worker.js" "$work/worker.js"
cp "$here/wrangler.jsonc" "$work/wrangler.jsonc"

cd "$work"
npx --yes wrangler@4 deploy
