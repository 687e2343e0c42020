vcl 4.1;
import std;
# [[.BaseURL]]: in front of a plain file server or bucket that has the snapshot
# at its root.
backend sivu {
    .host = "[[.Origin.Host]]";
    .port = "[[.Origin.Port]]";
    .connect_timeout = 5s;
    .first_byte_timeout = 30s;
}

# Who may make the cache forget all that it has, with the method BAN: upload.sh
# does, on this machine. A proxy on this machine that lets everybody in sends
# X-Forwarded-For, or speaks the PROXY protocol: its clients may not.
acl sivu_uploads {
    "127.0.0.1";
    "::1";
[[- if .ListenIP]]
    "[[.Listen.Host]]";
[[- end]]
}

sub vcl_recv {
    if (req.method == "BAN" && client.ip ~ sivu_uploads && req.http.X-Forwarded-For !~ ",") {
        ban("obj.status != 0");
        return (synth(202, "Forgotten"));
    }
    if (req.method == "OPTIONS") { return (synth(200, "OK")); }
    if (req.method != "GET" && req.method != "HEAD") { return (synth(405, "Method Not Allowed")); }

    # The query picks the file. Of a parameter that is repeated the last one
    # counts, and only digits of the query become part of a path.
    set req.http.Sivu-Path = regsub(req.url, "\?.*$", "");
    set req.http.Sivu-Query = regsub(req.url, "^[^?]*\??", "&");
    set req.http.Sivu-Variant = "";
    if (req.http.Sivu-Query ~ "^(?>.*&format(?=[=&]|$))=api(?:&|$)") { set req.http.Sivu-Variant = ".api"; }

    if (req.http.Sivu-Path ~ "^[[.Pattern]]/pages/$") {
        if (req.http.Sivu-Query ~ "^(?>.*&page(?=[=&]|$))=[1-9][0-9]{0,8}(?:&|$)") {
            set req.url = "/pages/page-" + regsub(req.http.Sivu-Query, "^(?>.*&page=)([0-9]+).*$", "\1") + req.http.Sivu-Variant + ".json";
        } elsif (req.http.Sivu-Query ~ "&page(?:[=&]|$)") {
            return (synth(404, "Not Found"));
        } else {
            set req.url = "/pages/index" + req.http.Sivu-Variant + ".json";
        }
    } elsif (req.http.Sivu-Path ~ "^[[.Pattern]]/pages/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/$") {
        set req.url = regsub(req.http.Sivu-Path, "^[[.Pattern]]", "") + "index" + req.http.Sivu-Variant + ".json";
    } elsif (req.http.Sivu-Path ~ "^[[.Pattern]]/pages/(?:index|page-[1-9][0-9]{0,8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/index)(?:\.api)?\.json$") {
        set req.url = regsub(req.http.Sivu-Path, "^[[.Pattern]]", "");
    } elsif (req.http.Sivu-Path ~ "^[[.Pattern]]/pages(?:/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$") {
        return (synth(308, "Permanent Redirect"));
    } else {
        return (synth(404, "Not Found"));
    }
    set req.http.Host = "[[.OriginName]]";
    unset req.http.Cookie;
    unset req.http.Range;
    unset req.http.Authorization;
    return (hash);
}

sub vcl_backend_fetch {
    unset bereq.http.Sivu-Path;
    unset bereq.http.Sivu-Query;
    unset bereq.http.Sivu-Variant;
}

sub vcl_backend_response {
    unset beresp.http.Set-Cookie;
    unset beresp.http.Vary;
    if (beresp.status == 200) {
        set beresp.http.Content-Type = "application/json";
        set beresp.ttl = 60s;
        set beresp.grace = 600s;
        set beresp.do_gzip = true;
    } elsif (beresp.status < 500) {
        set beresp.ttl = 10s;
        set beresp.grace = 0s;
    } elsif (bereq.is_bgfetch) {
        # What is stale is better than an error.
        return (abandon);
    } else {
        set beresp.uncacheable = true;
        set beresp.ttl = 0s;
    }
    return (deliver);
}

sub vcl_backend_error {
    set beresp.http.Content-Type = "application/json";
    set beresp.body = """{"detail":"Service unavailable."}""";
    return (deliver);
}

sub sivu_headers {
    set resp.http.Content-Type = "application/json";
    set resp.http.Allow = "GET, HEAD, OPTIONS";
    set resp.http.Vary = "Accept, Accept-Encoding";
    set resp.http.Access-Control-Allow-Origin = "*";
    set resp.http.Access-Control-Expose-Headers = "ETag";
    set resp.http.X-Content-Type-Options = "nosniff";
    unset resp.http.Server;
    unset resp.http.Via;
    unset resp.http.X-Varnish;
}

sub vcl_deliver {
    # A bucket may answer 403 for what is not there.
    if (resp.status >= 300 && resp.status < 500) { return (synth(404, "Not Found")); }
    # Varnish compares If-None-Match as one tag; clients may send "*" or several.
    if (resp.http.ETag && req.http.If-None-Match
        && (req.http.If-None-Match ~ "^\s*\*\s*$" || std.strstr(req.http.If-None-Match, regsub(resp.http.ETag, "^W/", "")))) {
        set req.http.If-None-Match = resp.http.ETag;
    }
    call sivu_headers;
    if (resp.status >= 500) {
        set resp.http.Cache-Control = "no-store";
    } else {
        set resp.http.Cache-Control = "[[.Cache]]";
    }
    return (deliver);
}

sub vcl_synth {
    call sivu_headers;
    unset resp.http.Retry-After;
    set resp.http.Cache-Control = "[[.ErrorCache]]";
    if (resp.status == 202) {
        set resp.http.Cache-Control = "no-store";
        set resp.body = "{}";
    } elsif (resp.status == 200) {
        set resp.http.Cache-Control = "[[.Cache]]";
        set resp.http.Access-Control-Allow-Methods = "GET, HEAD, OPTIONS";
        set resp.http.Access-Control-Allow-Headers = "*";
        set resp.http.Access-Control-Max-Age = "86400";
        set resp.body = "{}";
    } elsif (resp.status == 308) {
        set resp.http.Cache-Control = "[[.Cache]]";
        set resp.http.Location = regsub(req.url, "^[^?]*", "\0/");
        set resp.body = "";
    } elsif (resp.status == 404) {
        set resp.body = """{"detail":"Not found."}""";
    } elsif (resp.status == 405) {
        set resp.body = """{"detail":"Method not allowed."}""";
    } else {
        set resp.http.Cache-Control = "no-store";
        set resp.body = """{"detail":"Service unavailable."}""";
    }
    return (deliver);
}
