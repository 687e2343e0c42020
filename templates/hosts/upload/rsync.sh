#!/bin/sh
# Brings a snapshot to the server of [[.BaseURL]]:
#     TARGET=user@server:/folder/of/the/snapshot sh upload.sh SNAPSHOT
# rsync renames each file into its place, so none is ever half there; between
# files the order matters: records first; then the list pages, from the last; the
# first one at the end. Only after the time for which caches may use what they
# have, WAIT seconds, is removed what is no longer there. A client that follows
# links meets no missing file at any moment.
[[- if .Forget]] The cache before the server is made
# to forget what it has as soon as all list pages are new.
[[- end]]
#
# Files are compared by their bytes, and get the time of the upload: servers make
# a validator of that time, so it must change when the bytes do, and only then.
#
# In CI, SSH_KEY holds the private key and SSH_KNOWN_HOSTS the line of the server
# in known_hosts; elsewhere ssh knows them itself.
set -eu

snapshot=${1:-public}
fail() {
  printf '%s\n' "$0: $1" >&2
  exit 2
}
[[template "upload/fits.sh" . -]]
target=${TARGET:-}
[ -n "$target" ] || fail "there is no TARGET; set it to the folder on the server, as in: TARGET=user@server:/var/www/sivu"

if [ -n "${SSH_KEY:-}" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' HUP INT TERM
  (umask 077 && printf '%s\n' "$SSH_KEY" >"$work/key" && printf '%s\n' "${SSH_KNOWN_HOSTS:-}" >"$work/known_hosts")
  RSYNC_RSH="ssh -i $work/key -o IdentitiesOnly=yes -o BatchMode=yes -o UserKnownHostsFile=$work/known_hosts"
  export RSYNC_RSH
fi
[[if eq .Forget "varnish/forget.sh"]]
[[- template "varnish/forget.sh" .]]
[[else if eq .Forget "fastly/forget.sh"]]
[[- template "fastly/forget.sh" .]]
[[end -]]
# send compares by bytes, and quotes names for the other side.
send() {
  rsync -rlcs --chmod=D755,F644 --exclude=/.sivu "$@" "$snapshot/" "$target/"
}

# 1. records, and the bodies of errors
send --include=/404.json --include=/405.json --include=/pages/ --include='/pages/*-*-*-*-*/' --include='/pages/*-*-*-*-*/*' --exclude='*' ||
  fail "cannot send to $target; rsync makes that folder, and the ones above it must be there"

# 2. list pages from the last to the second: first those of nine digits, of which
# there may be none, and so on. What is new comes before what leads to it.
digits='[1-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'
while [ -n "$digits" ]; do
  range=$digits
  if [ "$range" = '[1-9]' ]; then range='[2-9]'; fi
  for name in "$snapshot"/pages/page-$range.json; do
    if [ -f "$name" ]; then
      send --ignore-existing --include=/pages/ --include="/pages/page-$range.*" --exclude='*'
      send --delay-updates --include=/pages/ --include="/pages/page-$range.*" --exclude='*'
    fi
    break
  done
  digits=${digits%\[?-9\]}
done

# 3. the first list page, and what the host wants at the top
send --delay-updates --include=/pages/ --include='/pages/page-1.*' --include='/pages/index.*' --include=/.htaccess --exclude='*'
[[- if .Forget]]
forget
[[- end]]

# 4. what is no longer part of the snapshot
remove() {
  rsync -rlcs --chmod=D755,F644 --delete "$@" "$snapshot/pages/" "$target/pages/"
}
gone=$(remove --dry-run --itemize-changes)
if printf '%s\n' "$gone" | grep -q '^\*deleting'; then
  sleep "${WAIT:-[[wait]]}"
  remove
[[- if .Forget]]
  forget
[[- end]]
fi
