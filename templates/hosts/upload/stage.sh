set -eu

snapshot=${1:-public}
[[- if or .AtRoot .Beside]]
here=$(cd "$(dirname "$0")" && pwd)
[[- end]]
fail() {
  printf '%s\n' "$0: $1" >&2
  exit 2
}
[[template "upload/fits.sh" . -]]
[[- if .Edge]]
[ ! -f "$snapshot/pages/index.api.json" ] || fail "$snapshot holds the api variants, which this host makes itself; build with --variants edge"
[[- else]]
[ -f "$snapshot/pages/index.api.json" ] || fail "$snapshot holds no api variants, and nothing here makes them; build without --variants edge"
[[- end]]

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

# The site is made anew from what is the snapshot's: .sivu and whatever else lies
# in its folder stay behind.
site=$work/site
into=$site[[.Folder]]
mkdir -p "$into"
for name in pages 404.json 405.json; do
  cp -Rp "$snapshot/$name" "$into/"
done
# Precompressed files stay behind too, where this host has no use for them.
find "$into" -type f \([[range $i, $c := .Drops]][[if $i]] -o[[end]] -name '*.json.[[$c]]'[[end]] \) -exec rm -f {} +
[[- if .AtRoot]]

# take adds a file of the host: as the build made it, else as it lies beside this
# script.
take() {
  if [ -f "$snapshot/$1" ]; then
    cp "$snapshot/$1" "$site/"
  elif [ -f "$here/$1" ]; then
    cp "$here/$1" "$site/"
  else
    fail "$1 is missing; sivu build --host [[.Host.Name]] writes it"
  fi
}
[[- range .AtRoot]]
take [[.]]
[[- end]]
[[- end]]
[[- range .Beside]]
[[- $folder := dir .]]
[[- if ne $folder "."]]
mkdir -p "$work/[[$folder]]"
[[- end]]
cp "$here/[[.]]" "$work/[[.]]"
[[- end]]
