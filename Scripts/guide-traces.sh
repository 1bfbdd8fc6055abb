#!/usr/bin/env bash
# Records the traces of the guides anew, into Documentation/traces: guide-traces.sh OPVIZ PROGRAMS
# Afterwards `OPVIZ_RECORD_GOLDENS=1 python3 Tests/guides.py OPVIZ PROGRAMS` writes the outputs in the guides; read them
# beside the text, which names figures.
set -euo pipefail
opviz=$(realpath "$1") programs=$(realpath "$2")
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
for program in thumbnails feed stuck first-trace first-trace-fixed two-processes; do ln -s "$programs/$program"; done

mkdir traces
"$opviz" record --quiet -o traces/trace.json -- ./thumbnails
"$opviz" record --quiet -o traces/fast.json -- ./thumbnails --slots 4
"$opviz" record --quiet --tasks -o traces/tasks.json -- ./feed
# Where a machine has the program is nobody's business.
sed -i "s#$programs/feed#/app/feed#g; s#$scratch/feed#/app/feed#g" traces/tasks.json
OPVIZ_TRACE=traces/before.json ./first-trace
OPVIZ_TRACE=traces/after.json ./first-trace-fixed
OPVIZ_TRACE=traces/one-slot.json ./first-trace-fixed --slots 1

# Ended as by Control-C.
timeout --signal INT 2 "$opviz" record --quiet -o traces/stuck.json -- ./stuck || true

OPVIZ_TRACE=traces/logs/ ./two-processes
for log in traces/logs/*.optrace; do "$opviz" compact "$log"; done

"$opviz" check --interleave 14 --keep runs -- ./thumbnails -- ./thumbnails --sharp >/dev/null || true
"$opviz" baseline runs/old-*.optrace -o traces/old.json --label v1.2
"$opviz" baseline runs/new-*.optrace -o traces/new.json --label v1.3

chmod -R u+rwX,go+rX traces
rm -rf "$root/Documentation/traces"
mv traces "$root/Documentation/traces"
