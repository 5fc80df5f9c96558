# Thin aliases over SwiftPM. `make help` lists them.

# Options for every build, for example FLAGS='-Xswiftc -warnings-as-errors'.
FLAGS ?=

# Installed programs carry the Swift library inside, so that they start fast and need no toolchain.
RELEASE = swift build -c release --static-swift-stdlib $(FLAGS)
# The folder of the programs that `make build` makes.
PROGRAMS = $(shell $(RELEASE) --show-bin-path)

# The programs that people install.
TOOLS = plutil PlistBuddy defaults

# The program that needs libcurl, which is built apart from the others so that these do without it.
RELEASE_SYNC = $(RELEASE) --traits Etcd --scratch-path .build/release-sync
SYNC_PROGRAMS = $(shell $(RELEASE_SYNC) --show-bin-path)

SUDO = $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: help messages run build build-sync install install-sync install-files install-macos-paths uninstall uninstall-sync \
  uninstall-macos-paths deb deb-sync test \
  test-user test-libxml2 client simulate mutants faults soak serve \
  sanitize sanitize-address sync-test histories browser-test fuzz bench bench-store rust-peer counts packages \
  docs snippets lint format linkage static dependencies \
  lint-dependencies test-dependencies static-dependencies libxml2-dependencies count-dependencies package-dependencies \
  libcurl-dependencies sync-dependencies browser-dependencies clean

help:
	@echo 'make run               build, and show Larder at work'
	@echo 'make build             build the programs as they are installed, and say where they are'
	@echo 'make install           install the programs, their manual pages and completions under PREFIX ($(PREFIX))'
	@echo 'make install-sync      install defaults-sync, which needs libcurl, and the units of its agent for systemd'
	@echo 'make install-macos-paths  link /usr/libexec/PlistBuddy, /usr/bin/plutil and /usr/bin/defaults to those under PREFIX'
	@echo 'make uninstall         remove the programs again; make uninstall-sync removes defaults-sync'
	@echo 'make deb               make a Debian package of the programs; make deb-sync makes that of defaults-sync'
	@echo 'make test              run the tests that need neither etcd nor a browser'
	@echo 'make snippets          compile the code of all pages, run what they show, and compare what it prints'
	@echo 'make test-user         run the tests of files and programs as a user without privileges, if root builds'
	@echo 'make test-libxml2      test property lists with several versions of libxml2, and compare what they read'
	@echo 'make client            test programs that were written for Defaults, Foil and TypedDefaults'
	@echo 'make simulate          run processes in every order on a simulated machine, for $(SIMULATE) seconds or with SEEDS=0..<1000'
	@echo 'make mutants           break the engine in known ways, and check that the simulation finds each'
	@echo 'make faults            let every system call of every program fail, crash the machine everywhere, and count losses'
	@echo 'make soak              run the tests with many processes for longer, also those of order, leaks, kinds of files, links and mounts'
	@echo 'make serve             read a thousand stores while others write, and print what a server waits for'
	@echo 'make sync-test         test synchronization with servers of etcd on this machine, and print what it takes'
	@echo 'make histories         let machines and servers of etcd fail for $(HISTORIES) seconds, and look for what was lost'
	@echo 'make browser-test      test pages of property lists and preferences in a browser'
	@echo 'make sanitize          run the tests with many threads for a minute under ThreadSanitizer'
	@echo 'make sanitize-address  run the tests under AddressSanitizer'
	@echo 'make fuzz              feed every reader and writer made-up input, $(FUZZ_SECONDS) seconds for each target'
	@echo 'make bench             measure reading and writing property lists beside other libraries'
	@echo 'make bench-store       measure the store beside Foundation and the limits of the machine'
	@echo 'make counts            check what reading and writing cost in instructions and allocations'
	@echo 'make packages          install, remove and use what is installed, also the Debian package without Swift'
	@echo 'make docs              make the site of the documentation, and check that nothing public lacks it'
	@echo 'make lint              check the format of the code, who may import whom, the wording of texts, links, and spelling'
	@echo 'make messages          list all errors, warnings, help and manual texts'
	@echo 'make format            put the code into that format'
	@echo 'make linkage           check which libraries the programs need'
	@echo 'make static            link a program statically, and run it where there is nothing else'
	@echo 'make clean             remove everything that was built'

