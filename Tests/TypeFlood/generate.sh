#!/usr/bin/env bash
# Writes OwnClasses.swift: 540 classes by default, each with its own implementation of `main`.
set -euo pipefail
cd "$(dirname "$0")"
count=${1:-540}
{
    printf '// swift-format-ignore-file\n'
    printf '// Made by generate.sh. Each says another number, so that no two are one implementation.\n'
    printf 'import Foundation\n\n'
    for ((number = 0; number < count; number++)); do
        printf 'final class Own%d: Numbered, @unchecked Sendable { override func main() { say(%d) } }\n' \
            "$number" "$number"
    done
    printf '\nlet ownClasses: [Numbered.Type] = ['
    for ((number = 0; number < count; number++)); do
        if ((number % 9 == 0)); then printf '\n   '; fi
        printf ' Own%d.self,' "$number"
    done
    printf '\n]\n'
} >OwnClasses.swift
