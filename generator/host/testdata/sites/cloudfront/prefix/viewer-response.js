// CloudFront Function for the viewer response, runtime cloudfront-js-2.0. It is
// not run for errors of the origin: those have their headers from the response
// headers policy.
function handler(event) {
  var headers = event.response.headers, vary = headers.vary && headers.vary.value;
  headers["content-type"] = { value: "application/json" };
  headers["allow"] = { value: "GET, HEAD, OPTIONS" };
  headers["access-control-allow-origin"] = { value: "*" };
  headers["access-control-expose-headers"] = { value: "ETag" };
  headers["x-content-type-options"] = { value: "nosniff" };
  if (!vary || !/(^|[\s,])accept($|[\s,])/i.test(vary)) headers["vary"] = { value: vary ? vary + ", Accept" : "Accept" };
  return event.response;
}
