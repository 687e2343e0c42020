#!/bin/sh
# Brings a snapshot to [[.Host.Title]], for [[.BaseURL]]:
#     sh upload.sh SNAPSHOT
# The new site takes the place of the old one as a whole. Set CLOUDFLARE_API_TOKEN
# and CLOUDFLARE_ACCOUNT_ID; the name of the Worker is in wrangler.jsonc.
[[template "upload/stage.sh" .]]
cd "$work"
npx --yes wrangler@4 deploy