# Prints a command, then what it does. Preferences go to a folder of the show's own.
show = @printf '\n$$ %s\n' '$(1)'; export XDG_CONFIG_HOME="$(SHOW)"; \
  PATH="$(PROGRAMS):$$PATH"; $(1)
SHOW = $(CURDIR)/.build/show

run: build
	$(RELEASE) --product LaunchCounter
	@rm -rf "$(SHOW)"
	@printf '\nA tool that keeps its preferences, Sources/Examples/LaunchCounter, is started three times.\n'
	@printf 'They go to %s here, and to ~/.config otherwise.\n' '$(SHOW)'
	$(call show,LaunchCounter; LaunchCounter)
	@printf '\n# Another process changes a preference; the tool sees it:\n'
	$(call show,defaults write org.example.launch-counter greeting "Hello again")
	$(call show,LaunchCounter)
	@printf '\n# They can be read from anywhere:\n'
	$(call show,defaults read org.example.launch-counter)
	@printf '\n# And this is the file that holds them:\n'
	$(call show,cat "$$XDG_CONFIG_HOME"/org.example.launch-counter.plist)
	@printf '\n# Any property list can be checked, printed and converted:\n'
	$(call show,plutil -lint Fixtures/xml/launchd-job.plist)
	$(call show,plutil -extract ProgramArguments.0 raw Fixtures/xml/launchd-job.plist)
	$(call show,plutil -lint Fixtures/malformed/xml/integer-with-letters.plist; test $$? = 1)
	@rm -rf "$(SHOW)"
	@printf '\nThe programs are in %s; --help prints what each can do.\n' '$(PROGRAMS)'

build: dependencies
	@for tool in $(TOOLS); do $(RELEASE) --product $$tool || exit 1; done
	@printf 'The programs %s are in %s\n' '$(TOOLS)' '$(PROGRAMS)'

build-sync: dependencies libcurl-dependencies
	$(RELEASE_SYNC) --product defaults-sync
	@printf 'The program defaults-sync is in %s\n' '$(SYNC_PROGRAMS)'

# Where programs are installed; DESTDIR is put before it, for a package.
PREFIX ?= /usr/local
DESTDIR ?=
# Where zsh looks for completions: its own folder, but not so for packages of Debian.
ZSH_COMPLETIONS ?= $(PREFIX)/share/zsh/site-functions

MANUALS = $(PREFIX)/share/man/man1
BASH_COMPLETIONS = $(PREFIX)/share/bash-completion/completions
FISH_COMPLETIONS = $(PREFIX)/share/fish/vendor_completions.d

install: build
	@$(MAKE) --no-print-directory install-files

# The programs write their manual pages and completions themselves.
install-files:
	@install -d $(foreach folder,$(PREFIX)/bin $(MANUALS) $(BASH_COMPLETIONS) $(ZSH_COMPLETIONS) $(FISH_COMPLETIONS),\
	  '$(DESTDIR)$(folder)')
	@set -e; for tool in $(TOOLS); do \
	  program='$(PROGRAMS)'/$$tool; \
	  install -s -m 755 "$$program" '$(DESTDIR)$(PREFIX)/bin'; \
	  "$$program" --manual > '$(DESTDIR)$(MANUALS)'/$$tool.1; \
	  gzip -9nf '$(DESTDIR)$(MANUALS)'/$$tool.1; \
	  "$$program" --completion bash > '$(DESTDIR)$(BASH_COMPLETIONS)'/$$tool; \
	  "$$program" --completion zsh > '$(DESTDIR)$(ZSH_COMPLETIONS)'/_$$tool; \
	  "$$program" --completion fish > '$(DESTDIR)$(FISH_COMPLETIONS)'/$$tool.fish; \
	  printf 'installed %s\n' '$(DESTDIR)$(PREFIX)/bin'/$$tool; \
	done
	@case ' $(TOOLS) ' in *' PlistBuddy '*) \
	  install -d '$(DESTDIR)$(PREFIX)/libexec' && ln -sf ../bin/PlistBuddy '$(DESTDIR)$(PREFIX)/libexec/PlistBuddy' && \
	  printf 'installed %s\n' '$(DESTDIR)$(PREFIX)/libexec/PlistBuddy' && \
	  if test ! -e '$(DESTDIR)/usr/libexec/PlistBuddy'; then \
	    printf '%s\n' 'Scripts from macOS call /usr/libexec/PlistBuddy, which does not exist; to create it: sudo make install-macos-paths PREFIX=$(PREFIX)'; \
	  fi ;; esac

