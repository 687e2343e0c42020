#!/bin/sh
# Makes Cloudflare forget addresses of [[.BaseURL]], for a bucket of R2 behind a domain
# of yours, or any other store behind Cloudflare. sivu publish runs it when something
# changed, with the addresses on standard input:
#     sivu publish s3://BUCKET[[.Folder]] --on-change 'sh deploy/forget-cloudflare.sh'
# CLOUDFLARE_ZONE is the id of the zone, CLOUDFLARE_API_TOKEN may purge its cache.
set -eu
: "${CLOUDFLARE_ZONE:?set it to the id of the zone}"
: "${CLOUDFLARE_API_TOKEN:?set it to a token that may purge the cache of the zone}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
api=${CLOUDFLARE_API:-https://api.cloudflare.com/client/v4}

purge() {
  curl -fsS -X POST "$api/zones/$CLOUDFLARE_ZONE/purge_cache" -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN" \
    -H 'Content-Type: application/json' --data-binary @- >/dev/null
}

# A request takes 30 addresses under every plan. Of more than 100 requests the limits of
# plans differ, and everything is purged instead.
cat >"$work/all"
if [ "$(wc -l <"$work/all")" -gt 3000 ]; then
  printf '{"purge_everything":true}' | purge
  exit
fi
split -l 30 "$work/all" "$work/part-"
for part in "$work"/part-*; do
  [ -f "$part" ] || continue
  sed -e 's/.*/"&"/' -e '$!s/$/,/' "$part" | { printf '{"files":['; cat; printf ']}'; } | purge
done
