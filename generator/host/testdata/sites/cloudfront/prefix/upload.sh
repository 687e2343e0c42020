#!/bin/sh
# Brings a snapshot to the S3 bucket of https://www.example.fi/v1:
#     BUCKET=name sh upload.sh SNAPSHOT
# A bucket changes file by file, so the order matters: records first; then the list
# pages, from the last; the first one at the end. Only after the time for which
# caches may use what they have, WAIT seconds, is removed what is no longer there.
# A client that follows links meets no missing file at any moment.
#
# Records are compared by size and time. Set ALL=1 to send each of them, as after
# an upload from another machine.
set -eu

snapshot=${1:-public}
fail() {
  printf '%s\n' "$0: $1" >&2
  exit 2
}
[ -f "$snapshot/pages/index.json" ] || fail "$snapshot holds no snapshot; name its folder, as in: sh $0 public"
# Links that lead elsewhere are looked for on the first list page.
if ! grep -Eq '^\{"count":[0-9]+,"next":(null|"https://www\.example\.fi/v1/pages/\?page=2"),' "$snapshot/pages/index.json" ||
  ! grep -Eq '"results":\[\]|"url":"https://www\.example\.fi/v1/pages/[0-9a-f-]{36}/"' "$snapshot/pages/index.json"; then
  fail "$snapshot is built for another address or with other links than https://www.example.fi/v1 and query; build it anew with: sivu build --host cloudfront --base-url 'https://www.example.fi/v1' --out public"
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
# Compressed siblings stay behind too, where this host has no use for them.
find "$into" -type f \( -name '*.json.gz' -o -name '*.json.br' -o -name '*.json.zst' \) -exec rm -f {} +

: "${BUCKET:?set it to the name of the bucket}"
target=s3://$BUCKET
block=${BLOCK:-50} # list pages that are sent by one command

send() {
  aws s3 "$@" --content-type application/json --cache-control 'public, max-age=60, stale-while-revalidate=600' --only-show-errors
}
send_error() {
  aws s3 "$@" --content-type application/json --cache-control 'public, max-age=10' --only-show-errors
}
# forget makes the edges drop all that they have, so that no old list page stands
# beside a new one.
: "${DISTRIBUTION:?set it to the id of the distribution}"
forget() {
  id=$(aws cloudfront create-invalidation --distribution-id "$DISTRIBUTION" --paths '/*' --query Invalidation.Id --output text)
  aws cloudfront wait invalidation-completed --distribution-id "$DISTRIBUTION" --id "$id"
}


# 1. records, and the bodies of errors
if [ "${ALL:-}" = 1 ]; then
  send cp --recursive "$into/pages" "$target/pages" --exclude '*' --include '*/index.json' --include '*/index.api.json'
else
  send sync "$into/pages" "$target/pages" --exclude '*' --include '*/index.json' --include '*/index.api.json'
fi
for name in 404.json 405.json; do
  send_error cp "$into/$name" "$target/$name"
done

# 2. list pages from the last to the second. Within a block the order is open, so
# those that are new in the bucket are a matter of their own: nothing leads to
# them yet, and the pages that will do so come after them.
last=1
while [ -f "$into/pages/page-$((last + 1)).json" ]; do last=$((last + 1)); done
there=$(aws s3 ls "$target/pages/page-" | sed -n 's/.* page-\([0-9]*\)\.json$/\1/p' | sort -n | tail -n 1)
there=${there:-1}
upper=$last
while [ "$upper" -gt 1 ]; do
  lower=$((upper - block + 1))
  if [ "$upper" -gt "$there" ] && [ "$lower" -le "$there" ]; then lower=$((there + 1)); fi
  if [ "$lower" -lt 2 ]; then lower=2; fi
  rm -rf "$work/block"
  mkdir "$work/block"
  n=$lower
  while [ "$n" -le "$upper" ]; do
    for file in "$into/pages/page-$n.json" "$into/pages/page-$n.api.json"; do
      mv "$file" "$work/block/"
    done
    n=$((n + 1))
  done
  send cp --recursive "$work/block" "$target/pages"
  mv "$work/block"/* "$into/pages/"
  upper=$((lower - 1))
done

# 3. the first list page
for name in page-1.api.json page-1.json index.api.json index.json; do
  send cp "$into/pages/$name" "$target/pages/$name"
done
forget

# 4. what is no longer part of the snapshot
gone=$(aws s3 sync "$into/pages" "$target/pages" --delete --size-only --dryrun)
if printf '%s\n' "$gone" | grep -q '^(dryrun) delete:'; then
  sleep "${WAIT:-700}"
  send sync "$into/pages" "$target/pages" --delete --size-only
  forget
fi