# The paths by which scripts from macOS call the programs, for an installation with another prefix.
MACOS_PATHS = bin/defaults bin/plutil libexec/PlistBuddy

install-macos-paths:
	@set -e; for path in $(MACOS_PATHS); do \
	  link='$(DESTDIR)/usr'/$$path; \
	  if test -e "$$link"; then printf '%s exists, and was left unchanged\n' "$$link"; continue; fi; \
	  install -d "$${link%/*}"; \
	  ln -s '$(PREFIX)/bin'/"$${path##*/}" "$$link"; \
	  printf 'installed %s\n' "$$link"; \
	done

uninstall-macos-paths:
	@for path in $(MACOS_PATHS); do link='$(DESTDIR)/usr'/$$path; \
	  if test "$$(readlink "$$link")" = '$(PREFIX)/bin'/"$${path##*/}"; then rm -f "$$link"; fi; done

uninstall:
	@case ' $(TOOLS) ' in *' PlistBuddy '*) rm -f '$(DESTDIR)$(PREFIX)/libexec/PlistBuddy' ;; esac
	@for tool in $(TOOLS); do rm -f '$(DESTDIR)$(PREFIX)/bin'/$$tool '$(DESTDIR)$(MANUALS)'/$$tool.1.gz \
	  '$(DESTDIR)$(BASH_COMPLETIONS)'/$$tool '$(DESTDIR)$(ZSH_COMPLETIONS)'/_$$tool \
	  '$(DESTDIR)$(FISH_COMPLETIONS)'/$$tool.fish; done

# The units of systemd start the program where it is installed.
UNITS = $(PREFIX)/lib/systemd

