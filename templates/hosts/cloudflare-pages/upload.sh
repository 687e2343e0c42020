#!/bin/sh
# Brings a snapshot to [[.Host.Title]], for [[.BaseURL]]:
#     sh upload.sh SNAPSHOT
# The new site takes the place of the old one as a whole. Set CLOUDFLARE_API_TOKEN,
# CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_PAGES_PROJECT, the name of the project.
[[template "upload/stage.sh" .]]
: "${CLOUDFLARE_PAGES_PROJECT:?set it to the name of the project}"
cd "$work"
npx --yes wrangler@4 pages deploy site --project-name "$CLOUDFLARE_PAGES_PROJECT" --branch "${CLOUDFLARE_PAGES_BRANCH:-main}"
