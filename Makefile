# The front door. Needs a POSIX shell, make and any Node.js from 20 with npm; a Node.js that is new enough is fetched when it has to be.

SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
# Under -j two targets could install at once.
.NOTPARALLEL:

# First in every recipe that needs Node.js: the right one stands first on PATH.
use_node := node_directory=$$(sh tools/node.sh) && PATH="$$node_directory:$$PWD/node_modules/.bin:$$PATH" && export PATH &&
full := node tools/install.ts full && node tools/install.ts production examples/integrator

run_flags = $(if $(PORT),--public-port $(PORT)) $(if $(MANAGEMENT_PORT),--management-port $(MANAGEMENT_PORT)) \
  $(if $(SAMPLE_PORT),--sample-url http://localhost:$(SAMPLE_PORT)) $(if $(RPC),--rpc $(RPC)) $(ARGS)

export REDOCLY_TELEMETRY := off
export REDOCLY_SUPPRESS_UPDATE_NOTICE := true

##@ Try it

.PHONY: run
run: ## start everything with demo data   [PORT=… MANAGEMENT_PORT=… SAMPLE_PORT=… RPC=socket ARGS="--any-setting value"]
	@$(use_node) node tools/install.ts production . examples/integrator && exec bin/gatehouse demo $(run_flags)

.PHONY: reset-demo
reset-demo: ## forget the demo's data, keys and logins (everything in .gatehouse/)
	@echo "Removing .gatehouse/: the demo's data, keys and logins. The next 'make run' makes new ones."
	@rm -rf .gatehouse

##@ Work on it

.PHONY: install
install: ## install every package, those for development too
	@$(use_node) $(full)

.PHONY: install-sample
install-sample: ## install what examples/integrator needs to run
	@$(use_node) node tools/install.ts production examples/integrator

.PHONY: test
test: ## run all tests   [ONLY=path-or-pattern, ARGS="--any-jest-option"]
	@$(use_node) $(full) && exec jest $(ARGS) $(ONLY)

.PHONY: check
check: check-code check-contracts verify ## run everything but the tests: code, types, contracts, generated files

.PHONY: check-code
check-code: ## lint and check format and types
	@$(use_node) $(full) && biome check --error-on-warnings . && tsc && tsc --project examples/integrator

.PHONY: check-contracts
check-contracts: ## lint openapi/, the events' contract and proto/
	@$(use_node) $(full) && redocly lint && node tools/lint-contracts.ts && buf lint

.PHONY: format
format: ## put the code into its format
	@$(use_node) $(full) && biome check --write .

.PHONY: lint
lint: check-code check-contracts ## check-code and check-contracts

.PHONY: bench
bench: ## measure, beside floors of the same run; Linux only   [ARGS=operations-per-series]
	@$(use_node) $(full) && exec node bench/run.ts $(ARGS)

.PHONY: bench-growth
bench-growth: ## measure reads while the store grows to a million workers; Linux only   [ARGS=operations-per-series]
	@$(use_node) $(full) && exec node bench/growth.ts $(ARGS)

##@ Contracts and generated files

.PHONY: generate
generate: ## make generated/ and docs/configuration.md out of openapi/, proto/ and the settings
	@$(use_node) $(full) && node tools/generate.ts && node tools/configuration-page.ts

.PHONY: docs-config
docs-config: ## make docs/configuration.md alone
	@$(use_node) $(full) && node tools/configuration-page.ts

.PHONY: verify
verify: ## fail when a generated file is not what 'make generate' would make
	@$(use_node) $(full) && rm -rf .cache/verify && mkdir -p .cache/verify && \
	node tools/generate.ts .cache/verify/generated && node tools/configuration-page.ts .cache/verify/configuration.md && \
	if diff -r .cache/verify/generated generated && diff .cache/verify/configuration.md docs/configuration.md; \
	then echo "Generated files: up to date."; \
	else echo "Generated files differ (above: < as it should be, > as it is). Run 'make generate' and commit what it changes." >&2; exit 1; fi

##@ Housekeeping

.PHONY: clean
clean: ## remove what can be made again: node_modules, .cache, .tools (not the demo's data)
	rm -rf node_modules examples/integrator/node_modules .cache .tools coverage

.PHONY: help
help: ## show this list
	@awk 'BEGIN { FS = ":.*## " } \
	  /^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile
	@echo
