#!/bin/sh
# Makes the folder that [[.Host.Title]] serves at [[.BaseURL]]:
#     sh site.sh SNAPSHOT SITE
# SITE must not be there yet.
[[template "upload/stage.sh" .]]
to=${2:-site}
[ ! -e "$to" ] || fail "$to is there already"
cp -Rp "$site" "$to"
