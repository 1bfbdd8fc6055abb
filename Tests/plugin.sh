#!/usr/bin/env bash
# Tests swift package opviz in a project that depends on this package and has nothing installed. Builds opviz
# for it, which takes minutes: plugin.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
source "$root/Tests/expectations.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/project/Sources/app"
cd "$scratch/project"
cat >Package.swift <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "project", dependencies: [.package(name: "opviz", path: "$root")],
    targets: [.executableTarget(name: "app", dependencies: [.product(name: "Ops", package: "opviz")])])
MANIFEST
cp "$root/Sources/Ops/Ops.docc/Resources/import-2-instrumented.swift" Sources/app/main.swift
swift build

opviz() { swift package --allow-writing-to-package-directory opviz "$@"; }
if [ "$(uname)" = Linux ]; then
    opviz record -o trace.json -- .build/debug/app
else
    OPVIZ_TRACE=trace.json .build/debug/app
fi
expect "no trace is left" [ -s trace.json ]
opviz trace.json -o graph.svg
expect "no picture is drawn" grep -q '</svg>' graph.svg
expect "nothing is printed" grep -q '^Executions by kind' <(opviz table trace.json)
status=0
# The package manager prints a plugin's complaints as its output.
opviz lint absent.json >complaint.txt 2>&1 || status=$?
expect "a file that is not there is no error" [ "$status" -ne 0 ]
expect "it is not said which file is not there" grep -qx 'opviz: absent.json: no such file' complaint.txt
mkdir inner
expect "the folder that it is called in is not that of its files" \
    grep -q '^Executions by kind' <(cd inner && swift package --package-path .. --allow-writing-to-package-directory opviz table ../trace.json)
end_of_expectations
