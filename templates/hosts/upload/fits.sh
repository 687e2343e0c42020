[ -f "$snapshot/pages/index.json" ] || fail "$snapshot holds no snapshot; name its folder, as in: sh $0 public"
# Links that lead elsewhere are looked for on the first list page.
if ! grep -Eq '^\{"count":[0-9]+,"next":(null|"[[.Link "next"]]"),' "$snapshot/pages/index.json" ||
  ! grep -Eq '"results":\[\]|"url":"[[.Link "url"]]"' "$snapshot/pages/index.json"; then
  fail "$snapshot is built for another address or with other links than [[.BaseURL]] and [[.Links]]; build it anew with: [[template "build" .]]"
fi
