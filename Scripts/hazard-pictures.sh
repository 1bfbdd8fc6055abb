#!/bin/bash
# Draws the pictures of Documentation/Hazards.md, from the wrong programs of Examples/hazards, and from small
# traces for the hazards that these do not show. If a trace does not show its hazard, the picture is missing.
# hazard-pictures.sh OPVIZ HAZARDS FOLDER [svg|png]
set -euo pipefail
cd "$(dirname "$0")/.."
opviz=$1 hazards=$2 folder=$3 form=${4:-svg}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$folder"

picture() { # RULE TRACE
    # Not in a pipe to grep -q, which would end opviz by a signal.
    local found
    found=$("$opviz" lint "$2" --rule "$1" --format json)
    case $found in *'"findings": []'*) echo "hazard-pictures: $1: found nothing in its trace" >&2; return 1 ;; esac
    "$opviz" "$2" -o "$folder/$1.$form" >/dev/null
    echo "$folder/$1.$form"
}

while read -r rule program; do
    # They exit with 1, or crash, on purpose.
    SWIFT_BACKTRACE=enable=no OPVIZ_TRACE=$scratch/$rule.json "$hazards" "$program" wrong >/dev/null 2>&1 || true
    picture "$rule" "$scratch/$rule.json"
done <<'ROWS'
never-finished finish-only-if-executing
self-wait-deadlock group-waits-on-own-queue
lost-finisher inner-failure-cancels-finisher
limbo finish-only-if-executing
ready-not-started ready-without-notification
ran-while-cancelled start-ignores-cancellation
cancel-not-propagated group-cancelled-queue-not
work-before-start group-starts-in-init
ran-after-failed-dependency runs-after-failed-dependency
late-edge dependency-added-late
ROWS

while read -r rule program; do
    "$opviz" record -q --tasks -o "$scratch/$rule.json" -- "$hazards" "$program" wrong >/dev/null 2>&1 || true
    picture "$rule" "$scratch/$rule.json"
done <<'ROWS'
await-circle tasks-await-each-other
lost-continuation continuation-not-resumed
blocked-pool pool-blocked-by-waits
actor-bottleneck actor-does-everything
outlives-scope task-outlives-its-function
ROWS

for rule in dependency-cycle finished-before-start slow-to-cancel thread-starvation priority-inversion over-serialized dead-air; do
    python3 Scripts/hazard-trace.py "$rule" "$scratch/$rule.json"
    picture "$rule" "$scratch/$rule.json"
done