install-sync: build-sync
	@$(MAKE) --no-print-directory install-files TOOLS=defaults-sync PROGRAMS='$(SYNC_PROGRAMS)'
	@set -e; for kind in system user; do \
	  install -d '$(DESTDIR)$(UNITS)'/$$kind; \
	  sed 's|/usr/bin/|$(PREFIX)/bin/|' Sources/Services/$$kind/larder-sync.service \
	    > '$(DESTDIR)$(UNITS)'/$$kind/larder-sync.service; \
	done
	@printf 'installed %s\n' '$(DESTDIR)$(UNITS)'/*/larder-sync.service

uninstall-sync:
	@$(MAKE) --no-print-directory uninstall TOOLS=defaults-sync
	@rm -f '$(DESTDIR)$(UNITS)'/system/larder-sync.service '$(DESTDIR)$(UNITS)'/user/larder-sync.service

VERSION = $(shell sed -n 's/.*version = "\(.*\)"/\1/p' Sources/CommandLineInterface/Tool/Release.swift)
ARCHITECTURE = $(shell dpkg --print-architecture)
# Who builds a package answers for it.
MAINTAINER ?= $(shell id -un) <$(shell id -un)@$(shell uname -n)>
PACKAGE = .build/larder_$(VERSION)_$(ARCHITECTURE).deb
STAGE = .build/package

# GNUstep's programs have the same names in the same folder, and its package registers no alternatives.
define CONTROL
Package: larder
Version: $(VERSION)
Architecture: $(ARCHITECTURE)
Maintainer: $(MAINTAINER)
Section: utils
Priority: optional
Conflicts: gnustep-base-runtime
Recommends: libedit2
Description: property lists and preferences on the command line
 plutil checks, prints, converts, compares and edits property lists in XML,
 binary, OpenStep and JSON form. PlistBuddy edits them by commands, also
 interactively. defaults reads and changes preferences.
 .
 Files are replaced at once and under a lock; nothing is ever half written.
endef
export CONTROL

deb: build package-dependencies
	@rm -rf '$(STAGE)' && mkdir -p '$(STAGE)/root/DEBIAN' '$(STAGE)/debian' '$(STAGE)/root/usr/share/doc/larder'
	@$(MAKE) --no-print-directory install-files DESTDIR='$(CURDIR)/$(STAGE)/root' PREFIX=/usr \
	  ZSH_COMPLETIONS=/usr/share/zsh/vendor-completions
	@cp LICENSE '$(STAGE)/root/usr/share/doc/larder/copyright'
	@gzip -9nc CHANGELOG.md > '$(STAGE)/root/usr/share/doc/larder/changelog.gz'
	@printf 'Source: larder\n\nPackage: larder\nArchitecture: any\n' > '$(STAGE)/debian/control'
	@set -e; cd '$(STAGE)'; needed=$$(dpkg-shlibdeps -O root/usr/bin/*); \
	  { printf '%s\n' "$$CONTROL"; printf 'Depends: %s\n' "$${needed#shlibs:Depends=}"; \
	  printf 'Installed-Size: %s\n' "$$(du -sk root | cut -f 1)"; } > root/DEBIAN/control
	@chmod -R u=rwX,go=rX '$(STAGE)/root'
	@dpkg-deb --root-owner-group --build '$(STAGE)/root' '$(PACKAGE)'

SYNC_PACKAGE = .build/larder-sync_$(VERSION)_$(ARCHITECTURE).deb
SYNC_STAGE = .build/package-sync

define SYNC_CONTROL
Package: larder-sync
Version: $(VERSION)
Architecture: $(ARCHITECTURE)
Maintainer: $(MAINTAINER)
Section: admin
Priority: optional
Description: preferences in sync on many machines, through etcd
 defaults-sync, which "defaults sync" starts, keeps chosen keys of chosen
 domains the same on all machines that share an etcd cluster. Each machine
 keeps them in its own property lists, and goes on while the cluster is away.
 .
 An agent for users and one for the managed preferences of a machine are
 units of systemd, which are started when they are configured.
endef
export SYNC_CONTROL

deb-sync: build-sync package-dependencies
	@rm -rf '$(SYNC_STAGE)' && mkdir -p '$(SYNC_STAGE)/root/DEBIAN' '$(SYNC_STAGE)/debian' \
	  '$(SYNC_STAGE)/root/usr/share/doc/larder-sync' '$(SYNC_STAGE)/root/etc/larder' '$(SYNC_STAGE)/root/etc/xdg/managed'
	@$(MAKE) --no-print-directory install-sync DESTDIR='$(CURDIR)/$(SYNC_STAGE)/root' PREFIX=/usr \
	  ZSH_COMPLETIONS=/usr/share/zsh/vendor-completions
	@cp LICENSE '$(SYNC_STAGE)/root/usr/share/doc/larder-sync/copyright'
	@gzip -9nc CHANGELOG.md > '$(SYNC_STAGE)/root/usr/share/doc/larder-sync/changelog.gz'
	@cp Sources/Services/package/* '$(SYNC_STAGE)/root/DEBIAN'
	@printf 'Source: larder\n\nPackage: larder-sync\nArchitecture: any\n' > '$(SYNC_STAGE)/debian/control'
	@set -e; cd '$(SYNC_STAGE)'; needed=$$(dpkg-shlibdeps -O root/usr/bin/*); \
	  { printf '%s\n' "$$SYNC_CONTROL"; \
	  printf 'Depends: larder (= %s), %s\n' '$(VERSION)' "$${needed#shlibs:Depends=}"; \
	  printf 'Installed-Size: %s\n' "$$(du -sk root | cut -f 1)"; } > root/DEBIAN/control
	@chmod -R u=rwX,go=rX '$(SYNC_STAGE)/root'
	@dpkg-deb --root-owner-group --build '$(SYNC_STAGE)/root' '$(SYNC_PACKAGE)'

packages: deb deb-sync
	Tests/Installation/check-installation
	Tests/Installation/check-package '$(PACKAGE)' '$(SYNC_PACKAGE)'

# Tests that wait as tasks do not share the few threads of tasks with those that block them.
TASKS = AsyncStoreTests|PreferencesSyncTests|EtcdStoreTests|DefaultsTests|FoilTests|PublishingTests|TypedPreferencesTests|TypedDefaultsTests

# Those that mostly wait, for processes too, run beside those that mostly compute; their output follows.
test: dependencies test-dependencies
	swift build --build-tests $(FLAGS)
	@tests=$$(realpath "$$(swift build --show-bin-path $(FLAGS))/LarderPackageTests.xctest"); \
	  run() { "$$tests" --testing-library swift-testing "$$@"; }; \
	  output=$$(mktemp); trap 'rm -f "$$output"' EXIT; \
	  { run --filter PreferencesProcessTests; processes=$$?; run --filter '$(TASKS)' && [ $$processes = 0 ]; } >"$$output" 2>&1 & \
	  run --skip '$(TASKS)|PreferencesProcessTests|BrowserTests'; computing=$$?; \
	  wait $$!; waiting=$$?; cat "$$output"; [ "$$computing $$waiting" = '0 0' ]

# A package of its own, in Tests/ClientPackage. Its preferences go to a folder that is removed afterwards.
client: dependencies
	@home=$$(mktemp -d); trap 'rm -rf "$$home"' EXIT; XDG_CONFIG_HOME="$$home" \
	  swift test --package-path Tests/ClientPackage --scratch-path .build/client $(FLAGS)

# Beside the programs of `make client`, whose build has what the pages need.
snippets: dependencies lint-dependencies
	Tests/Snippets/check-snippets .build/snippets .build/client $(FLAGS)

test-user: dependencies test-dependencies
	swift build --build-tests $(FLAGS)
	Tests/Faults/test-as-user "$$(swift build --show-bin-path $(FLAGS))" \
	  '^(FileStorageTests|PreferencesTests|P[a-zA-Z]*CommandsTests)[.]|FaultTests|CrashTests|DamageTests|BareSystemTests|ForbiddenCallTests|FewWatchesTests|TenantServer'

# How many seconds new seeds are tried, or which seeds.
SIMULATE ?= 60
SEEDS ?=
# Threads of one processor hand over to each other faster than those of several.
ONE_PROCESSOR = taskset --cpu-list $$(taskset --cpu-list --pid $$$$ | sed 's/.*: //; s/[,-].*//')
SIMULATION = LARDER_TESTS=SimulationTests
SIMULATION_BUILD = -Xswiftc -O --scratch-path .build/simulation

