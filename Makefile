# C++ without optimization reads traces fifteen times as slowly.
SWIFT_FLAGS = -Xcxx -O2
SOURCES = Sources Tests Package.swift

.PHONY: setup test format format-check clean

setup:
	@bash Scripts/setup.sh

test: setup
	swift test $(SWIFT_FLAGS) --disable-xctest

format:
	swift format --in-place --recursive $(SOURCES)

format-check:
	swift format lint --strict --recursive $(SOURCES)

clean:
	rm -rf .build .build-* Examples/.build demo
