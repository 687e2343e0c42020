#!/bin/sh
# Makes the edges of CloudFront drop all that they have, so that no old list page stands
# beside a new one. sivu publish runs it when something changed, with the addresses on
# standard input:
#     DISTRIBUTION=id sivu publish s3://BUCKET --host cloudfront --on-change 'sh deploy/forget.sh'
# Which of its keys an address is, CloudFront does not say where functions change it; so
# all are named, which counts as one path.
set -eu
: "${DISTRIBUTION:?set it to the id of the distribution}"
cat >/dev/null
id=$(aws cloudfront create-invalidation --distribution-id "$DISTRIBUTION" --paths '/*' --query Invalidation.Id --output text)
aws cloudfront wait invalidation-completed --distribution-id "$DISTRIBUTION" --id "$id"
