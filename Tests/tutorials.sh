#!/usr/bin/env bash
# Checks that every step of the tutorials compiles, that the programs of the last steps do what the tutorials
# say, and that the links of the documentation work. The package must have been built:
# tutorials.sh
set -euo pipefail
cd "$(dirname "$0")/.."
source Tests/expectations.sh
root=$PWD programs=$PWD/.build/debug
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

source Scripts/module-flags.sh
plugins=$(dirname "$(realpath "$(command -v swiftc)")")/../lib/swift/host/plugins/testing
for step in Sources/{*,*/*}/*.docc/Resources/*.swift; do
    expect "$step does not compile" swiftc -typecheck -swift-version 6 -warnings-as-errors -module-name Step \
        -module-cache-path "$scratch/modules" -plugin-path "$plugins" "${module_flags[@]}" "$step"
done

cd "$scratch"
"$programs/import-tutorial" >import.txt
expect "the import does not say what is waited for" grep -q '^● pages .*, 1 waits for it$' import.txt
expect "the import stored something else" grep -qx 'stored page 1, page 2, page 3, page 4' import.txt
"$programs/ask-tutorial" >ask.txt
expect "the trace of the import is not read" grep -qx 'import-tutorial: operations 6, edges 1' ask.txt
expect "there are other findings in it" grep -q '^No problems found in ' ask.txt
expect "there is no picture of it" grep -q '^digraph' import.dot

cd "$root"
expect "the documentation has faults" bash Scripts/docs.sh "$scratch/docs"
end_of_expectations
