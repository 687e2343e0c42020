#!/bin/sh
# Makes the distribution for [[.BaseURL]]:
#     BUCKET=name REGION=eu-north-1 sh setup.sh
# The bucket is there, and is not public. What is printed at the end is the id of the
# distribution, which forget.sh wants as DISTRIBUTION. The name of the address, its
# certificate and the policy of the bucket, which lets this distribution read pages/*,
# 404.json and 405.json but not .sivu/*, are matters of your account.
#
# It may be run again, after a failure or with changed files: what is there by its
# name is brought up to date. A distribution that is there stays as it is, with the
# names and certificates that it was given since.
set -eu
cd "$(dirname "$0")"
: "${BUCKET:?set it to the name of the bucket}"
: "${REGION:?set it to the region of the bucket}"
name=[[sh .ResourceName]]

ask() {
  aws cloudfront "$@" --output text
}

# first prints the first id of an answer, or nothing. aws writes None for nothing, and
# long lists in several parts.
first() {
  ids=$(ask "$@") || return
  printf '%s\n' "$ids" | sed -e '/^None$/d' -e '/^$/d' -e q
}

# function_arn makes a function or updates it, publishes it, and prints its ARN.
function_arn() {
  function=$name-$1
  set -- --name "$function" --function-config "Comment=$name,Runtime=cloudfront-js-2.0" --function-code "fileb://$1.js" --query ETag
  there=$(first list-functions --stage DEVELOPMENT --query "FunctionList.Items[?Name=='$function'].Name") || return
  if [ -z "$there" ]; then
    etag=$(ask create-function "$@") || return
  else
    etag=$(ask describe-function --name "$function" --query ETag) || return
    etag=$(ask update-function "$@" --if-match "$etag") || return
  fi
  ask publish-function --name "$function" --if-match "$etag" --query FunctionSummary.FunctionMetadata.FunctionARN
}

# make_or_update makes what has the id "", or updates it, and prints its id:
#     make_or_update KIND NAME_IN_ANSWERS ID CONFIGURATION
make_or_update() {
  if [ -z "$3" ]; then
    ask "create-$1" "--$1-config" "$4" --query "$2.Id"
  else
    etag=$(ask "get-$1" --id "$3" --query ETag) || return
    ask "update-$1" --id "$3" --if-match "$etag" "--$1-config" "$4" --query "$2.Id"
  fi
}

request=$(function_arn viewer-request)
response=$(function_arn viewer-response)
headers=$(first list-response-headers-policies --type custom \
  --query "ResponseHeadersPolicyList.Items[?ResponseHeadersPolicy.ResponseHeadersPolicyConfig.Name=='$name'].ResponseHeadersPolicy.Id")
headers=$(make_or_update response-headers-policy ResponseHeadersPolicy "$headers" file://response-headers-policy.json)
access=$(first list-origin-access-controls --query "OriginAccessControlList.Items[?Name=='$name'].Id")
access=$(make_or_update origin-access-control OriginAccessControl "$access" \
  "Name=$name,SigningProtocol=sigv4,SigningBehavior=always,OriginAccessControlOriginType=s3")

distribution=$(first list-distributions --query "DistributionList.Items[?Comment=='$name'].Id")
if [ -z "$distribution" ]; then
  made=$(mktemp)
  trap 'rm -f "$made"' EXIT
  sed -e "s|BUCKET\.s3\.REGION\.|$BUCKET.s3.$REGION.|" -e "s|ACCESS_CONTROL_ID|$access|" -e "s|HEADERS_POLICY_ID|$headers|" \
    -e "s|VIEWER_REQUEST_ARN|$request|" -e "s|VIEWER_RESPONSE_ARN|$response|" distribution.json >"$made"
  distribution=$(ask create-distribution --distribution-config "file://$made" --query Distribution.Id)
fi
printf '%s\n' "$distribution"
