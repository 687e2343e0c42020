#!/bin/sh
# Brings a snapshot to [[.Host.Title]], for [[.BaseURL]]:
#     sh upload.sh SNAPSHOT
# The new site takes the place of the old one as a whole. Set NETLIFY_AUTH_TOKEN
# and NETLIFY_SITE_ID.
[[template "upload/stage.sh" .]]
: "${NETLIFY_SITE_ID:?set it to the id of the site}"
cd "$work"
npx --yes netlify-cli@27 deploy --prod --no-build --dir site --site "$NETLIFY_SITE_ID"
