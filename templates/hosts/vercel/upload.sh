#!/bin/sh
# Brings a snapshot to [[.Host.Title]], for [[.BaseURL]]:
#     sh upload.sh SNAPSHOT
# The new site takes the place of the old one as a whole. Set VERCEL_TOKEN,
# VERCEL_ORG_ID and VERCEL_PROJECT_ID.
[[template "upload/stage.sh" .]]
: "${VERCEL_TOKEN:?set it to a token of your account}"
cd "$work"
npx --yes vercel@64 deploy --prod --yes --archive=tgz
