#!/usr/bin/env bash
# Tests swift package opviz in a project that depends on this package: plugin.sh [quick]
# With quick, an installed opviz is used, and a build is only begun. Otherwise opviz is built, which takes minutes.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
source "$root/Tests/expectations.sh"
version=$(sh "$root/Scripts/version.sh")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/project/Sources/app" "$scratch/same" "$scratch/other"
cd "$scratch/project"
cat >Package.swift <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "project", dependencies: [.package(name: "opviz", path: "$root")],
    targets: [.executableTarget(name: "app", dependencies: [.product(name: "Ops", package: "opviz")])])
MANIFEST
cp "$root/Sources/Ops/Ops.docc/Resources/import-2-instrumented.swift" Sources/app/main.swift
# The project takes the versions that are there already, and not what only this package's own tests need.
[ ! -f "$root/Package.resolved" ] || cp "$root/Package.resolved" .
unset OPVIZ_DEVELOPMENT
printf '#!/bin/sh\necho 0.0.9\n' >"$scratch/other/opviz"
chmod +x "$scratch/other/opviz"
because="[OpvizPlugin] $scratch/other/opviz is 0.0.9, this package is $version"

opviz() { swift package --allow-writing-to-package-directory opviz "$@"; }

draws_and_prints() { # PROGRAM
    expect "no trace of $1 is left" [ -s trace.json ]
    opviz trace.json -o graph.svg
    expect "no picture is drawn" grep -q '</svg>' graph.svg
    expect "nothing is printed" grep -q '^Executions by kind' <(opviz table trace.json)
}

# Begins a build in a process group of its own, and ends it once the plugin has said what it does.
first_words() {
    set -m
    opviz --version >build.txt 2>&1 &
    local build=$!
    set +m
    for _ in $(seq 1200); do
        ! grep -q '^\[OpvizPlugin\]' build.txt || break
        kill -0 "$build" 2>/dev/null || break
        sleep 0.1
    done
    # It is still there: it builds.
    kill -- "-$build" 2>/dev/null || echo "the build has ended by itself"
    wait "$build" 2>/dev/null || true
    grep '^\[OpvizPlugin\]' build.txt || true
}

says_how_long() { # LINE
    [[ $1 =~ ^"$because: building opviz, about "[0-9]+" minute"s?" on "[0-9]+" processor"s?" the first time"$ ]]
}

if [ "${1-}" = quick ]; then
    ln -s "$root/.build/debug/opviz" "$scratch/same/opviz"
    ordinary=$PATH
    export PATH="$scratch/same:$ordinary"
    if [ "$(uname)" = Linux ]; then
        opviz record -o trace.json -- "$root/.build/debug/first-trace" 2>record.txt
        expect "it is not said which opviz is used" \
            grep -qxF "[OpvizPlugin] using opviz $version of $scratch/same/opviz" record.txt
    else
        OPVIZ_TRACE=trace.json "$root/.build/debug/first-trace"
    fi
    draws_and_prints first-trace
    expect "something was built" [ ! -e .build/debug ]
    export PATH="$scratch/other:$ordinary"
    said=$(first_words)
    expect "it is not said why and how long it builds, but: $said" says_how_long "$said"
    end_of_expectations
    exit
fi

export PATH="$scratch/other:$PATH"
swift build
if [ "$(uname)" = Linux ]; then
    opviz record -o trace.json -- .build/debug/app 2>record.txt
    expect "it is not said that it builds" grep -qF "$because: building opviz, about " record.txt
else
    OPVIZ_TRACE=trace.json .build/debug/app
fi
draws_and_prints app
opviz --version >version.txt 2>again.txt
expect "the version is not the package's" grep -qx "$version" version.txt
expect "minutes are announced for what has been built" grep -qxF "$because: using the opviz of this package" again.txt
status=0
# The package manager prints a plugin's complaints as its output.
opviz lint absent.json >complaint.txt 2>&1 || status=$?
expect "a file that is not there is no error" [ "$status" -ne 0 ]
expect "it is not said which file is not there" grep -qx 'opviz: absent.json: no such file' complaint.txt
mkdir inner
expect "the folder that it is called in is not that of its files" \
    grep -q '^Executions by kind' <(cd inner && swift package --package-path .. --allow-writing-to-package-directory opviz table ../trace.json)
end_of_expectations