simulate: dependencies
	$(SIMULATION) swift build --build-tests $(FLAGS) $(SIMULATION_BUILD)
	$(SIMULATION) LARDER_SIMULATION_SECONDS=$(SIMULATE) LARDER_SIMULATION_SEEDS='$(SEEDS)' SWIFT_DETERMINISTIC_HASHING=1 \
	  $(ONE_PROCESSOR) swift test --skip-build $(FLAGS) $(SIMULATION_BUILD) --filter '^SimulationTests'

mutants: dependencies
	Tests/Simulation/try-mutants .build/mutants

# Runs a command with tests that report what faults have done, prints the report, and fails if anything was lost.
FAULT_REPORT = .build/faults.tsv
report = @rm -f '$(FAULT_REPORT)'; LARDER_FAULT_REPORT='$(CURDIR)/$(FAULT_REPORT)' $(1); status=$$?; \
  Tests/Faults/check-report '$(FAULT_REPORT)' && exit $$status

# Optimized, since what the many processes of a storm read grows with the square of their number.
faults: dependencies test-dependencies
	swift build --build-tests $(FLAGS) -Xswiftc -O --scratch-path .build/optimized
	$(call report,LARDER_EXHAUSTIVE_FAULTS=1 swift test $(FLAGS) -Xswiftc -O --scratch-path .build/optimized \
	  --filter 'FaultTests|StormTests|Hostile(File|Input)Tests|Binary(PlistDocument|Decoding)Tests|XML(Characters|PlistWriter)Tests|SharedPartsTests|PlutilConvertTests')

