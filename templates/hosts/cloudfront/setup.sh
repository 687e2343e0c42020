#!/bin/sh
# Makes the distribution for [[.BaseURL]], once:
#     BUCKET=name REGION=eu-north-1 sh setup.sh
# The bucket is there, and is not public. What is printed at the end is the id of the
# distribution, which upload.sh wants as DISTRIBUTION. The name of the address, its
# certificate and the policy of the bucket, which lets this distribution read it, are
# matters of your account.
#
# A function that changed:
#     aws cloudfront describe-function --name sivu-viewer-request --query ETag --output text
#     aws cloudfront update-function --name sivu-viewer-request --if-match ETAG \
#       --function-config Comment=sivu,Runtime=cloudfront-js-2.0 --function-code fileb://viewer-request.js
#     aws cloudfront publish-function --name sivu-viewer-request --if-match NEW_ETAG
set -eu
cd "$(dirname "$0")"
: "${BUCKET:?set it to the name of the bucket}"
: "${REGION:?set it to the region of the bucket}"

# function_arn makes and publishes a function, and prints its ARN.
function_arn() {
  etag=$(aws cloudfront create-function --name "sivu-$1" --function-config Comment=sivu,Runtime=cloudfront-js-2.0 \
    --function-code "fileb://$1.js" --query ETag --output text)
  aws cloudfront publish-function --name "sivu-$1" --if-match "$etag" \
    --query FunctionSummary.FunctionMetadata.FunctionARN --output text
}
request=$(function_arn viewer-request)
response=$(function_arn viewer-response)
headers=$(aws cloudfront create-response-headers-policy --response-headers-policy-config file://response-headers-policy.json \
  --query ResponseHeadersPolicy.Id --output text)
access=$(aws cloudfront create-origin-access-control --query OriginAccessControl.Id --output text --origin-access-control-config \
  "Name=sivu-$BUCKET,SigningProtocol=sigv4,SigningBehavior=always,OriginAccessControlOriginType=s3")

made=$(mktemp)
trap 'rm -f "$made"' EXIT
sed -e "s|BUCKET\.s3\.REGION\.|$BUCKET.s3.$REGION.|" -e "s|ACCESS_CONTROL_ID|$access|" -e "s|HEADERS_POLICY_ID|$headers|" \
  -e "s|VIEWER_REQUEST_ARN|$request|" -e "s|VIEWER_RESPONSE_ARN|$response|" distribution.json >"$made"
aws cloudfront create-distribution --distribution-config "file://$made" --query Distribution.Id --output text
