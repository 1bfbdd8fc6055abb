// swift-tools-version: 6.2
import PackageDescription

// Apart from the other benchmarks, which are targets of the root package: it needs a package that nothing
// else here does, and the plugin finds its programs by this folder.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "opviz", path: "..", traits: []),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        // What is compared from one version to the next. The plugin looks for it in this folder.
        .executableTarget(
            name: "Recording",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "Inspector", package: "opviz"),
                .product(name: "Ops", package: "opviz"),
            ],
            path: "Benchmarks/Recording",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
}