# The versions that the suites of the codec are run with: beginnings of versions that Debian has the sources of,
# `newest`, or `installed` for that of this machine. Outcomes are compared with those of the first.
LIBXML2 ?= 2.9.10 2.9.14 newest

test-libxml2: dependencies test-dependencies libxml2-dependencies
	@FLAGS='$(FLAGS)' Tests/LibXML2/test-libxml2 $(LIBXML2)

# How many times longer than in `make test`.
SOAK ?= 20

soak: dependencies test-dependencies
	$(call report,LARDER_SOAK=$(SOAK) swift test $(FLAGS) --filter 'PreferencesProcessTests|DeliveryTests|SnapshotTests|ObservationThreadTests|GroupObservationTests|RandomEditTests|DifferentialTests|ConvergenceTests')

# How many seconds the thousand stores are read.
SERVE ?= 30

# The figures are of the programs as they are installed.
serve: dependencies test-dependencies
	LARDER_SERVER_SECONDS=$(SERVE) swift test $(FLAGS) --filter '/ServerTests'
	@for program in TenantServer PreferencesTestProgram; do $(RELEASE) --product $$program || exit 1; done
	@folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; '$(PROGRAMS)'/PreferencesTestProgram "$$folder" measure-server

# Only what synchronization needs is built, with the trait that links libcurl.
SYNC = --traits Etcd --scratch-path .build/sync $(FLAGS)
SYNC_TESTS = LARDER_TESTS='EtcdStoreTests PreferencesSyncTests'
SYNC_FIGURES = $(CURDIR)/.build/sync-figures.tsv
MEASURED = FigureTests|LeaderTests

# Histories of a minute run beside the other tests; what is measured, when nothing else runs.
sync-test: dependencies sync-dependencies
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

histories: dependencies sync-dependencies
	$(SYNC_TESTS) swift build --product LarderPackageTests $(SYNC)
	$(SYNC_TESTS) LARDER_HISTORY_SECONDS=$(HISTORIES) $(if $(SEED),LARDER_HISTORY_SEED=$(SEED)) \
	  swift test --skip-build $(SYNC) --filter 'HistoryTests'

browser-test: dependencies browser-dependencies
	swift build --build-tests $(FLAGS)
	swift test --skip-build $(FLAGS) --filter '^BrowserTests'

# How many seconds the threads run.
SANITIZE ?= 60

# With everything but the names of the tests.
SANITIZED = LARDER_THREAD_SECONDS=$(SANITIZE) swift test $(FLAGS) --sanitize=thread \
  --scratch-path .build/thread-sanitizer --filter

sanitize: dependencies
	$(SANITIZED) 'StoreThreadTests|LaneStormTests|ObservationThreadTests|LargeFileTests'
	$(SANITIZED) 'DefaultsThreadTests'
	$(SANITIZED) 'PreferencesSyncTests|FoilTests|PublishingTests|TypedPreferencesTests|TypedDefaultsTests'

