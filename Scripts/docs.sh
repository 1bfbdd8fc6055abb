#!/usr/bin/env bash
# Builds the documentation of Ops, Inspector and OpsTesting as web sites, one in each folder below FOLDER.
# Warnings are errors, except for undocumented parameters, because only parameters that need it are
# documented. The package must have been built. docs.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
target=$(swift -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["unversionedTriple"])')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

source Scripts/module-flags.sh

rooms=$(sed -n 's/^@_exported public import \(Inspector.*\)/,\1/p' Sources/Inspector/*/Exports.swift | sort -u | tr -d '\n')
for catalog in Sources/Ops/Ops.docc Sources/Inspector/Inspector/Inspector.docc Sources/OpsTesting/OpsTesting.docc; do
    module=$(basename "$catalog" .docc)
    mkdir -p "$scratch/$module" "$folder"
    # EventLog's types are part of both libraries, under the library's name; so are those of Inspector's
    # modules.
    swift symbolgraph-extract -module-name "$module" -target "$target" "${module_flags[@]}" \
        -minimum-access-level public -experimental-allowed-reexported-modules="EventLog$rooms" -output-dir "$scratch/$module"
    docc convert "$catalog" --additional-symbol-graph-dir "$scratch/$module" \
        --fallback-display-name "$module" --fallback-bundle-identifier "opviz.$module" \
        --hosting-base-path "$module" --diagnostics-file "$scratch/$module.json" --diagnostic-level warning \
        --output-path "$folder/$module" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
    python3 - "$scratch/$module.json" <<'PYTHON'
import json, sys
found = [
    diagnostic for diagnostic in json.load(open(sys.argv[1]))["diagnostics"]
    if not diagnostic["summary"].endswith("is missing documentation")
]
for diagnostic in found:
    print(diagnostic.get("source", ""), diagnostic["summary"], file=sys.stderr)
sys.exit(1 if found else 0)
PYTHON
    echo "documentation of $module: $folder/$module"
done
