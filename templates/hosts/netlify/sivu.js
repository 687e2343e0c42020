// The routing of a sivu snapshot as a Netlify edge function, for [[.BaseURL]].

[[template "route.js" .]]
[[template "serve.js" .]]
[[- if .Edge]]
[[template "edge.js" .]]
[[- end]]
// A file that is asked for by its own path comes from the store. For another one
// there is a request to this site: without a prefix that comes through here again,
// and then it is that. Its answer would be decoded, so none is asked for compressed.
export default (request, context) => serve(request, async (file, method, headers) => {
  const own = new URL(request.url);
  if (own.pathname === file) return context.next();
  headers = new Headers(headers);
  headers.set("accept-encoding", "identity");
  return fetch(new URL(file, own), { method, headers, redirect: "manual" });
});

export const config = { path: [[json (print .Prefix "/*")]] };
