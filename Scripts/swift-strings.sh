#!/bin/sh
# swift-strings.sh OUTPUT FILE...: writes the files as strings of an enum `PageFiles`.
set -eu
output=$1
shift
{
    echo "enum PageFiles {"
    for file; do
        printf '    static let %s = ###"""\n' "$(basename "$file" | tr '.-' '__')"
        cat "$file"
        printf '\n"""###\n'
    done
    echo "}"
} >"$output"
