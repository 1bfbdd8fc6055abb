// swift-tools-version: 6.2
import Foundation
import PackageDescription

// SwiftPM keeps the packages that another one depends on in folders of these names.
let isDependency = ["/checkouts/", "/registry/downloads/"].contains(where: Context.packageDirectory.contains)

// Set by make, but not for the demo. Without it, `swift build` builds what packages that depend on this one
// can use, and the programs of the README, and leaves the tests out.
let isDevelopment = Context.environment["OPVIZ_DEVELOPMENT"] != nil

// C++ without optimization reads traces fifteen times as slowly. SwiftPM refuses such flags in dependencies.
let optimized: [CXXSetting] = isDependency ? [] : [.unsafeFlags(["-O2"], .when(configuration: .debug))]

// Warnings are errors, here and with the compilers that CI has: what others warn of must not break a build.
#if os(Linux) && compiler(>=6.2) && compiler(<6.4)
    let strict: [SwiftSetting] = isDependency ? [] : [.treatAllWarnings(as: .error)]
#else
    let strict: [SwiftSetting] = []
#endif

// Two processors that build everything once need 0.8 of the time if each module is compiled as a whole. More
// share its files instead, and in development a file that changed is compiled alone. SwiftPM links an object
// of each file, which takes threads, and asks for batches, which the driver warns of.
#if os(Linux)
    let isWhole = !isDependency && !isDevelopment && ProcessInfo.processInfo.activeProcessorCount <= 2
#else
    let isWhole = false
#endif
let whole: [SwiftSetting] =
    isWhole
    ? [
        .unsafeFlags(
            ["-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode"],
            .when(configuration: .debug))
    ] : []

/// A program of Examples.
func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Examples/Sources/\(name)")
}

/// The tests of a program of Examples.
func exampleTests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Examples/Tests/\(name)")
}

let flyingFox = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")
let flyingSocks = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let ownServer: [Target.Dependency] = ["TracedProgram", "Loopback", "Ops", flyingFox]

/// The programs of the README. The first two do not use this project.
let readmePrograms: [Target] = [
    example("thumbnails", []),
    example("stuck", []),
    example("feed", []),
    example("first-trace", ["Ops"]),
    example("first-trace-fixed", ["Ops"]),
]

