// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "opviz", path: ".."),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // What the programs have in common: each records itself and draws that, and has a server of its own.
        .target(
            name: "TracedProgram",
            dependencies: [
                .product(name: "Ops", package: "opviz"),
                .product(name: "Inspector", package: "opviz"),
                .product(name: "GraphvizRendering", package: "opviz"),
            ]),
        .target(
            name: "Loopback",
            dependencies: [
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ]),
        .executableTarget(
            name: "quotes",
            dependencies: [
                "TracedProgram", "Loopback",
                .product(name: "Ops", package: "opviz"),
                .product(name: "OpsNetwork", package: "opviz"),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .executableTarget(
            name: "timeline",
            dependencies: [
                "TracedProgram", "Loopback",
                .product(name: "Ops", package: "opviz"),
                .product(name: "OpsNetwork", package: "opviz"),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .executableTarget(
            name: "trending",
            dependencies: [
                "TracedProgram", "Loopback",
                .product(name: "Ops", package: "opviz"),
                .product(name: "OpsNetwork", package: "opviz"),
                .product(name: "FlyingFox", package: "FlyingFox"),
            ]),
        // Reads and writes the gallery's pictures.
        .systemLibrary(
            name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .executableTarget(
            name: "gallery",
            dependencies: [
                "TracedProgram", "Loopback", "CPNG",
                .product(name: "Ops", package: "opviz"),
                .product(name: "OpsNetwork", package: "opviz"),
                .product(name: "FlyingFox", package: "FlyingFox"),
            ]),
        .executableTarget(
            name: "downloads",
            dependencies: [
                "TracedProgram", "Loopback",
                .product(name: "Ops", package: "opviz"),
                .product(name: "OpsNetwork", package: "opviz"),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ]),
        .executableTarget(
            name: "words",
            dependencies: [
                .product(name: "Ops", package: "opviz"),
                .product(name: "Inspector", package: "opviz"),
                .product(name: "GraphvizRendering", package: "opviz"),
            ]),
        .executableTarget(name: "hazards", dependencies: [.product(name: "Ops", package: "opviz")]),
        // The programs of the guides in Documentation. The first two do not use this project.
        .executableTarget(name: "thumbnails"),
        .executableTarget(name: "stuck"),
        .executableTarget(name: "first-trace", dependencies: [.product(name: "Ops", package: "opviz")]),
        .executableTarget(
            name: "first-trace-fixed", dependencies: [.product(name: "Ops", package: "opviz")]),
        .executableTarget(name: "toolkit", dependencies: [.product(name: "Ops", package: "opviz")]),
        .executableTarget(
            name: "two-processes", dependencies: [.product(name: "Ops", package: "opviz")]),
        // The last steps of the tutorials, which are linked to.
        .executableTarget(
            name: "import-tutorial", dependencies: [.product(name: "Ops", package: "opviz")]),
        .executableTarget(
            name: "ask-tutorial", dependencies: [.product(name: "Inspector", package: "opviz")]),
        // What the tests of the programs have in common.
        .target(
            name: "RecordedRun",
            dependencies: [
                .product(name: "Ops", package: "opviz"), .product(name: "Inspector", package: "opviz"),
            ],
            path: "Tests/RecordedRun"),
        .testTarget(
            name: "QuotesTests",
            dependencies: [
                "quotes", "Loopback",
                .product(name: "Inspector", package: "opviz"),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "TimelineTests",
            dependencies: [
                "timeline", "Loopback", "RecordedRun", .product(name: "Inspector", package: "opviz"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "TrendingTests",
            dependencies: [
                "trending", "Loopback", "RecordedRun", .product(name: "Inspector", package: "opviz"),
            ]),
        .testTarget(
            name: "GalleryTests", dependencies: ["gallery", .product(name: "Inspector", package: "opviz")]),
        .testTarget(
            name: "DownloadsTests",
            dependencies: ["downloads", .product(name: "Inspector", package: "opviz")]),
        .testTarget(
            name: "WordsTests", dependencies: ["words", .product(name: "Inspector", package: "opviz")]),
        .testTarget(
            name: "HazardsTests",
            dependencies: [
                "hazards", "quotes", "downloads", "timeline", "trending", "gallery",
                .product(name: "Inspector", package: "opviz"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Set by make and CI: what a newer compiler warns of must not break those who only build this.
let strict: [SwiftSetting] =
    Context.environment["OPVIZ_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ] + strict
}
