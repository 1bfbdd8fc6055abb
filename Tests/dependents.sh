#!/usr/bin/env bash
# Checks that a package that depends on this one resolves what its products need, and nothing of Examples, also if
# make runs there: dependents.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
source "$root/Tests/expectations.sh"
scratch=$(mktemp -d)
name=opviz-version-$$
# The package manager keeps a copy of each repository that it has fetched.
trap 'rm -rf "$scratch" "${XDG_CACHE_HOME:-$HOME/.cache}/org.swift.swiftpm/repositories/$name"-*' EXIT
# A clone, so that the package is found as a version: that forbids flags which the package sets for itself.
git clone -q --depth 1 "file://$root" "$scratch/$name"
git -C "$scratch/$name" tag 1000.0.0
mkdir -p "$scratch/project/Sources/app"
cd "$scratch/project"
echo 'import Ops' >Sources/app/main.swift
cat >Package.swift <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "project", dependencies: [.package(url: "file://$scratch/$name", from: "1000.0.0")],
    targets: [
        .executableTarget(
            name: "app",
            dependencies: [.product(name: "Ops", package: "$name"), .product(name: "Inspector", package: "$name")])
    ])
MANIFEST
export OPVIZ_DEVELOPMENT=1
expect "a package that depends on opviz does not resolve" swift package resolve
expect "Yams, which Inspector needs, is not resolved" [ -e .build/checkouts/Yams ]
for package in FlyingFox GRDB.swift; do
    expect "$package, which only Examples need, is resolved" [ ! -e ".build/checkouts/$package" ]
done
expect "a version of opviz cannot be planned" swift build --show-bin-path
expect "a version of opviz has flags that SwiftPM refuses" swift build --target CTraceJSON
end_of_expectations