let examples: [Target] = [
    // What the programs have in common: each records itself and draws that, and has a server of its own.
    .target(
        name: "TracedProgram", dependencies: ["Ops", "Inspector", "GraphvizRendering"],
        path: "Examples/Sources/TracedProgram"),
    .target(name: "Loopback", dependencies: [flyingFox, flyingSocks], path: "Examples/Sources/Loopback"),
    example("trending", ownServer + ["OpsNetwork"]),
    example("quotes", ownServer + ["OpsNetwork", grdb]),
    example("timeline", ownServer + ["OpsNetwork", grdb]),
    // Reads and writes the gallery's pictures.
    .systemLibrary(
        name: "CPNG", path: "Examples/Sources/CPNG", pkgConfig: "libpng",
        providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    example("gallery", ownServer + ["OpsNetwork", "CPNG"]),
    example("downloads", ownServer + ["OpsNetwork", flyingSocks]),
    example("words", ["Ops", "Inspector", "GraphvizRendering"]),
    example("hazards", ["Ops"]),
    // One planted fault for each argument; it does not use this project.
    example("faults", []),
    // Awaits what never comes; it does not use this project.
    example("forgotten", []),
    // More programs of the guides in Documentation.
    example("toolkit", ["Ops"]),
    example("two-processes", ["Ops"]),
    // The last steps of the tutorials, which are linked to.
    example("import-tutorial", ["Ops"]),
    example("ask-tutorial", ["Inspector"]),
    // What the tests of the programs have in common.
    .target(name: "RecordedRun", dependencies: ["Ops", "Inspector"], path: "Examples/Tests/RecordedRun"),
    exampleTests("QuotesTests", ["quotes", "Loopback", "Inspector", flyingFox, flyingSocks, grdb]),
    exampleTests("TimelineTests", ["timeline", "Loopback", "RecordedRun", "Inspector", grdb]),
    exampleTests("TrendingTests", ["trending", "Loopback", "RecordedRun", "Inspector"]),
    exampleTests("GalleryTests", ["gallery", "Inspector"]),
    exampleTests("DownloadsTests", ["downloads", "Inspector"]),
    exampleTests("WordsTests", ["words", "Inspector"]),
    exampleTests(
        "HazardsTests", ["hazards", "quotes", "downloads", "timeline", "trending", "gallery", "Inspector"]),
]

/// A program of Benchmarks.
func benchmark(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Benchmarks/Sources/\(name)")
}

let benchmarks: [Target] = [
    // The authority for the figures: pairs of blocks in one process, with confidence intervals.
    benchmark(
        "recording-cost",
        [
            "Ops", .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            .product(name: "Tracing", package: "swift-distributed-tracing"),
        ]),
    // What no average shows: the longest stall, and memory.
    benchmark("recording-limits", ["Ops"]),
    // A timing check of recording, made with OpsTesting: equal sides must never be called regressed.
    benchmark("timing-check", ["Inspector", "Ops", "OpsTesting"]),
    // What each analysis of a trace costs, for analysis.sh.
    benchmark("analysis-cost", ["Inspector"]),
]

let tests: [Target] = [
    // Records until somebody kills it.
    .executableTarget(name: "RecordingVictim", dependencies: ["Ops"], path: "Tests/RecordingVictim"),
    // Records operations of more types than there are replacements for their methods.
    .executableTarget(
        name: "TypeFlood", dependencies: ["Ops"], path: "Tests/TypeFlood", exclude: ["generate.sh"]),
    // Swift tasks of every kind, recorded from outside.
    .executableTarget(name: "TaskVictim", path: "Tests/TaskVictim"),
    // Suspends tasks, some of which nobody can resume. It looks into the runtime's tasks for their numbers.
    .executableTarget(
        name: "StuckVictim", path: "Tests/StuckVictim", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "MemorySearchTests", dependencies: ["MemorySearch", "StuckVictim"]),
    // Writes down itself what happens in its tasks. It looks into the runtime's tasks for their numbers.
    .executableTarget(
        name: "TaskStress", dependencies: ["Ops"], path: "Tests/TaskStress",
        swiftSettings: [.swiftLanguageMode(.v5)]),
    // Work without a clock, whose instructions Benchmarks/count-instructions.py counts.
    .executableTarget(name: "RecordingWork", dependencies: ["Ops"], path: "Tests/RecordingWork"),
    // Operations of modules that do not use this project: an ordinary one, and one with library
    // evolution.
    .target(name: "ForeignOperations", path: "Tests/ForeignOperations"),
    .target(
        name: "ResilientOperations", path: "Tests/ResilientOperations",
        // Library evolution warns that Foundation does not support it.
        swiftSettings: [.unsafeFlags(["-enable-library-evolution", "-suppress-warnings"])]),
    .testTarget(name: "WaitDiagnosisTests", dependencies: ["WaitDiagnosis"]),
    .testTarget(name: "ProgramRecordingTests", dependencies: ["ProgramRecording"]),
    .testTarget(
        name: "OpsTests",
        dependencies: [
            "Ops", "Inspector", "CRecorder", "RecordingVictim", "TypeFlood", "ForeignOperations",
            "ResilientOperations", "TestTraces",
        ]),
    .testTarget(name: "OpsNetworkTests", dependencies: ["OpsNetwork", "Ops", "Inspector"]),
    .testTarget(
        name: "OpsTracingTests",
        dependencies: [
            "OpsTracing", "OpsMetrics", "OpsLogging", "Ops",
            .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            .product(name: "InMemoryLogging", package: "swift-log"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "Metrics", package: "swift-metrics"),
            .product(name: "MetricsTestKit", package: "swift-metrics"),
            .product(name: "Tracing", package: "swift-distributed-tracing"),
        ]),
    .testTarget(
        name: "OpsMetricsTests",
        dependencies: [
            "OpsMetrics", "Ops", .product(name: "Metrics", package: "swift-metrics"),
            .product(name: "MetricsTestKit", package: "swift-metrics"),
        ]),
    .testTarget(
        name: "OpsLoggingTests",
        dependencies: [
            "OpsLogging", "Ops", .product(name: "InMemoryLogging", package: "swift-log"),
            .product(name: "Logging", package: "swift-log"),
        ]),
    // Traces, logs and goldens in the words of tests.
    .target(name: "TestTraces", dependencies: ["InspectorExport"], path: "Tests/TestTraces"),
    .testTarget(
        name: "EventLogTests", dependencies: ["InspectorAnalysis", "InspectorTraces", "TestTraces"]),
    .testTarget(
        name: "InspectorTextTests", dependencies: ["InspectorAnalysis", "InspectorText", "TestTraces"]),
    .testTarget(
        name: "InspectorTracesTests",
        dependencies: ["InspectorAnalysis", "InspectorTraces", "TestTraces"],
        exclude: ["Imported"]),
    .testTarget(name: "InspectorAnalysisTests", dependencies: ["InspectorReports", "TestTraces"]),
    .testTarget(name: "InspectorHazardsTests", dependencies: ["InspectorHazards", "TestTraces"]),
    .testTarget(name: "InspectorComparisonTests", dependencies: ["InspectorComparison", "TestTraces"]),
    .testTarget(
        name: "InspectorRegressionTests", dependencies: ["InspectorRegression", "TestTraces"],
        exclude: ["scipy.json"]),
    .testTarget(
        name: "InspectorReportsTests", dependencies: ["InspectorReports", "TestTraces", "WaitDiagnosis"]),
    .testTarget(name: "InspectorFlamesTests", dependencies: ["InspectorFlames", "TestTraces"]),
    .testTarget(name: "InspectorExportTests", dependencies: ["InspectorExport", "TestTraces"]),
    .testTarget(name: "InspectorLiveTests", dependencies: ["InspectorLive", "TestTraces", "WaitDiagnosis"]),
    // What goes through several modules.
    .testTarget(name: "InspectorTests", dependencies: ["Inspector", "TestTraces"]),
    .testTarget(
        name: "OpsTestingTests", dependencies: ["OpsTesting", "Ops", "Inspector"],
        exclude: ["budgets.yml"]),
    .testTarget(
        name: "OpvizTests",
        dependencies: [
            "opviz", "ProgramRecording", "Inspector", "GraphvizRendering", "MemorySearch",
            "RecordingVictim", "TestTraces",
        ],
        exclude: ["Traces"]),
]

let examplePackages: [Package.Dependency] = [
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
]

let package = Package(
    name: "opviz",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Ops", targets: ["Ops"]),
        .library(name: "OpsNetwork", targets: ["OpsNetwork"]),
        .library(name: "OpsTracing", targets: ["OpsTracing"]),
        .library(name: "OpsMetrics", targets: ["OpsMetrics"]),
        .library(name: "OpsLogging", targets: ["OpsLogging"]),
        .library(name: "Inspector", targets: ["Inspector"]),
        .library(name: "GraphvizRendering", targets: ["GraphvizRendering"]),
        .library(name: "OpsTesting", targets: ["OpsTesting"]),
        .executable(name: "opviz", targets: ["opviz"]),
        .plugin(name: "OpvizPlugin", targets: ["OpvizPlugin"]),
    ],
    traits: [
        .default(enabledTraits: ["Graphviz"]),
        .trait(
            name: "Graphviz",
            description: "Render SVG, PNG and PDF in process through libgvc. Without it opviz writes DOT."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ] + (isDevelopment ? examplePackages : []),
    targets: [
        // The event log: what an event is, and how it is written as JSON. Shared by the two halves.
        .target(name: "EventLog", dependencies: ["CLogFormat"]),
        // The numbers of the binary log, for the recorders in C and for EventLog.
        .target(name: "CLogFormat"),
        // Why operations do not finish, from who waits for whom. Shared by the two halves as well.
        .target(name: "WaitDiagnosis", dependencies: ["EventLog"]),
        .target(name: "CRecorder", dependencies: ["CLogFormat"]),
        .target(name: "Ops", dependencies: ["EventLog", "WaitDiagnosis", "CRecorder"]),
        // Apart from Ops, because FoundationNetworking doubles the time that a program takes to start.
        .target(name: "OpsNetwork", dependencies: ["Ops", "EventLog"]),
        // Each apart, because Ops depends on nothing: what operations do, told to the APIs that programs have
        // already.
        .target(
            name: "OpsTracing",
            dependencies: [
                "Ops", "EventLog", .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        .target(
            name: "OpsMetrics", dependencies: ["Ops", .product(name: "Metrics", package: "swift-metrics")]),
        .target(
            name: "OpsLogging",
            dependencies: ["Ops", "EventLog", .product(name: "Logging", package: "swift-log")]),
        .target(
            name: "CTraceJSON",
            // Without it simdjson's headers check themselves at every step.
            cxxSettings: [.define("NDEBUG")] + optimized,
            linkerSettings: [.linkedLibrary("simdjson")]),
        // The Inspector, each module with those below it: texts, traces, what is computed of them, what is
        // told of them.
        .target(name: "InspectorText", dependencies: ["EventLog"], path: "Sources/Inspector/Text"),
        // The storage that hot loops read. It is public and inlinable because Swift 6.3 does not inline
        // `package` functions into other modules. No product contains it, and nothing re-exports it.
        .target(name: "InspectorColumns", path: "Sources/Inspector/Columns"),
        .target(
            name: "InspectorTraces", dependencies: ["InspectorText", "InspectorColumns", "CTraceJSON"],
            path: "Sources/Inspector/Traces"),
        .target(
            name: "InspectorAnalysis",
            dependencies: [
                "InspectorTraces", "InspectorColumns", "WaitDiagnosis",
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            path: "Sources/Inspector/Analysis"),
        .target(
            name: "InspectorHazards",
            dependencies: ["InspectorAnalysis", "InspectorColumns", "WaitDiagnosis"],
            path: "Sources/Inspector/Hazards"),
        .target(
            name: "InspectorComparison", dependencies: ["InspectorAnalysis", "InspectorColumns"],
            path: "Sources/Inspector/Comparison"),
        .target(
            name: "InspectorRegression",
            dependencies: ["InspectorHazards", "InspectorColumns", .product(name: "Yams", package: "Yams")],
            path: "Sources/Inspector/Regression"),
        .target(
            name: "InspectorFlames",
            dependencies: ["InspectorAnalysis", "InspectorColumns", "InspectorPageAssets"],
            path: "Sources/Inspector/Flames"),
        // The page's files. Apart from the reports, so that a change of them compiles nothing else.
        .target(
            name: "InspectorPageAssets", path: "Sources/Inspector/PageAssets", exclude: ["Assets"],
            plugins: ["PageAssetsPlugin"]),
        .plugin(name: "PageAssetsPlugin", capability: .buildTool()),
        .target(
            name: "InspectorReports",
            dependencies: [
                "InspectorComparison", "InspectorFlames", "InspectorHazards", "InspectorColumns",
                "InspectorPageAssets",
                "WaitDiagnosis",
            ],
            path: "Sources/Inspector/Reports"),
        .target(
            name: "InspectorExport", dependencies: ["InspectorHazards", "InspectorColumns"],
            path: "Sources/Inspector/Export"),
        .target(
            name: "InspectorLive",
            dependencies: [
                "InspectorHazards", "InspectorColumns", "WaitDiagnosis",
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            path: "Sources/Inspector/Live"),
        .target(
            name: "Inspector",
            dependencies: [
                "InspectorComparison", "InspectorExport", "InspectorFlames", "InspectorLive",
                "InspectorRegression", "InspectorReports",
            ],
            path: "Sources/Inspector/Inspector"),
        .systemLibrary(
            name: "CGraphviz", pkgConfig: "libgvc",
            providers: [.apt(["libgraphviz-dev"]), .brew(["graphviz"])]),
        .target(
            name: "GraphvizRendering",
            dependencies: [.target(name: "CGraphviz", condition: .when(traits: ["Graphviz"]))]),
        // For test targets only: it is linked with Swift Testing and XCTest.
        .target(
            name: "OpsTesting", dependencies: ["Ops", "EventLog", "Inspector", "GraphvizRendering"]),
        // Sources/CRecorderPreload, the library that `opviz record` loads into programs, is not a target of
        // the package. `make record-library` builds it, because it must not depend on Swift.
        .target(name: "CRecordHost", dependencies: ["CLogFormat"]),
        // Whether anything in a process that stands still can resume a task, from all of its memory.
        .target(name: "MemorySearch", dependencies: ["CRecordHost", "EventLog", "WaitDiagnosis"]),
        // The engine of `opviz record`: starts programs, and takes what they and the kernel record.
        .target(
            name: "ProgramRecording",
            dependencies: [
                "CRecordHost", "EventLog", "InspectorLive", "InspectorReports", "MemorySearch",
                "WaitDiagnosis",
            ]),
        // The terminal of `opviz watch`, in C because signal handlers give it back.
        .target(name: "CTerminal"),
        .executableTarget(
            name: "opviz",
            dependencies: [
                "Inspector", "EventLog", "GraphvizRendering", "CTerminal", "MemorySearch", "ProgramRecording",
                "WaitDiagnosis",
                // Records `opviz demo`, and nothing else.
                "Ops",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .plugin(
            name: "OpvizPlugin",
            capability: .command(
                intent: .custom(
                    verb: "opviz", description: "Runs opviz, of the package that is depended on."),
                permissions: [
                    .writeToPackageDirectory(
                        reason: "opviz writes pictures and traces where they are asked for.")
                ])),
    ] + readmePrograms + (isDevelopment ? examples + benchmarks + tests : []),
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

for target in package.targets
where [.regular, .executable, .test].contains(target.type) && target.name != "ResilientOperations" {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ] + strict + whole
}
