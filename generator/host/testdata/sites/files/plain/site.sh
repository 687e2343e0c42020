#!/bin/sh
# Makes the folder that any file server serves at https://api.example.fi:
#     sh site.sh SNAPSHOT SITE
# SITE must not be there yet.
set -eu

snapshot=${1:-public}
fail() {
  printf '%s\n' "$0: $1" >&2
  exit 2
}
[ -f "$snapshot/pages/index.json" ] || fail "$snapshot holds no snapshot; name its folder, as in: sh $0 public"
# Links that lead elsewhere are looked for on the first list page.
if ! grep -Eq '^\{"count":[0-9]+,"next":(null|"https://api\.example\.fi/pages/page-2\.json\?page=2"),' "$snapshot/pages/index.json" ||
  ! grep -Eq '"results":\[\]|"url":"https://api\.example\.fi/pages/[0-9a-f-]{36}/index\.json"' "$snapshot/pages/index.json"; then
  fail "$snapshot is built for another address or with other links than https://api.example.fi and file+query; build it anew with: sivu build --host files --base-url 'https://api.example.fi' --out public"
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

to=${2:-site}
[ ! -e "$to" ] || fail "$to is there already"
cp -Rp "$site" "$to"
