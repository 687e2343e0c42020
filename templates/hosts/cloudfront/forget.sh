
# forget makes the edges drop all that they have, so that no old list page stands
# beside a new one.
: "${DISTRIBUTION:?set it to the id of the distribution}"
forget() {
  id=$(aws cloudfront create-invalidation --distribution-id "$DISTRIBUTION" --paths '/*' --query Invalidation.Id --output text)
  aws cloudfront wait invalidation-completed --distribution-id "$DISTRIBUTION" --id "$id"
}
