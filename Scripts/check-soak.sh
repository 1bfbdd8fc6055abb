#!/bin/bash
# Tests checks of timings on this machine, with its actual noise. A program compared with itself must be
# reported as regressed at most once in fifty checks. Compared with itself with a decoder that takes a fifth
# longer, it must be reported so at least 48 times, with the decoder as the cause. Each side has forty short
# runs, alternately: a disturbance of seconds affects both runs of a pair, and a single pair in forty decides
# nothing. (Ten runs of a second take as long. On a machine whose runs scatter by 20 %, they found 39 of 50.)
# With the metric `cpu`, the CPU time of the decoder decides, and half of the runs have to do.
# check-soak.sh OPVIZ TRENDING [CHECKS [RUNS [makespan|cpu]]]
set -euo pipefail
opviz=$1 trending=$2 checks=${3:-50} runs=${4:-40} metric=${5:-makespan}
# Only on threads of the queue, operations have CPU times.
mode=--decode primary=makespan
if [ "$metric" = cpu ]; then mode=--decode-on-threads primary='CPU of DecodePageOnThread'; fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

count() { # OPTION-OF-NEW …: how many checks say which verdict
    regressed=0 inconclusive=0 other=0 named=0
    for ((number = 1; number <= checks; number++)); do
        status=0
        "$opviz" check --strict --threshold 1% --primary "$primary" --interleave "$runs" -o check.json \
            -- "$trending" $mode 500 -- "$trending" $mode 500 "$@" >/dev/null 2>&1 || status=$?
        case $status in
        0) other=$((other + 1)) ;;
        1) regressed=$((regressed + 1)) ;;
        2) inconclusive=$((inconclusive + 1)) ;;
        *) echo "check-soak: check $number failed with $status" >&2; exit 1 ;;
        esac
        # What made the makespan longer, the largest part first. A metric of the decoder names it itself.
        if [ $status = 1 ] && [ "$metric" = cpu ]; then named=$((named + 1)); continue; fi
        if [ $status = 1 ] && python3 - <<'PYTHON'
import json, sys
delays = json.load(open("check.json"))["delays"]
longest = max(delays, key=lambda delay: delay["differenceNs"])
sys.exit(not (longest.get("kind", "").startswith("DecodePage") and longest["part"] == "execution"))
PYTHON
        then named=$((named + 1)); fi
    done
}

count
echo "against itself: $regressed of $checks regressed (at most $((checks / 50 + (checks < 50))) may be), $inconclusive inconclusive, $other fine"
[ $regressed -le $((checks / 50 + (checks < 50))) ]
count --slower
echo "a fifth slower: $regressed of $checks regressed (at least $((checks * 48 / 50)) have to be), $named name the decoder, $inconclusive inconclusive, $other fine"
[ $regressed -ge $((checks * 48 / 50)) ] && [ $named = $regressed ]
