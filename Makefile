# Thin aliases over SwiftPM. `make help` lists them.

# Options for every build, for example FLAGS='-Xswiftc -warnings-as-errors'.
FLAGS ?=

# Installed programs carry the Swift library inside, so that they start fast and need no toolchain.
RELEASE = swift build -c release --static-swift-stdlib $(FLAGS)
# The folder of the programs that `make build` makes.
PROGRAMS = $(shell $(RELEASE) --show-bin-path)

SUDO = $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: help run build test lint format linkage dependencies test-dependencies clean

help:
	@echo 'make run       build, and show what Larder does on a real property list'
	@echo 'make build     build the programs as they are installed, and say where they are'
	@echo 'make test      run all tests'
	@echo 'make lint      check the format of the code'
	@echo 'make format    put the code into that format'
	@echo 'make linkage   check which libraries the programs need'
	@echo 'make clean     remove everything that was built'

# Prints a command, then what it does; it runs in the folder of the fixtures.
show = @printf '\n$$ %s\n' '$(1)'; cd Fixtures; PATH="$(PROGRAMS):$$PATH"; $(1)

run: build
	@printf '\nLarder reads, checks and writes property lists. These commands run in Fixtures.\n'
	@printf '\n# Is this file in order?\n'
	$(call show,plutil -lint xml/launchd-job.plist)
	@printf '\n# What does it say? The first lines:\n'
	$(call show,plutil -p xml/launchd-job.plist | head -n 16)
	@printf '\n# One value, for a script:\n'
	$(call show,plutil -extract ProgramArguments.0 raw xml/launchd-job.plist)
	@printf '\n# The same property list in binary, and back to XML:\n'
	$(call show,plutil -convert binary1 -o - xml/launchd-job.plist | plutil -convert xml1 - | head -n 8)
	@printf '\n# A damaged file gets one line that says where and what, and exit status 1:\n'
	$(call show,plutil -lint malformed/xml/integer-with-letters.plist; test $$? = 1)
	@printf '\nThe program is %s/plutil; plutil -help tells the rest.\n' '$(PROGRAMS)'

build: dependencies
	$(RELEASE) --product plutil
	@printf 'The program is %s/plutil\n' '$(PROGRAMS)'

test: dependencies test-dependencies
	swift build --build-tests $(FLAGS)
	swift test $(FLAGS)

lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests

format:
	swift format --in-place --recursive --parallel Package.swift Sources Tests

linkage: build
	@if ldd $(PROGRAMS)/plutil | grep -E 'Foundation|libswift'; \
	then echo 'plutil needs a Swift library' >&2; exit 1; fi
	@ldd $(PROGRAMS)/plutil | grep -q libxml2
	@echo 'plutil needs libxml2 and nothing of Swift or Foundation'

# SwiftPM finds libxml2 through pkg-config.
dependencies:
	@pkg-config --exists libxml-2.0 2>/dev/null || { \
	  $(SUDO) apt-get update && \
	  $(SUDO) apt-get install -y --no-install-recommends libxml2-dev pkg-config; }

# The tests compare with Python's plistlib.
test-dependencies:
	@command -v python3 >/dev/null || { \
	  $(SUDO) apt-get update && $(SUDO) apt-get install -y --no-install-recommends python3; }

clean:
	swift package clean
