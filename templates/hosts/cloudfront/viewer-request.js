// CloudFront Function for the viewer request, runtime cloudfront-js-2.0, for
// [[.BaseURL]].

[[template "route.js" .]]
// lastOf returns the last value of a parameter. CloudFront leaves values encoded.
function lastOf(querystring, name) {
  var parameter = querystring[name];
  if (parameter === undefined) return undefined;
  var values = parameter.multiValue, value = values ? values[values.length - 1].value : parameter.value;
  try {
    return decodeURIComponent(value.replace(/\+/g, " "));
  } catch (e) {
    return value;
  }
}

// queryOf writes the query as it came, with the values of one name together.
function queryOf(querystring) {
  var parts = [];
  Object.keys(querystring).forEach(function (name) {
    (querystring[name].multiValue || [querystring[name]]).forEach(function (one) {
      parts.push(one.value === "" ? name : name + "=" + one.value);
    });
  });
  return parts.length ? "?" + parts.join("&") : "";
}

function handler(event) {
  var request = event.request, query = request.querystring;
  var answer = route(request.method, request.uri, lastOf(query, "page"), lastOf(query, "format"));
  if (answer.file) {
    request.uri = answer.file;
    request.querystring = {};
    return request;
  }
  var response = { statusCode: answer.status, headers: {} }, headers = headersOf(request.method, answer.status);
  Object.keys(headers).forEach(function (name) { response.headers[name] = { value: headers[name] }; });
  if (answer.location) response.headers.location = { value: answer.location + queryOf(query) };
  if (request.method !== "HEAD" && answer.body) response.body = { encoding: "text", data: answer.body };
  return response;
}
