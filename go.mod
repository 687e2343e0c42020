module example.org/sivu

go 1.26.0

require (
	github.com/andybalholm/brotli v1.2.8 // br: precompressed variants, the preview, and what verify unpacks
	github.com/andybalholm/cascadia v1.3.5 // CSS selectors of a rendered site: body and what is left out of it
	github.com/bmatcuk/doublestar/v4 v4.10.4 // patterns with ** under exclude in site.yaml
	github.com/cespare/xxhash/v2 v2.3.0 // hashes of texts, addresses and files that are the same on every machine
	github.com/chromedp/cdproto v0.159.0 // tests: the words that chromedp speaks to the browser in
	github.com/chromedp/chromedp v0.22.1 // tests: a person at the page browser, in real Chromium
	github.com/fsnotify/fsnotify v1.10.1 // the preview: changes in the content folder
	github.com/google/go-cmp v0.7.0 // tests: readable differences
	github.com/google/uuid v1.6.0 // ids of records, given and derived
	github.com/klauspost/compress v1.20.3 // gzip and zstd: precompressed variants, archives, the preview, and what verify unpacks
	github.com/microcosm-cc/bluemonday v1.0.27 // tests: a second opinion on cleaned HTML
	github.com/pelletier/go-toml/v2 v2.4.3 // TOML front matter, with the order and text of its keys
	github.com/rivo/uniseg v0.4.7 // the columns that a text takes on a terminal, and where its lines may end
	github.com/rogpeppe/go-internal v1.16.0 // tests: testscript, for commands as people type them
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // tests: holds site.yaml, reports and diagnostics against the schemas of sivu schema; it needs only x/text
	github.com/schollz/progressbar/v3 v3.19.1 // the progress bar on a terminal
	github.com/spf13/cobra v1.10.2 // commands, flags, help and shell completion
	github.com/spf13/pflag v1.0.10 // flags of types that cobra has none for
	github.com/yuin/goldmark v1.8.7 // Markdown: CommonMark with GitHub's extensions
	go.yaml.in/yaml/v4 v4.0.0 // YAML in front matter and site.yaml, as nodes with their places
	golang.org/x/net v0.62.0 // the HTML tokenizer, and the parser that tests compare with
	golang.org/x/sync v0.24.0 // errgroup, for workers that stop at the first failure, and semaphore
	golang.org/x/sys v0.49.0 // files relative to an open folder, and locks
	golang.org/x/term v0.47.0 // is it a terminal, and how wide
	golang.org/x/text v0.43.0 // NFC, case folding
	golang.org/x/time v0.16.0 // verify: a bounded rate of requests
)

require (
	github.com/minio/minio-go/v7 v7.4.1 // publish: the S3 API and the credentials of AWS; 3 MB of the program, and one client for all stores, where aws-sdk-go-v2 adds 5
	gopkg.in/ini.v1 v1.67.3 // publish: the region and the endpoint of a profile in ~/.aws/config; minio-go reads credentials with it
)

require (
	github.com/aymerick/douceur v0.2.0 // indirect
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/gorilla/css v1.0.1 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/klauspost/cpuid/v2 v2.4.0 // indirect
	github.com/klauspost/crc32 v1.3.0 // indirect
	github.com/minio/crc64nvme v1.1.1 // indirect
	github.com/minio/md5-simd v1.1.2 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/philhofer/fwd v1.2.0 // indirect
	github.com/rs/xid v1.6.0 // indirect
	github.com/tinylib/msgp v1.6.4 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
)
