// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "opviz", path: "..", traits: []),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        // The authority for the figures: pairs of blocks in one process, with confidence intervals.
        .executableTarget(
            name: "recording-cost",
            dependencies: [
                .product(name: "Ops", package: "opviz"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        // What no average shows: the longest stall, and memory.
        .executableTarget(
            name: "recording-limits",
            dependencies: [.product(name: "Ops", package: "opviz")]),
        // A timing check of recording, made with OpsTesting: equal sides must never be called regressed.
        .executableTarget(
            name: "timing-check",
            dependencies: [
                .product(name: "Inspector", package: "opviz"),
                .product(name: "Ops", package: "opviz"),
                .product(name: "OpsTesting", package: "opviz"),
            ]),
        // What each analysis of a trace costs, for analysis.sh.
        .executableTarget(
            name: "analysis-cost",
            dependencies: [.product(name: "Inspector", package: "opviz")]),
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

// Set by make and CI: what a newer compiler warns of must not break those who only build this.
let strict: [SwiftSetting] =
    Context.environment["OPVIZ_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ] + strict
}
