#!/usr/bin/env bash
# swift test with the options given; after a failure its last lines repeat what failed, and where.
set -uo pipefail
output=$(mktemp)
trap 'rm -f "$output"' EXIT

swift test "$@" 2>&1 | tee "$output"
status=$?
if ((status != 0)); then
    printf '\nwhat failed:\n'
    grep -aE -A 8 '^✘|error:|Fatal error' "$output" | grep -avE '^[◇✔━]' | tail -n 80
fi
exit "$status"
