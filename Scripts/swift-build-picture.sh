#!/bin/bash
# Draws the picture of Documentation/TraceAnUnmodifiedProgram.md: what swiftc does when swift build builds a new package.
# The guide names figures of it: read both afterwards.
# swift-build-picture.sh OPVIZ FILE.svg
set -euo pipefail
opviz=$(realpath "$1") picture=$(realpath -m "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/package"
cd "$scratch/package"
swift package init --type executable --name Hello >/dev/null
"$opviz" record -o "$scratch/trace/" -- swift build
cd "$scratch/trace"
# That of the process that compiled is the longest.
makespan() { "$opviz" why "$1" --format json | python3 -c 'import json, sys; print(json.load(sys.stdin)["makespanNs"])'; }
longest=$(for trace in swiftc-*.json; do echo "$(makespan "$trace") $trace"; done | sort -n | tail -1 | cut -d' ' -f2)
"$opviz" graph "$longest" -o "$picture"
