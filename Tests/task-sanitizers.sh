#!/usr/bin/env bash
# Records programs with Swift tasks that have a sanitizer. Each must print what it prints alone, and the sanitizer nothing.
# task-sanitizers.sh OPVIZ
set -euo pipefail
opviz=$(realpath "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for sanitizer in thread address; do
    # The linker warns of each of the sanitizer's own functions.
    swiftc -O -swift-version 6 -parse-as-library "-sanitize=$sanitizer" "$root/Tests/TaskVictim/TaskVictim.swift" \
        -o victim >compiled 2>&1 || { cat compiled; exit 1; }
    ./victim >alone 2>&1
    for ((run = 0; run < 20; run += 1)); do
        timeout 120 "$opviz" record --tasks -q -o "$sanitizer.json" -- ./victim >recorded 2>&1
        cmp alone recorded || { cat recorded; exit 1; }
        "$opviz" table "$sanitizer.json" --by task-kind | grep -q 'TaskVictim.main()'
    done
    echo "task-sanitizers.sh: 20 programs with the $sanitizer sanitizer did the same recorded as alone"
done
