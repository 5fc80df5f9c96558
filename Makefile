# What people run; `make help` lists it. Longer checks are scripts in Tests/Checks, and packages are made in Packaging.

# Options for every build, for example FLAGS='-Xswiftc -warnings-as-errors'.
FLAGS ?=
# Where programs are installed; DESTDIR is put before it, for a package.
PREFIX ?= /usr/local
export FLAGS PREFIX

# The programs that people install, and their targets.
TOOLS = plutil PlistBuddy defaults
TOOL_TARGETS = plutil PlistBuddy DefaultsCommand

CHECKS = $(notdir $(wildcard Tests/Checks/*))

.PHONY: help needed run build install install-sync install-macos-paths uninstall uninstall-sync uninstall-macos-paths deb \
  deb-sync test lint format snippets docs simulate mutants fuzz sync-test histories bench bench-store rust-peer counts $(CHECKS)

help:
	@echo 'make run          build, and show Larder at work'
	@echo 'make install      install the programs, their manual pages and completions under PREFIX ($(PREFIX))'
	@echo 'make uninstall    remove them again'
	@echo 'make deb          make a Debian package of them'
	@echo '                  (-sync after these three names: for defaults-sync, which needs libcurl)'
	@echo 'make test         run the tests that need neither etcd nor a browser'
	@echo 'make lint         check format, imports, wording, links and spelling'
	@echo 'make format       format the code'
	@echo 'make snippets     compile the code of all pages, run what they show, and compare what it prints'
	@echo 'make docs         make the site of the documentation, and check that nothing public lacks it'
	@echo 'make simulate     run processes with their steps interleaved at random, for $(SIMULATE) seconds or with SEEDS=0..<1000'
	@echo 'make mutants      break the engine and synchronization in known ways, and check that each is found'
	@echo 'make fuzz         feed every reader and writer made-up input, $(FUZZ_SECONDS) seconds for each target'
	@echo 'make sync-test    test synchronization with servers of etcd on this machine, and print what it takes'
	@echo 'make histories    let machines and servers of etcd fail for $(HISTORIES) seconds, and look for what was lost'
	@echo 'make bench        measure reading and writing property lists beside other libraries'
	@echo 'make bench-store  measure the store beside Foundation and the limits of the machine'
	@echo 'make counts       check what reading and writing cost in instructions and allocations'
	@echo
	@echo 'Longer checks, each explained in its script in Tests/Checks:'
	@echo '  make $(CHECKS)' | fold -s -w 90

# The one place that asks for root, for all goals at once.
needed:
	@Packaging/needed $(MAKECMDGOALS)

# A debug build, which is there soonest.
run: needed
	LARDER_TARGETS='LaunchCounter DefaultsCommand plutil' swift build $(FLAGS)
	@Sources/Examples/show "$$(swift build --show-bin-path $(FLAGS))"

# Builds the programs of targets as they are installed, and then runs a command with their folder, `$$programs`.
built = @programs=$$(Packaging/build $(1)) &&

build: needed
	$(call built,$(TOOL_TARGETS)) printf 'The programs $(TOOLS) are in %s\n' "$$programs"

install: needed
	$(call built,$(TOOL_TARGETS)) Packaging/tools install "$$programs" $(TOOLS)

install-sync: needed
	$(call built,DefaultsSyncCommand) Packaging/tools install "$$programs" defaults-sync

install-macos-paths:
	@Packaging/tools link

uninstall:
	@Packaging/tools remove $(TOOLS)

uninstall-sync:
	@Packaging/tools remove defaults-sync

uninstall-macos-paths:
	@Packaging/tools unlink

deb: needed
	$(call built,$(TOOL_TARGETS)) Packaging/make-deb larder "$$programs" $(TOOLS)

deb-sync: needed
	$(call built,DefaultsSyncCommand) Packaging/make-deb larder-sync "$$programs" defaults-sync

# Tests that wait as tasks do not share the few threads of tasks with those that block them. Only some run at a time, so that
# no task of one waits for hundreds of other tests.
TASKS = AsyncStoreTests|PreferencesSyncTests|EtcdStoreTests|DefaultsTests|FoilTests|PublishingTests|TypedPreferencesTests|TypedDefaultsTests

# Those that mostly wait, for processes too, run beside those that mostly compute; their output follows.
test: needed
	swift build --build-tests $(FLAGS)
	@tests=$$(realpath "$$(swift build --show-bin-path $(FLAGS))/LarderPackageTests.xctest"); \
	  run() { "$$tests" --testing-library swift-testing --experimental-maximum-parallelization-width 16 "$$@"; }; \
	  output=$$(mktemp); trap 'rm -f "$$output"' EXIT; \
	  { run --filter PreferencesProcessTests; processes=$$?; run --filter '$(TASKS)' && [ $$processes = 0 ]; } >"$$output" 2>&1 & \
	  run --skip '$(TASKS)|PreferencesProcessTests|BrowserTests'; computing=$$?; \
	  wait $$!; waiting=$$?; cat "$$output"; [ "$$computing $$waiting" = '0 0' ]

lint: needed
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
	Tests/Architecture/check-architecture
	Tests/Messages/messages --check
	Tests/Documentation/check-pages

format:
	swift format --in-place --recursive --parallel Package.swift Sources Tests

# In the build of the tests, which has what the pages need.
snippets: needed
	Tests/Snippets/check-snippets .build/snippets .build $(FLAGS)

# Where the site is made; any server of static files serves it.
SITE = .build/docs

docs: needed
	swift build $(FLAGS)
	Tests/Documentation/make-site "$$(swift build --show-bin-path $(FLAGS))" '$(SITE)'
	@printf 'To look at it: python3 -m http.server --bind 127.0.0.1 --directory %s\n' '$(SITE)'

# How many seconds new seeds are tried, or which seeds.
SIMULATE ?= 60
SEEDS ?=
# Threads of one processor hand over to each other faster than those of several.
ONE_PROCESSOR = taskset --cpu-list $$(taskset --cpu-list --pid $$$$ | sed 's/.*: //; s/[,-].*//')
SIMULATION = LARDER_TARGETS=SimulationTests
SIMULATION_BUILD = -Xswiftc -O --scratch-path .build/simulation

simulate: needed
	$(SIMULATION) swift build --build-tests $(FLAGS) $(SIMULATION_BUILD)
	$(SIMULATION) LARDER_SIMULATION_SECONDS=$(SIMULATE) LARDER_SIMULATION_SEEDS='$(SEEDS)' SWIFT_DETERMINISTIC_HASHING=1 \
	  $(ONE_PROCESSOR) swift test --skip-build $(FLAGS) $(SIMULATION_BUILD) --filter '^SimulationTests'

mutants: needed
	Tests/Simulation/try-mutants engine .build/mutants
	Tests/Simulation/try-mutants sync .build/sync-mutants

# How many seconds each target is fuzzed, and which targets; all of them by default.
FUZZ_SECONDS ?= 60
FUZZ ?=
# libFuzzer as the toolchain has it, for programs with a main function.
LIBFUZZER = $(shell swift -print-target-info | sed -n 's/.*"runtimeResourcePath" *: *"\(.*\)".*/\1/p')/clang/lib/linux/libclang_rt.fuzzer_no_main-$(shell uname -m).a
# The code is counted by its edges, and what it compares is told to libFuzzer.
BUILD_FUZZER = swift build -c release --product Fuzzer --scratch-path .build/fuzz --sanitize=address \
  -Xswiftc -DFUZZING -Xswiftc -sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table \
  -Xswiftc -use-ld=lld -Xlinker '$(LIBFUZZER)' -Xlinker -lstdc++ $(FLAGS)

# The corpora grow in .build/fuzz-corpora.
fuzz: needed
	$(BUILD_FUZZER)
	@Tests/Fuzzing/fuzz "$$($(BUILD_FUZZER) --show-bin-path)/Fuzzer" .build/fuzz-corpora '$(FUZZ_SECONDS)' $(FUZZ)

# Only what synchronization needs is built, with the trait that links libcurl.
SYNC = --traits Etcd --scratch-path .build/sync $(FLAGS)
SYNC_TESTS = LARDER_TARGETS='EtcdStoreTests PreferencesSyncTests'
SYNC_FIGURES = $(CURDIR)/.build/sync-figures.tsv
MEASURED = FigureTests|LeaderTests

# Histories of a minute run beside the other tests; what is measured, when nothing else runs.
sync-test: needed
	@rm -f '$(SYNC_FIGURES)'
	$(SYNC_TESTS) swift build --product LarderPackageTests $(SYNC)
	$(SYNC_TESTS) LARDER_HISTORY_SECONDS=60 swift test --skip-build $(SYNC) --filter '^EtcdStoreTests' --skip '$(MEASURED)'
	$(SYNC_TESTS) LARDER_SYNC_FIGURES='$(SYNC_FIGURES)' swift test --skip-build $(SYNC) --no-parallel --filter '$(MEASURED)'
	$(SYNC_TESTS) Tests/Snippets/check-snippets .build/sync-snippets .build/sync --traits Etcd $(FLAGS)
	@awk -F '\t' 'BEGIN { printf "\n%-84s %-26s %s\n", "", "target", "measured" } { printf "%-84s %-26s %s\n", $$1, $$2, $$3 }' \
	  '$(SYNC_FIGURES)'

# How many seconds the histories take, with etcd and in memory, and the seed of one that is to be repeated.
HISTORIES ?= 600
SEED ?=

histories: needed
	$(SYNC_TESTS) swift build --product LarderPackageTests $(SYNC)
	$(SYNC_TESTS) LARDER_HISTORY_SECONDS=$(HISTORIES) $(if $(SEED),LARDER_HISTORY_SEED=$(SEED)) \
	  swift test --skip-build $(SYNC) --filter 'HistoryTests|LastWriteTests'

# Options of the benchmark, for example BENCH='--quick --only get'.
BENCH ?=
# Files that `make bench` writes what it finds to, as JSON and as a picture, and pages whose figures it replaces.
JSON ?=
CHART ?=
PAGES ?=
# The benchmark is a package of its own, in Tests/Benchmarks. valgrind, which counts, does not understand the
# debug information that this clang writes for C.
BUILD_BENCHMARK = swift build -c release --package-path Tests/Benchmarks --scratch-path .build/benchmarks \
  -debug-info-format none $(FLAGS)
BENCHMARK = Tests/Benchmarks/in-folder "$$($(BUILD_BENCHMARK) --show-bin-path)/larder-benchmark"

# rust-plist is measured where cargo and Debian's package of it are installed.
RUST_CRATES = /usr/share/cargo/registry
RUST_PEER = .build/rust-plist

# The programs that are measured are those that are installed.
bench: needed rust-peer
	$(BUILD_BENCHMARK)
	$(call built,$(TOOL_TARGETS)) $(BENCHMARK) codec --programs "$$programs" --rust-plist '$(RUST_PEER)/release/rust-plist-peer' \
	  $(BENCH) $(if $(JSON)$(CHART),--json '$(or $(JSON),.build/bench.json)')
	@$(if $(CHART),Tests/Benchmarks/publish '$(CHART)' $(PAGES) <'$(or $(JSON),.build/bench.json)' && printf 'written      %s\n' '$(CHART)' $(PAGES))

# The settings of cargo, which keep it off the network, are found from the folder of the peer.
rust-peer:
	@if command -v cargo && ls -d '$(RUST_CRATES)'/plist-1.* 2>/dev/null; then \
	  cd Tests/Benchmarks/RustPlist && cargo build --quiet --release --offline --target-dir '$(CURDIR)/$(RUST_PEER)' || \
	  printf 'rust-plist cannot be built\n' >&2; fi >/dev/null

# Small tools that are measured as whole processes, linked like installed programs.
MEASURED_TOOLS = EmptyTool PreferencesTool UserDefaultsTool

bench-store: needed
	$(BUILD_BENCHMARK)
	$(call built,$(TOOL_TARGETS) $(MEASURED_TOOLS)) $(BENCHMARK) store --programs "$$programs" $(BENCH)

counts: needed
	$(BUILD_BENCHMARK)
	@$(BENCHMARK) counts

$(CHECKS): needed
	@Tests/Checks/$@
