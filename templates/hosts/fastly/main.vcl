# [[.BaseURL]]: the main custom VCL of a service whose backend is a plain file
# server or bucket that has the snapshot at its root. The lines that begin with
# #FASTLY are Fastly's.
sub vcl_recv {
#FASTLY recv
  # A shield gets what an edge has routed.
  if (fastly.ff.visits_this_service > 0 || req.restarts > 0) { return(lookup); }

  declare local var.query STRING;
  declare local var.variant STRING;

  if (req.method == "OPTIONS") { error 611 "OK"; }
  if (req.method != "GET" && req.method != "HEAD") { error 612 "Method Not Allowed"; }

  # The query picks the file. Of a parameter that is repeated the last one
  # counts, and only digits of the query become part of a path.
  set var.query = "&" req.url.qs;
  set var.variant = if (var.query ~ "^(?>.*&format(?=[=&]|$))=api(?:&|$)", ".api", "");

  if (req.url.path ~ "^[[.Pattern]]/pages/$") {
    if (var.query ~ "^(?>.*&page(?=[=&]|$))=([1-9][0-9]{0,8})(?:&|$)") {
      set req.url = "/pages/page-" re.group.1 var.variant ".json";
    } else if (var.query ~ "&page(?:[=&]|$)") {
      error 613 "Not Found";
    } else {
      set req.url = "/pages/index" var.variant ".json";
    }
  } else if (req.url.path ~ "^[[.Pattern]](/pages/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/)$") {
    set req.url = re.group.1 "index" var.variant ".json";
  } else if (req.url.path ~ "^[[.Pattern]](/pages/(?:index|page-[1-9][0-9]{0,8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/index)(?:\.api)?\.json)$") {
    set req.url = re.group.1;
  } else if (req.url.path ~ "^[[.Pattern]]/pages(?:/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$") {
    error 614 "Permanent Redirect";
  } else {
    error 613 "Not Found";
  }
  unset req.http.Cookie;
  unset req.http.Range;
  unset req.http.Authorization;
  return(lookup);
}

sub vcl_hash {
  set req.hash += req.url;
  set req.hash += req.http.host;
#FASTLY hash
  return(hash);
}

sub vcl_hit {
#FASTLY hit
  return(deliver);
}

sub vcl_miss {
#FASTLY miss
  return(fetch);
}

sub vcl_pass {
#FASTLY pass
  return(pass);
}

sub vcl_fetch {
#FASTLY fetch
  unset beresp.http.Set-Cookie;
  # A Vary of the origin would split the cache.
  unset beresp.http.Vary;
  if (beresp.status == 200) {
    set beresp.http.Content-Type = "application/json";
    set beresp.ttl = 60s;
    set beresp.stale_while_revalidate = 600s;
    set beresp.stale_if_error = 600s;
    set beresp.http.Vary = "Accept-Encoding";
    # By this key upload.sh makes the cache forget.
    set beresp.http.Surrogate-Key = "sivu[[.Tag]]";
    if (req.http.Accept-Encoding ~ "gzip") { set beresp.gzip = true; }
    return(deliver);
  }
  if (beresp.status >= 500) {
    # What is stale is better than an error.
    if (stale.exists) { return(deliver_stale); }
    error 615 "Service Unavailable";
  }
  # A bucket may answer 403 for what is not there.
  error 613 "Not Found";
}

sub vcl_deliver {
#FASTLY deliver
  set resp.http.Content-Type = "application/json";
  set resp.http.Allow = "GET, HEAD, OPTIONS";
  set resp.http.Vary = "Accept, Accept-Encoding";
  set resp.http.Access-Control-Allow-Origin = "*";
  set resp.http.Access-Control-Expose-Headers = "ETag";
  set resp.http.X-Content-Type-Options = "nosniff";
  if (resp.status < 400) {
    set resp.http.Cache-Control = "[[.Cache]]";
  } else if (resp.status < 500) {
    set resp.http.Cache-Control = "[[.ErrorCache]]";
  } else {
    set resp.http.Cache-Control = "no-store";
  }
  unset resp.http.Server;
  unset resp.http.Via;
  return(deliver);
}

sub vcl_error {
#FASTLY error
  if (obj.status == 611) {
    set obj.status = 200;
    set obj.response = "OK";
    set obj.http.Access-Control-Allow-Methods = "GET, HEAD, OPTIONS";
    set obj.http.Access-Control-Allow-Headers = "*";
    set obj.http.Access-Control-Max-Age = "86400";
    synthetic {"{}"};
  } else if (obj.status == 612) {
    set obj.status = 405;
    set obj.response = "Method Not Allowed";
    synthetic.base64 "eyJkZXRhaWwiOiJNZXRob2Qgbm90IGFsbG93ZWQuIn0="; # {"detail":"Method not allowed."}
  } else if (obj.status == 613) {
    set obj.status = 404;
    set obj.response = "Not Found";
    synthetic.base64 "eyJkZXRhaWwiOiJOb3QgZm91bmQuIn0="; # {"detail":"Not found."}
  } else if (obj.status == 614) {
    set obj.status = 308;
    set obj.response = "Permanent Redirect";
    set obj.http.Location = req.url.path "/" if (req.url.qs != "", "?" req.url.qs, "");
    synthetic {""};
  } else {
    set obj.status = 503;
    set obj.response = "Service Unavailable";
    synthetic.base64 "eyJkZXRhaWwiOiJTZXJ2aWNlIHVuYXZhaWxhYmxlLiJ9"; # {"detail":"Service unavailable."}
  }
  return(deliver);
}

sub vcl_log {
#FASTLY log
}
