#!/bin/sh
# Makes the folder that any file server serves at https://www.example.fi/v1:
#     sh site.sh SNAPSHOT SITE
# SITE must not be there yet.
set -eu

snapshot=${1:-public}
fail() {
  printf '%s\n' "$0: $1" >&2
  exit 2
}
[ -f "$snapshot/pages/index.json" ] || fail "$snapshot holds no snapshot; name its folder, as in: sh $0 public"
[ -f "$snapshot/pages/index.api.json" ] || fail "$snapshot holds no api variants, and nothing here makes them; build without --variants edge"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

# The site is made anew from what is the snapshot's: .sivu and whatever else lies
# in its folder stay behind.
site=$work/site
into=$site/v1
mkdir -p "$into"
for name in pages 404.json 405.json; do
  cp -Rp "$snapshot/$name" "$into/"
done
# Compressed siblings stay behind too, as this host compresses by itself.
find "$into" -type f \( -name '*.json.gz' -o -name '*.json.br' -o -name '*.json.zst' \) -exec rm -f {} +

to=${2:-site}
[ ! -e "$to" ] || fail "$to is there already"
cp -Rp "$site" "$to"
