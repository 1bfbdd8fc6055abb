#!/usr/bin/env bash
# Runs swift test with the given options. After a failure, the last lines repeat what failed, and where.
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
