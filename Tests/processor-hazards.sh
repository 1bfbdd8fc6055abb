#!/bin/bash
# Tests the rules of opviz lint that need the kernel's records of context switches, or two processors: each is found
# in its wrong program of Examples/hazards, and not in the right one. What other processes do to the machine is found as well,
# and is true: only a machine without other work shows that the right program is not reported.
# processor-hazards.sh OPVIZ HAZARDS [TIMES]
set -euo pipefail
opviz=$1 hazards=$2 times=${3:-20}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

count() { # PROGRAM RULE WAY: in how many runs the rule finds something
    local found=0
    for ((number = 0; number < times; number++)); do
        "$opviz" record -q --tasks --cpu switches -o "$scratch/trace.json" -- "$hazards" "$1" "$3" >/dev/null || true
        # Not in a pipe to grep -q, which would end opviz by a signal.
        case $("$opviz" lint "$scratch/trace.json" --rule "$2" --format json) in
        *'"findings": []'*) ;;
        *'"findings": ['*) found=$((found + 1)) ;;
        *) echo "no findings could be read of $1 $3" >&2 && exit 1 ;;
        esac
        rm "$scratch/trace.json"
    done
    echo $found
}

failed=0
while read -r program rule; do
    wrong=$(count "$program" "$rule" wrong) right=$(count "$program" "$rule" right)
    echo "$rule: found in $wrong of $times wrong runs, and in $right of $times right ones"
    [ "$wrong" = "$times" ] || failed=1
    [ "$right" = 0 ] || [ "$rule" = busy-machine ] || failed=1
done <<'ROWS'
slot-held-while-blocked blocked-slot
more-slots-than-processors more-slots-than-processors
processors-taken busy-machine
pool-blocked-by-waits blocked-pool
actor-does-everything actor-bottleneck
urgent-behind-background priority-inversion
ROWS
exit $failed
