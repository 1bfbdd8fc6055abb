# Every build goes into .build, with the flags that Package.swift sets, so that each shares what the others built, and
# `swift build` by hand as well. Only the demo may have flags of its own, where few processors compile.

# All targets, also those that only tests, examples and benchmarks need.
export OPVIZ_DEVELOPMENT = 1

# Swift Testing only: an empty XCTest run would have the last word.
TEST_FLAGS = --disable-xctest
SOURCES = Sources Tests Plugins Package.swift Examples/Sources Examples/Tests Benchmarks/Sources Benchmarks/Benchmarks
OPVIZ = .build/debug/opviz

# What `opviz record` loads into programs.
RECORD_LIBRARY = .build/libopviz-record.so
RECORD_SOURCES = Scripts/record-library.sh $(wildcard Sources/CRecorder/*.[ch] Sources/CRecorder/include/*.h \
	Sources/CRecorderPreload/*.[ch] Sources/CLogFormat/include/*.h)

.PHONY: setup record-library demo check api pictures report-picture compare-picture sample hazard-pictures swift-build-picture task-pictures examples guide-traces fault-traces install deb archive docs test fleet sanitize fuzz soak bench instruction-budget format format-check text-check clean

setup:
	@bash Scripts/setup.sh

# opviz, and a run with its trace, its page, its picture and why it took so long.
demo:
	@bash Scripts/demo.sh

# The programs of Examples: each does its work, checks it, and leaves its trace and its picture in demo/NAME.
EXAMPLES = quotes downloads timeline trending gallery words
EXAMPLES_BUILD = .build
EXAMPLES_FLAGS =
examples: setup
	swift build $(EXAMPLES_FLAGS) --scratch-path $(EXAMPLES_BUILD)
	@set -e; for name in $(EXAMPLES); do \
		rm -rf demo/$$name; mkdir -p demo/$$name; printf '\n--- %s\n\n' $$name; \
		(cd demo/$$name && ../../$(EXAMPLES_BUILD)/debug/$$name) || exit 1; \
	done
	@printf '\nthe pictures are in %s/demo\n' "$(CURDIR)"

# The pictures of the README and of Documentation are those of these runs.
pictures: examples
	for name in $(EXAMPLES); do cp demo/$$name/$$name.svg Documentation/$$name.svg; done
	$(OPVIZ) timeline demo/gallery/gallery.json -o Documentation/gallery-timeline.svg

# The picture of the page that opviz report makes.
report-picture: examples
	$(OPVIZ) report demo/quotes/quotes.json
	bash Scripts/screenshot.sh demo/quotes/quotes.html Documentation/report.png

# The page of two runs in Documentation/CompareTwoRuns.md.
compare-picture: setup
	swift build --product opviz
	cd Documentation/traces && ../../$(OPVIZ) diff trace.json fast.json -o ../../.build/compare.html
	bash Scripts/screenshot.sh .build/compare.html Documentation/compare.png

# What README shows first.
sample: setup
	swift build --product opviz
	bash Scripts/sample.sh $(OPVIZ) Documentation/sample

# The pictures of Documentation/Hazards.md: each of a run in which that went wrong.
hazard-pictures: setup
	swift build
	bash Scripts/hazard-pictures.sh $(OPVIZ) .build/debug/hazards Documentation/hazards

# What swift build does, in Documentation/TraceAnUnmodifiedProgram.md.
swift-build-picture: setup record-library
	swift build --product opviz
	bash Scripts/swift-build-picture.sh $(OPVIZ) Documentation/swift-build.svg

# What the tasks of larger programs do, in Documentation/FollowTasks.md.
task-pictures: setup record-library
	swift build
	bash Scripts/task-pictures.sh $(OPVIZ) .build/debug/gallery Documentation

# Suites that only compute run side by side, and those in which opviz or a browser reads files. The others have servers,
# clients and threads of their own, record programs, measure, or are bounded in time: they run one after the other,
# because at once they take each other's processors.
COMPUTING = ^((EventLog|WaitDiagnosis|ProgramRecording|Inspector[A-Za-z]*)Tests\.(?!GraphLayersTests|StandstillsTests)|OpvizTests\.(Anonymize|Comparison|Convert|Diff|Earlier|Explain|Export(?!CommandTests/perfetto)|Faults|Flame|Graph(Command|Hover)|Handle|Legend|Lint|OutputLength|Page|Panel|Picture|Report|Table|TimelineCommand|WhatIf|Why))

test: setup record-library
	bash Tests/run-tests.sh $(TEST_FLAGS) --filter '$(COMPUTING)'
	bash Tests/run-tests.sh --skip-build $(TEST_FLAGS) --no-parallel --skip '$(COMPUTING)'
	OPVIZ_OBSERVE=passive bash Tests/run-tests.sh --skip-build $(TEST_FLAGS) --no-parallel --filter OpsTests
	bash Tests/tutorials.sh
	bash Tests/compare-readers.sh
	bash Tests/task-truth.sh
	bash Tests/task-paths.sh
	bash Tests/accessibility.sh
	swift build --product generate-manual
	bash Tests/installed-texts.sh $(OPVIZ) .build/debug/generate-manual
	bash Tests/without-graphviz.sh
	bash Tests/dependents.sh
	bash Tests/plugin.sh quick
	PYTHONDONTWRITEBYTECODE=1 python3 Tests/test_guides.py
	PYTHONDONTWRITEBYTECODE=1 python3 Tests/test_release_notes.py
	PYTHONDONTWRITEBYTECODE=1 python3 Tests/test_public_api.py
	python3 Scripts/public-api.py
	python3 Tests/guides.py $(OPVIZ) .build/debug
	$(MAKE) fleet

# After each change: the format of the changed files, and the tests of the changed modules and of modules that depend on
# them. SINCE=main checks what a branch changed.
check:
	@python3 Scripts/check.py $(SINCE)

# The traces that the guides use, in Documentation/traces. The guides name figures of them: read both afterwards.
guide-traces: setup record-library
	swift build
	bash Scripts/guide-traces.sh $(OPVIZ) .build/debug
	OPVIZ_RECORD_GOLDENS=1 python3 Tests/guides.py $(OPVIZ) .build/debug

# The traces of the programs with a planted fault: what the commands say of them is in Tests/Goldens/faults.txt.
fault-traces: setup record-library
	swift build
	bash Scripts/fault-traces.sh $(OPVIZ) .build/debug Tests/OpvizTests/Traces/faults

# The public API of each library, in Documentation/api. Read the difference: what is removed breaks programs.
api: setup
	swift build
	python3 Scripts/public-api.py --record

# Every statement of Documentation/Fleet.md, in ClickHouse and DuckDB, over the traces of a simulated fleet.
fleet: setup
	swift build --product opviz
	bash Tests/fleet.sh

# The documentation of the libraries, with their tutorials.
docs: setup
	swift build
	bash Scripts/docs.sh .build/docs

record-library: $(RECORD_LIBRARY)

$(RECORD_LIBRARY): $(RECORD_SOURCES)
	@mkdir -p .build
	sh Scripts/record-library.sh '$(CURDIR)/$@' clang -Wall -Wextra -Werror

# Data races, and memory that is used wrongly or lost. One test after the other, as in test: at once, and this slow, they
# wait for each other for longer than requests do.
sanitize: setup
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/races.supp \
		swift test --sanitize thread --scratch-path .build-thread $(TEST_FLAGS) --no-parallel \
		--filter 'OpsTests|OpsNetworkTests|OpsTracingTests|OpsMetricsTests|OpsLoggingTests'
	SWIFT_BACKTRACE=enable=no LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.supp \
		swift test --sanitize address --scratch-path .build-address $(TEST_FLAGS) --no-parallel \
		--filter 'OpsTests|OpsNetworkTests|OpsTracingTests|OpsMetricsTests|OpsLoggingTests|Inspector\w*Tests|EventLogTests'
	TSAN_OPTIONS=halt_on_error=1 $(MAKE) examples EXAMPLES_BUILD=.build-thread \
		EXAMPLES_FLAGS='--sanitize thread'

# Random damage to traces, for SECONDS.
SECONDS = 600
fuzz: setup
	bash Scripts/fuzz.sh $(SECONDS)

# The plugin in a project of its own; the archive of a release; a thousand kills, and a million operations from many threads;
# then replays against real runs, and how often checks of timings are wrong, in simulations and here. Takes more than two
# hours on two otherwise idle processors.
soak: setup examples record-library
	bash Tests/plugin.sh
	$(MAKE) archive
	bash Tests/archive.sh .build/archive/opviz-*.tar.gz .build/debug/thumbnails
	env -u OPVIZ_DEVELOPMENT swift build -c release --disable-default-traits --scratch-path .build-without-graphviz --product opviz
	bash Tests/without-graphviz.sh .build-without-graphviz/release/opviz
	OPVIZ_KILLS=1000 swift test $(TEST_FLAGS) --filter CrashTests
	OPVIZ_ROUNDS=600 swift test $(TEST_FLAGS) --filter ClassInterpositionTests
	for seed in 1 2 3 4 5 6 7 8; do bash Tests/task-truth.sh $$RANDOM 60 500 || exit 1; done
	bash Tests/task-paths.sh 200
	PYTHONDONTWRITEBYTECODE=1 python3 Tests/real_tasks.py $(OPVIZ)
	bash Tests/task-sanitizers.sh $(OPVIZ)
	PYTHONDONTWRITEBYTECODE=1 python3 Tests/hung_tests.py $(OPVIZ)
	OPVIZ_OPERATIONS=1000000 swift test $(TEST_FLAGS) --filter SoakTests
	OPVIZ_OPERATIONS=20000 swift test $(TEST_FLAGS) --filter OutputLengthTests
	OPVIZ_OPERATIONS=100000 swift test $(TEST_FLAGS) --filter PageTextTests
	OPVIZ_PAGES=all bash Tests/accessibility.sh
	OPVIZ_STUCK_TASKS=2500 swift test $(TEST_FLAGS) --filter '(Resume|Queue)SearchTests'
	OPVIZ_STORM=2 swift test $(TEST_FLAGS) --filter RecordSwitchesTests
	OPVIZ_USES=600 swift test $(TEST_FLAGS) --filter ProcessorWitnessTests
	OPVIZ_PROGRAMS=200 OPVIZ_EXAMPLES='$(CURDIR)/demo' swift test $(TEST_FLAGS) --filter ReplaySoakTests
	OPVIZ_PLANS=200 swift test $(TEST_FLAGS) --filter ReplayProcessorsSoakTests
	OPVIZ_TASK_PLANS=30 swift test $(TEST_FLAGS) --filter TaskReplaySoakTests
	OPVIZ_WITNESSES=10000 swift test $(TEST_FLAGS) --filter WitnessTests
	OPVIZ_CHECKS=8000 swift test $(TEST_FLAGS) --filter 'RegressionErrorRateTests|ChangePointsTests'
	bash Scripts/check-soak.sh '$(CURDIR)/$(OPVIZ)' '$(CURDIR)/.build/debug/trending'
	bash Scripts/check-soak.sh '$(CURDIR)/$(OPVIZ)' '$(CURDIR)/.build/debug/trending' 50 20 cpu
	bash Tests/processor-hazards.sh '$(CURDIR)/$(OPVIZ)' '$(CURDIR)/.build/debug/hazards'

# What recording adds to an operation, in instructions, against the committed figures. To commit others, call the script with
# --record.
instruction-budget:
	@bash Scripts/setup.sh valgrind
	python3 Benchmarks/count-instructions.py --check

# What recording costs, in pairs of blocks within one process; its longest stall and its memory; its instructions.
# Then what opviz record costs a whole program, what reading, linting and analysing a trace costs, its page, and watching. Last a
# timing check of recording against itself, which must raise no alarm.
bench: setup
	@bash Scripts/setup.sh valgrind
	swift build -c release --product recording-cost
	swift build -c release --product recording-limits
	.build/release/recording-cost
	@echo
	.build/release/recording-limits
	@echo
	python3 Benchmarks/count-instructions.py
	@echo
	bash Benchmarks/record-cost.sh
	@echo
	python3 Benchmarks/profile-cost.py .build/release/opviz
	@echo
	bash Benchmarks/reading.sh
	@echo
	bash Benchmarks/linting.sh
	@echo
	bash Benchmarks/analysis.sh
	@echo
	bash Benchmarks/pictures.sh
	@echo
	bash Benchmarks/report.sh
	@echo
	bash Benchmarks/watching.sh
	@echo
	swift build -c release --product timing-check
	.build/release/timing-check

# Installs opviz, the library that it loads into programs, its manual pages, completions and JSON schemas, and SKILL.md.
# PREFIX and DESTDIR as usual. With Swift's libraries linked statically, opviz starts in half the time, and runs without
# an installed Swift.
PREFIX = /usr/local
install: record-library
	@bash Scripts/setup.sh --build-only python3
	env -u OPVIZ_DEVELOPMENT swift build -c release --static-swift-stdlib --product opviz
	env -u OPVIZ_DEVELOPMENT swift build -c release --static-swift-stdlib --product generate-manual
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/opviz
	install -s -m 755 .build/release/opviz $(DESTDIR)$(PREFIX)/bin/opviz
	install -m 644 $(RECORD_LIBRARY) $(DESTDIR)$(PREFIX)/lib/opviz/
	bash Scripts/install-texts.sh .build/release/opviz .build/release/generate-manual '$(DESTDIR)$(PREFIX)'

# opviz_VERSION_ARCHITECTURE.deb, installed into a root that has what it depends on and nothing else, and run there.
deb: setup
	bash Scripts/deb.sh .build/deb
	bash Tests/deb.sh .build/deb/opviz_*.deb

# opviz-VERSION-linux-ARCHITECTURE.tar.gz, with what `make install` installs, and SHA256SUMS.
archive:
	bash Scripts/release-archive.sh .build/archive

format:
	swift format --in-place --recursive $(SOURCES)

format-check:
	swift format lint --strict --recursive $(SOURCES)
	@$(MAKE) --no-print-directory text-check

text-check:
	@# swift format lets strings and comments run over the 110 columns.
	! LC_ALL=C.UTF-8 git grep --untracked -nE '^.{111,}$$' -- '*.swift'
	python3 Scripts/check-public.py
	python3 Scripts/check-words.py

clean:
	rm -rf .build .build-* demo