# Without leaks, since the runtime of Swift keeps what it needs to the end. Without tests that count memory or fill the
# stack, of which AddressSanitizer takes more, or system calls, and without storms of processes, which run no other code.
sanitize-address: dependencies test-dependencies
	ASAN_OPTIONS=detect_leaks=0 swift test $(FLAGS) --sanitize=address --scratch-path .build/address-sanitizer \
	  --skip 'HostileFileTests|CodableDepthTests|ObservationNestingTests|StormTests|CrashTests|FaultTests|SystemCallCountTests|BrowserTests'

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
fuzz: dependencies test-dependencies
	$(BUILD_FUZZER)
	@Tests/Fuzzing/fuzz "$$($(BUILD_FUZZER) --show-bin-path)/Fuzzer" .build/fuzz-corpora '$(FUZZ_SECONDS)' $(FUZZ)

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
bench: build rust-peer
	$(BUILD_BENCHMARK)
	@$(BENCHMARK) codec --programs '$(PROGRAMS)' --rust-plist '$(RUST_PEER)/release/rust-plist-peer' $(BENCH) \
	  $(if $(JSON)$(CHART),--json '$(or $(JSON),.build/bench.json)')
	@$(if $(CHART),Tests/Benchmarks/publish '$(CHART)' $(PAGES) <'$(or $(JSON),.build/bench.json)' && printf 'written      %s\n' '$(CHART)' $(PAGES))

# The settings of cargo, which keep it off the network, are found from the folder of the peer.
rust-peer:
	@if command -v cargo && ls -d '$(RUST_CRATES)'/plist-1.* 2>/dev/null; then \
	  cd Tests/Benchmarks/RustPlist && cargo build --quiet --release --offline --target-dir '$(CURDIR)/$(RUST_PEER)' || \
	  printf 'rust-plist cannot be built\n' >&2; fi >/dev/null

# Small tools that are measured as whole processes, linked like installed programs.
MEASURED_TOOLS = EmptyTool PreferencesTool UserDefaultsTool

bench-store: build test-dependencies
	@for tool in $(MEASURED_TOOLS); do $(RELEASE) --product $$tool || exit 1; done
	$(BUILD_BENCHMARK)
	@$(BENCHMARK) store --programs '$(PROGRAMS)' $(BENCH)

counts: dependencies count-dependencies
	$(BUILD_BENCHMARK)
	@$(BENCHMARK) counts

# Where the site is made; any server of static files serves it.
SITE = .build/docs

docs: dependencies lint-dependencies
	swift build $(FLAGS)
	Tests/Documentation/make-site "$$(swift build --show-bin-path $(FLAGS))" '$(SITE)'
	@printf 'To look at it: python3 -m http.server --bind 127.0.0.1 --directory %s\n' '$(SITE)'

lint: lint-dependencies
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
	Tests/Architecture/check-architecture
	Tests/Messages/messages --check
	Tests/Documentation/check-pages

# Lists every text that people may read: errors, warnings, help and manual pages.
messages: lint-dependencies
	@Tests/Messages/messages

format:
	swift format --in-place --recursive --parallel Package.swift Sources Tests

linkage: build
	@for program in $(TOOLS); do \
	  if ldd "$(PROGRAMS)/$$program" | grep -E 'Foundation|libswift'; \
	  then echo "$$program needs a Swift library" >&2; exit 1; fi; \
	  if ldd "$(PROGRAMS)/$$program" | grep libcurl; then echo "$$program needs libcurl" >&2; exit 1; fi; \
	  ldd "$(PROGRAMS)/$$program" | grep -q libxml2 || exit 1; \
	  echo "$$program needs libxml2 and nothing of Swift or Foundation"; \
	done

# What libxml2 needs is linked from archives, too; ICU is written in C++. The scratch folder is apart, since the flags
# differ from those of all other builds.
STATIC = swift build -c release --static-swift-stdlib -Xswiftc -static-executable --scratch-path .build/static \
  $(foreach library,$(shell pkg-config --static --libs-only-l libxml-2.0) -lstdc++,-Xlinker $(library))

