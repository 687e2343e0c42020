// The routing of a sivu snapshot on Cloudflare, for [[.BaseURL]].
// The files of the snapshot lie beside it and are read through env.ASSETS.

[[template "route.js" .]]
[[template "serve.js" .]]
[[- if .Edge]]
[[template "edge.js" .]]
[[- end]]
export default {
  fetch(request, env) {
    return serve(request, (file, method, headers) =>
      env.ASSETS.fetch(new Request(new URL(file, request.url), { method, headers })));
  },
};
