
# forget makes the cache drop all answers of the service, so that no old list page
# stands beside a new one. The token is not seen in the list of processes.
: "${FASTLY_API_TOKEN:?set it to a token that may purge}"
: "${FASTLY_SERVICE_ID:?set it to the id of the service}"
forget() {
  printf 'header = "Fastly-Key: %s"\n' "$FASTLY_API_TOKEN" |
    curl -fsS -o /dev/null -X POST --config - "https://api.fastly.com/service/$FASTLY_SERVICE_ID/purge/sivu[[.Tag]]" ||
    fail "the cache did not forget; verify what it answers in ten minutes, or run this again"
}
