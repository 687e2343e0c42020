// The routing of a sivu snapshot as Vercel Routing Middleware, for [[.BaseURL]].
// It depends on no package. Files get their headers from vercel.json.

[[template "route.js" .]]
[[template "serve.js" .]]
[[- if .Edge]]
[[template "edge.js" .]]
[[- end]]
export default function middleware(request) {
  const url = new URL(request.url), answer = ask(request, url);
  if (!answer.file) return reply(request, url, answer);
  [[- if .Edge]]
  if (answer.file.endsWith(".api.json")) {
    return serve(request, (file, method, headers) => fetch(new URL(file, url), { method, headers, redirect: "manual" }));
  }
  [[- end]]
  return new Response(null, { headers: { "x-middleware-rewrite": new URL(answer.file, url).href } });
}

export const config = { matcher: [[json (print .Prefix "/:path*")]] };
