#!/bin/sh
# Brings a snapshot to [[.Host.Title]], for [[.BaseURL]]:
#     sh upload.sh SNAPSHOT
# The new site takes the place of the old one as a whole. Set FIREBASE_PROJECT, and
# FIREBASE_KEY to the key of a service account, in JSON, or
# GOOGLE_APPLICATION_CREDENTIALS to the file that has it.
[[template "upload/stage.sh" .]]
: "${FIREBASE_PROJECT:?set it to the id of the project}"
if [ -n "${FIREBASE_KEY:-}" ]; then
  (umask 077 && printf '%s' "$FIREBASE_KEY" >"$work/key.json")
  export GOOGLE_APPLICATION_CREDENTIALS="$work/key.json"
fi
cd "$work"
npx --yes firebase-tools@15 deploy --only hosting --project "$FIREBASE_PROJECT" --non-interactive
