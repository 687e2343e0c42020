#!/bin/sh
# Brings a snapshot to [[.Host.Title]], for [[.BaseURL]]:
#     sh upload.sh SNAPSHOT
# The new site takes the place of the old one as a whole. Set
# SWA_CLI_DEPLOYMENT_TOKEN to the deployment token of the app.
[[template "upload/stage.sh" .]]
: "${SWA_CLI_DEPLOYMENT_TOKEN:?set it to the deployment token of the app}"
cd "$work"
npx --yes @azure/static-web-apps-cli@2 deploy ./site --env production