static: static-dependencies
	$(STATIC) --product LaunchCounter
	@Tests/Static/try-static "$$($(STATIC) --show-bin-path)/LaunchCounter"

# SwiftPM finds libxml2 through pkg-config.
dependencies:
	@pkg-config --exists libxml-2.0 2>/dev/null || { \
	  $(SUDO) apt-get update && \
	  $(SUDO) apt-get install -y --no-install-recommends libxml2-dev pkg-config; }

# The tests compare with Python's plistlib and libplist, have system calls fail through strace, mount small file systems, and try
# the programs in the shells, with git, jq and less, and at a prompt.
test-dependencies:
	@{ command -v python3 && command -v strace && command -v git && command -v groff && command -v zsh && \
	  command -v fish && command -v jq && command -v less && command -v plistutil && PATH="$$PATH:/usr/sbin" command -v mkfs.ext4 && ldconfig -p | grep libedit.so.2; } \
	  >/dev/null || { \
	  $(SUDO) apt-get update && \
	  $(SUDO) apt-get install -y --no-install-recommends python3 strace git groff-base zsh fish jq less libedit2 \
	    libplist-utils e2fsprogs mount util-linux; }

# libxml2 is built from the sources of Debian's packages.
libxml2-dependencies:
	@{ command -v dpkg-source && { command -v cc || command -v clang; }; } >/dev/null || { \
	  $(SUDO) apt-get update && \
	  $(SUDO) apt-get install -y --no-install-recommends dpkg-dev gcc libc6-dev; }

# Debian's packages for developers contain the archives.
static-dependencies: dependencies
	@dpkg -s libicu-dev zlib1g-dev liblzma-dev libstdc++-12-dev util-linux >/dev/null 2>&1 || { \
	  $(SUDO) apt-get update && \
	  $(SUDO) apt-get install -y --no-install-recommends libicu-dev zlib1g-dev liblzma-dev libstdc++-12-dev util-linux; }

lint-dependencies:
	@{ command -v python3 && command -v git && hunspell -D </dev/null 2>&1 | grep en_US; } >/dev/null || { \
	  $(SUDO) apt-get update && \
	  $(SUDO) apt-get install -y --no-install-recommends python3 git hunspell hunspell-en-us; }

count-dependencies:
	@command -v valgrind >/dev/null || { \
	  $(SUDO) apt-get update && \
	  $(SUDO) apt-get install -y --no-install-recommends valgrind; }

# mmdebstrap makes a Debian system without Swift, in which the packages are tried; systemd-analyze checks units.
package-dependencies:
	@{ command -v dpkg-shlibdeps && command -v mmdebstrap && command -v systemd-analyze; } >/dev/null || { \
	  $(SUDO) apt-get update && \
	  $(SUDO) apt-get install -y --no-install-recommends dpkg-dev binutils mmdebstrap systemd; }

# What defaults-sync is built with.
libcurl-dependencies:
	@pkg-config --exists libcurl 2>/dev/null || { \
	  $(SUDO) apt-get update && \
	  $(SUDO) apt-get install -y --no-install-recommends pkg-config libcurl4-openssl-dev; }

# The servers that the tests start, what makes certificates for them, and networks of namespaces. Where systemd runs,
# the package starts a server of its own.
sync-dependencies:
	@{ pkg-config --exists libcurl && command -v etcd && command -v etcdctl && command -v openssl && command -v nsenter && \
	  PATH="$$PATH:/usr/sbin:/sbin" command -v ip; } >/dev/null 2>&1 || { \
	  $(SUDO) apt-get update && \
	  $(SUDO) apt-get install -y --no-install-recommends pkg-config libcurl4-openssl-dev openssl \
	    etcd-server etcd-client iproute2 util-linux; }

browser-dependencies:
	@command -v chromium >/dev/null || { \
	  $(SUDO) apt-get update && \
	  $(SUDO) apt-get install -y --no-install-recommends chromium; }

clean:
	swift package clean
