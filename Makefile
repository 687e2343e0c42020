# What each target is for: make help
GO ?= go
CONTENT ?= content
OUT ?= public
PORT ?= 8000
BENCH_DIR ?= $(shell if [ -d /dev/shm ] && [ -w /dev/shm ]; then echo /dev/shm/sivu-bench; else echo .bench; fi)
BENCH_N ?= 1200,12000,100008
BENCH_RUNS ?= 5
FUZZ_TIME ?= 20s

.PHONY: help snapshot test race golden fuzz bench bench-steps serve sivu clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

snapshot: sivu ## build the snapshot of content/ into public/
	./sivu build --content $(CONTENT) --out $(OUT)

sivu:
	$(GO) build -o sivu ./cmd/sivu

test: ## run all tests
	$(GO) vet ./...
	$(GO) test ./...

race: ## run all tests with the race detector
	$(GO) test -race ./...

golden: ## accept the bytes that the sample site has now
	$(GO) test ./generator -run Golden -update

fuzz: ## run every fuzz target for FUZZ_TIME
	@set -e; for package in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
	    echo "$$package $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZ_TIME) $$package; \
	  done; \
	done

bench: ## measure whole builds beside their floor, in BENCH_DIR
	@mkdir -p $(BENCH_DIR)/bin
	@$(GO) build -o $(BENCH_DIR)/bin ./cmd/sivu ./cmd/sivu-bench
	$(BENCH_DIR)/bin/sivu-bench -sivu $(BENCH_DIR)/bin/sivu -dir $(BENCH_DIR) -n $(BENCH_N) -runs $(BENCH_RUNS)

bench-steps: ## measure the steps of a build
	$(GO) test -run '^$$' -bench . -benchmem ./generator/...

serve: sivu ## build into .serve/ for a plain file server, and run one on PORT
	./sivu build --content $(CONTENT) --out .serve --base-url http://localhost:$(PORT) --links file+query
	$(GO) run ./cmd/sivu-serve -root .serve -port $(PORT)

clean: ## remove what the other targets made, save the snapshot
	rm -rf sivu .bench .serve
