#!/bin/bash
# Instructions per operation, plain and recorded, as callgrind counts them. The count is the same on a busy
# machine, except for what threads do while they wait for each other: about a hundred for each operation that
# runs.
#
# Each kind of work is counted for two amounts, to subtract the cost of starting and stopping.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v valgrind >/dev/null; then
    echo "instructions are not counted: valgrind is not installed"
    exit 0
fi
swift build -c release -Xcxx -O2 --product recording-work >/dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# valgrind cannot read Swift's debug information.
strip -o "$scratch/recording-work" .build/release/recording-work

# instructions WHAT SORT COUNT
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$scratch/recording-work" "$@" 2>&1 |
        awk '/Collected :/ { print $4; found = 1 } END { exit !found }'
}

# each WHAT SORT: instructions for one.
each() {
    local few many
    few=$(instructions "$1" "$2" 1000)
    many=$(instructions "$1" "$2" 3000)
    echo $(((many - few) / 2000))
}

# row NAME FIRST SECOND
row() { echo "| $1 | $2 | $3 | $(($3 - $2)) | $(awk "BEGIN { printf \"%.1f %%\", 100 * ($3 - $2) / $2 }") |"; }

echo "| instructions for one | plain | recorded | difference | difference ÷ plain |"
echo "|---|---|---|---|---|"
echo "| one event | | $(each event -) | | |"
plain=$(each plain only-added)
row "closure, only added" "$plain" "$(each recorded only-added)"
row "closure, only added; recorder off" "$plain" "$(each off only-added)"
row "closure, only added; an observer" "$plain" "$(each observed only-added)"
for sort in closure own block foreign; do
    plain=$(each plain $sort)
    row "operation: $sort" "$plain" "$(each recorded $sort)"
    row "operation: $sort; recorder off" "$plain" "$(each off $sort)"
    row "operation: $sort; an observer" "$plain" "$(each observed $sort)"
done
