// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "opviz",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Ops", targets: ["Ops"]),
        .library(name: "Inspector", targets: ["Inspector"]),
    ],
    traits: [
        .default(enabledTraits: ["Graphviz"]),
        .trait(
            name: "Graphviz",
            description: "Render SVG, PNG and PDF in process through libgvc. Without it opviz writes DOT."),
    ],
    targets: [
        // The event log: what an event is, and how it is written as JSON. Shared by the two halves.
        .target(name: "EventLog"),
        .target(name: "CRecorder"),
        .target(name: "Ops", dependencies: ["EventLog", "CRecorder"]),
        .target(
            name: "CTraceJSON",
            linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "Inspector", dependencies: ["EventLog", "CTraceJSON"]),
        .testTarget(name: "OpsTests", dependencies: ["Ops", "Inspector"]),
        .testTarget(name: "InspectorTests", dependencies: ["Inspector", "EventLog"], exclude: ["Goldens"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .treatAllWarnings(as: .error),
        ]
}
