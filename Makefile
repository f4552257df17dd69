# The front door. Needs a POSIX shell, make and any Node.js from 20 with npm; a Node.js that is new enough is fetched when it has to be.

SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
# Under -j two targets could install at once.
.NOTPARALLEL:

# First in every recipe that needs Node.js: the right one comes first on PATH.
use_node := node_directory=$$(sh tools/node.sh) && PATH="$$node_directory:$$PWD/node_modules/.bin:$$PATH" && export PATH &&
full := node tools/install.ts full && node tools/install.ts production examples/integrator examples/platform

# Temporal's packages are half of an install: only where a server is configured.
with_temporal := $(TEMPORAL)$(GATEHOUSE_TEMPORAL_ADDRESS)$(GATEHOUSE_TEMPORAL_ADDRESS_FILE)$(findstring --temporal-address,$(ARGS))
program := node tools/install.ts $(if $(with_temporal),temporal,production) && node tools/install.ts production examples/integrator

temporal_port := $(or $(TEMPORAL_PORT),7233)
temporal_ui_port := $(or $(TEMPORAL_UI_PORT),8233)

run_flags = $(if $(PORT),--public-port $(PORT)) $(if $(MANAGEMENT_PORT),--management-port $(MANAGEMENT_PORT)) \
  $(if $(SAMPLE_PORT),--sample-url http://localhost:$(SAMPLE_PORT)) $(if $(RPC),--rpc $(RPC)) \
  $(if $(TEMPORAL),--temporal-address 127.0.0.1:$(temporal_port) --temporal-ui-url http://127.0.0.1:$(temporal_ui_port)) $(ARGS)

export REDOCLY_TELEMETRY := off
export REDOCLY_SUPPRESS_UPDATE_NOTICE := true

##@ Try it

.PHONY: run
run: ## start everything with demo data   [PORT=… MANAGEMENT_PORT=… SAMPLE_PORT=… RPC=socket TEMPORAL=1 ARGS="--any-setting value"]
	@$(use_node) $(program) && exec bin/gatehouse demo $(run_flags)

.PHONY: demo-environment
demo-environment: ## start a demo beside a Gatehouse in use: issuer, keys, store and people of its own   [PORT=9080 ARGS="--any-setting value"]
	@$(use_node) $(program) && exec bin/gatehouse demo --data-directory .gatehouse-demo \
	  --public-port $(or $(PORT),9080) --management-port $(or $(MANAGEMENT_PORT),9081) \
	  --sample-url http://localhost:$(or $(SAMPLE_PORT),9082) $(ARGS)

.PHONY: mock
mock: ## answer with the contracts' examples; the header Prefer chooses one   [PORT=…]
	@$(use_node) $(full) && exec node tools/mock.ts $(PORT)

.PHONY: temporal
temporal: ## start a Temporal server with its UI, for 'make run TEMPORAL=1'   [TEMPORAL_PORT=… TEMPORAL_UI_PORT=…]
	@$(use_node) node tools/install.ts temporal && exec node tools/temporal-server.ts --port $(temporal_port) --ui-port $(temporal_ui_port)

.PHONY: temporal-cli
temporal-cli: ## find the Temporal CLI, or build it (Go, some minutes), and print its path
	@sh tools/temporal-cli.sh

.PHONY: reset-demo
reset-demo: ## forget the demo's data, keys and logins (everything in .gatehouse/)
	@echo "Removing .gatehouse/: the demo's data, keys and logins. The next 'make run' makes new ones."
	@rm -rf .gatehouse

##@ Work on it

.PHONY: install
install: ## install every package, those for development too
	@$(use_node) $(full)

.PHONY: install-production
install-production: ## install what the program needs to run, without Temporal's packages
	@$(use_node) node tools/install.ts production

.PHONY: install-temporal
install-temporal: ## install what the program needs to run with a Temporal server
	@$(use_node) node tools/install.ts temporal

.PHONY: install-sample
install-sample: ## install what examples/integrator and examples/platform need to run
	@$(use_node) node tools/install.ts production examples/integrator examples/platform

.PHONY: test
test: ## run the tests, without the suites that take long; of a path or pattern, all   [ONLY=path-or-pattern, ARGS="--any-jest-option"]
	@$(use_node) $(full) && TEST_SUITES=$(if $(ONLY),all,quick) exec jest $(ARGS) $(ONLY)

.PHONY: test-long
test-long: ## run the suites that take long: faults, Chromium's looks, Temporal's server, samples in every language   [ARGS="--any-jest-option"]
	@$(use_node) $(full) && TEST_SUITES=long exec jest $(ARGS)

.PHONY: cases
cases: ## get every answer of every operation from mock, product and every SDK; print case by subject
	@$(use_node) $(full) && rm -rf .cache/cases && \
	if jest --testMatch '**/test/conformance/*.test.ts' --testMatch '**/test/sdk/*.check.ts' --testNamePattern 'every operation'; \
	then cat .cache/cases.txt; else cat .cache/cases.txt; exit 1; fi

.PHONY: check
check: check-code check-contracts verify ## run every check except the tests: code, types, contracts, generated files

.PHONY: check-code
check-code: ## lint and check format and types
	@$(use_node) $(full) && biome check --error-on-warnings . && tsc && tsc --project examples/integrator && tsc --project examples/platform

.PHONY: check-contracts
check-contracts: ## lint openapi/, the events' contract and proto/; compare them with the baseline
	@$(use_node) $(full) && redocly lint && node tools/lint-contracts.ts && buf lint && node tools/breaking-changes.ts

.PHONY: format
format: ## format the code
	@$(use_node) $(full) && biome check --write .

.PHONY: lint
lint: check-code check-contracts ## check-code and check-contracts

.PHONY: bench
bench: ## measure, beside floors of the same run; Linux only   [ARGS=operations-per-series]
	@$(use_node) $(full) && exec node bench/run.ts $(ARGS)

.PHONY: oracle
oracle: ## random writes against a simple model: every read and every event must equal the model's   [RUNS=60]
	@$(use_node) $(full) && GATEHOUSE_ORACLE_RUNS=$(or $(RUNS),60) exec jest test/workforce/oracle

.PHONY: races
races: ## many codes and refresh tokens, each used fifty times at once, on both databases; and a longer run of the model   [CODES=10000 RUNS=1000]
	@$(use_node) $(full) && GATEHOUSE_RACES=$(or $(CODES),10000) GATEHOUSE_MODEL_RUNS=$(or $(RUNS),1000) exec jest test/sign-on/token-races test/sign-on/token-model

.PHONY: mutants
mutants: ## change the rules that matter most, one detail at a time: do their tests notice? (docs/mutants.md)   [TARGET="pkce redirect-uri"]
	@$(use_node) $(full) && exec node tools/mutants.ts $(TARGET)

.PHONY: weather
weather: ## load and faults on every shape, for MINUTES each; then compare everything that was acknowledged   [MINUTES=10 SEED=number SHAPE="PostgreSQL" READY_SECONDS=10]
	@$(use_node) $(full) && GATEHOUSE_WEATHER_MINUTES=$(or $(MINUTES),10) $(if $(SEED),GATEHOUSE_WEATHER_SEED=$(SEED)) \
	GATEHOUSE_WEATHER_READY_SECONDS=$(or $(READY_SECONDS),10) \
	exec jest test/faults/weather.long.test $(if $(SHAPE),--testNamePattern "$(SHAPE)")

.PHONY: soak
soak: ## everything at once for MINUTES, while the clock jumps by days: do tables, memory, handles and files stay flat?; Linux only   [MINUTES=60 STORE=embedded|postgres SEED=number]
	@$(use_node) $(full) && exec node test/soak/soak.ts $(or $(MINUTES),60) $(or $(STORE),embedded) $(SEED)

.PHONY: older-program
older-program: ## the program of an earlier commit on PostgreSQL, and this one that migrates its store beside it under load, is taken back and starts again: does a request fail?   FROM=commit [SECONDS=20]
	@$(use_node) $(full) && exec node test/upgrade/older-program.ts "$(FROM)" $(or $(SECONDS),20)

.PHONY: disk-faults
disk-faults: ## let the disk fail at every kind of read, write and flush of backup, restore, migration and sweep; needs cc
	@$(use_node) $(full) && GATEHOUSE_DISK_FAULTS=all exec jest test/faults/disk-faults

.PHONY: faults
faults: ## kill -9 at every step of an event and at random, on both databases; then compare events with deliveries   [KILLS=1000 SEED=number STORE="SQLite"]
	@$(use_node) $(full) && GATEHOUSE_FAULTS_KILLS=$(or $(KILLS),1000) $(if $(SEED),GATEHOUSE_FAULTS_SEED=$(SEED)) \
	exec jest 'test/faults/kills[^/]*test' $(if $(STORE),--testNamePattern "$(STORE)")

.PHONY: fuzz
fuzz: ## send made-up requests to the gateway of a new installation   [REQUESTS=100000 SEED=number]
	@$(use_node) $(full) && exec node test/fuzz/fuzz.ts $(or $(REQUESTS),100000) $(SEED)

.PHONY: timing
timing: ## does the time of an answer reveal foreign ids and bad keys?; Linux only   [ARGS=requests-per-kind]
	@$(use_node) $(full) && exec node bench/timing.ts $(ARGS)

.PHONY: timing-sign-in
timing-sign-in: ## does the time of a sign-in reveal unknown, wrong or disabled ones?; Linux only   [ARGS=attempts-per-kind]
	@$(use_node) $(full) && exec node bench/timing-sign-in.ts $(ARGS)

.PHONY: bench-sign-on
bench-sign-on: ## measure sign-on beside floors and node-oidc-provider, and with a login flood; Linux only   [ARGS=operations-per-series]
	@$(use_node) $(full) && exec node bench/sign-on-run.ts $(ARGS)

.PHONY: bench-sign-on-growth
bench-sign-on-growth: ## measure code exchanges with a million codes in the store, and while they are swept; Linux only   [ARGS=operations-per-series]
	@$(use_node) $(full) && exec node bench/sign-on-growth.ts $(ARGS)

.PHONY: bench-by-turns
bench-by-turns: ## measure an event and a burst with the program of an earlier commit and with this one, by turns; Linux only   FROM=commit [ARGS="rounds deliveries-per-series"]
	@$(use_node) $(full) && exec node bench/by-turns.ts "$(FROM)" $(ARGS)

.PHONY: bench-sign-on-by-turns
bench-sign-on-by-turns: ## measure sign-on and a short list with the program of an earlier commit and with this one, by turns; Linux only   FROM=commit [ARGS="rounds operations-per-series" STORE=embedded|postgres]
	@$(use_node) $(full) && exec node bench/sign-on-by-turns.ts "$(FROM)" $(or $(ARGS),3 10000) $(STORE)

.PHONY: bench-temporal
bench-temporal: ## measure retries by Temporal beside the embedded engine; Linux only   [ARGS="retries waiting-deliveries"]
	@$(use_node) $(full) && exec node bench/temporal.ts $(ARGS)

.PHONY: bench-neighbours
bench-neighbours: ## measure what the trouble of other subscriptions costs one that answers; Linux only   [ARGS="waiting-events silent-endpoints embedded|temporal|temporal-equal scenes"]
	@$(use_node) $(full) && exec node bench/neighbours.ts $(ARGS)

.PHONY: bench-webhooks-at-scale
bench-webhooks-at-scale: ## measure one event to many subscriptions, many that wait for one, and a dead endpoint among many; Linux only   [ARGS="subscriptions waiting-events endpoints"]
	@$(use_node) $(full) && exec node bench/webhooks-at-scale.ts $(ARGS)

.PHONY: bench-growth
bench-growth: ## measure reads while the store grows to a million workers; Linux only   [ARGS=operations-per-series]
	@$(use_node) $(full) && exec node bench/growth.ts $(ARGS)

.PHONY: copy-at-scale
copy-at-scale: ## move a large installation to PostgreSQL, killed once in the middle; prints times   [WORKERS=1000000 GRANTS=100000]
	@$(use_node) $(full) && exec node bench/copy-at-scale.ts $(or $(WORKERS),1000000) $(or $(GRANTS),100000)

.PHONY: bench-contracts
bench-contracts: ## measure the targets that make and check the contracts, and the size of their pages; Linux and Chromium   [ARGS="targets"]
	@$(use_node) $(full) && exec node bench/contracts.ts $(ARGS)

##@ Contracts and generated files

.PHONY: generate
generate: ## make generated/, desk/events.json, docs/configuration.md and the lists in docs/rulings/ out of openapi/, proto/, settings and test titles
	@$(use_node) $(full) && node tools/generate.ts && node tools/desk-events.ts && node tools/configuration-page.ts && node tools/papers/ruling-pages.ts

.PHONY: sdks
sdks: ## make the SDKs, install each in its own toolchain and call the product with it   [ARGS="-t go"]
	@$(use_node) $(full) && node tools/sdks.ts && \
	exec jest --testMatch '**/test/sdk/*.check.ts' --verbose $(ARGS)

.PHONY: docs
docs: ## write the documentation as a static site   [SITE=folder ISSUER=https://… GATEWAY_URL=https://…]
	@$(use_node) $(full) && node tools/documentation-site.ts $(or $(SITE),site) "$(ISSUER)" "$(GATEWAY_URL)"

.PHONY: baseline
baseline: ## make today's contracts the baseline for later comparisons; at a release, and for a new operation or event, while 'make check-contracts' passes
	@$(use_node) $(full) && cp generated/contracts/*.yaml generated/contracts/*.proto openapi/baseline/ && buf build --output proto/baseline.binpb

.PHONY: store-of-before
store-of-before: ## make a store with every kind of row by this program, for the tests of later upgrades; at a release   NAME=store-3
	@$(use_node) $(full) && node test/upgrade/make-store.ts $(NAME) && biome format --write test/upgrade/$(NAME).json

.PHONY: docs-config
docs-config: ## make docs/configuration.md alone
	@$(use_node) $(full) && node tools/configuration-page.ts

.PHONY: docs-rulings
docs-rulings: ## write into docs/rulings/ which tests show each ruling, and the index
	@$(use_node) $(full) && node tools/papers/ruling-pages.ts

.PHONY: verify
verify: ## fail when a generated file differs from the result of 'make generate'
	@$(use_node) $(full) && rm -rf .cache/verify && mkdir -p .cache/verify && \
	node tools/generate.ts .cache/verify/generated && node tools/desk-events.ts .cache/verify/events.json && node tools/configuration-page.ts .cache/verify/configuration.md && \
	node tools/papers/ruling-pages.ts .cache/verify/rulings && \
	if diff -r --exclude=sdk .cache/verify/generated generated && diff .cache/verify/events.json desk/events.json && diff .cache/verify/configuration.md docs/configuration.md && \
	diff -r .cache/verify/rulings docs/rulings; \
	then echo "Generated files: up to date."; \
	else echo "Generated files differ (above: < as it should be, > as it is). Run 'make generate' and commit what it changes." >&2; exit 1; fi && \
	node tools/verify-sdks.ts

##@ Housekeeping

.PHONY: clean
clean: ## remove everything that can be made again: node_modules, .cache, .tools (not the demo's data)
	rm -rf node_modules examples/*/node_modules .cache .tools coverage

.PHONY: help
help: ## show this list
	@awk 'BEGIN { FS = ":.*## " } \
	  /^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  make %-27s %s\n", $$1, $$2 }' Makefile
	@echo
