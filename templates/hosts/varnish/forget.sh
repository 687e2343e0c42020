
# forget makes the cache drop all that it has, so that no old list page stands
# beside a new one. Varnish takes that from its own machine only: the one of TARGET,
# or CACHE, as in user@cache.
cache=${CACHE:-}
if [ -z "$cache" ]; then
  case $target in
  rsync://* | *::*) fail "there is no CACHE; set it to the machine of the cache, as in: CACHE=user@cache" ;;
  *:*) cache=${target%%:*} ;;
  esac
fi
forget() {
  set -- curl -fsS -o /dev/null -X BAN [[sh .Listen.URL]]
  # shellcheck disable=SC2086 # RSYNC_RSH is a command with its options
  if [ -n "$cache" ]; then set -- ${RSYNC_RSH:-ssh} "$cache" "$*"; fi
  "$@" || fail "the cache did not forget; verify what it answers in ten minutes, or run this again"
}
