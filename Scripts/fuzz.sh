#!/usr/bin/env bash
# Fuzzes the readers of traces, baselines, histories and budgets, with libFuzzer and AddressSanitizer, for
# this many seconds (600).
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
build=.build-fuzz
# Objects of deleted files would be linked too.
rm -f "$build"/release/{EventLog,WaitDiagnosis,Inspector*,CTraceJSON,CLogFormat}.build/*.o
swift build -c release --scratch-path "$build" --disable-default-traits --target Inspector \
    -Xswiftc -sanitize=fuzzer,address -Xcxx -fsanitize=fuzzer-no-link,address
swiftc -O -parse-as-library -sanitize=fuzzer,address -I "$build/release/Modules" \
    -Xcc -fmodule-map-file="$build/release/CTraceJSON.build/module.modulemap" \
    -Xcc -fmodule-map-file="$build/release/CLogFormat.build/module.modulemap" \
    -Xcc -fmodule-map-file="$build/checkouts/Yams/Sources/CYaml/include/module.modulemap" \
    Tests/Fuzzing/FuzzReaders.swift "$build"/release/{EventLog,WaitDiagnosis,Inspector*,CTraceJSON,CLogFormat}.build/*.o \
    "$build"/release/{HeapModule,InternalCollectionsUtilities,Yams}.build/*.o \
    "$build"/release/CYaml.build/src/*.o \
    -lsimdjson -lstdc++ -o "$build/fuzz"

# It begins with a real trace in each form, a baseline, a history and budgets.
corpus=$build/corpus
mkdir -p "$corpus"
swift build --product opviz
cp Tests/OpvizTests/Traces/quotes.json "$corpus/"
.build/debug/opviz convert Tests/OpvizTests/Traces/quotes.json -o "$corpus/quotes.optrace"
.build/debug/opviz compact Tests/OpvizTests/Traces/quotes.json -o "$corpus/compact.optrace"
.build/debug/opviz baseline Tests/OpvizTests/Traces/quotes.json -o "$corpus/baseline.json"
cp Tests/OpvizTests/Traces/quotes-compact-4.optrace "$corpus/"
rm -f "$corpus/history.jsonl"
.build/debug/opviz history add Tests/OpvizTests/Traces/quotes.json --file "$corpus/history.jsonl"
cp Tests/OpsTestingTests/budgets.yml "$corpus/"
# `make sanitize` searches for leaks. Here, memory that a thread frees after its reader has returned would
# look like one.
"$build/fuzz" -max_total_time="$seconds" -timeout=10 -detect_leaks=0 -rss_limit_mb=4096 -max_len=300000 -print_final_stats=1 \
    -artifact_prefix="$build/" "$corpus"
