import Foundation
import PackagePlugin

/// `swift package opviz …`: the command `opviz`, built from the package that a project depends on, with
/// nothing installed.
@main
struct OpvizPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let opviz = try build()
        if arguments.first == "record" { try makeRecordLibrary(beside: opviz, context) }
        let status = try run(opviz, arguments)
        // The package manager tells it on; it makes 1 of whatever is not 0.
        if status != 0 { exit(status) }
    }

    /// The plugin does not depend on opviz as a tool, because every build of this package would then build
    /// everything twice.
    private func build() throws -> URL {
        var parameters = PackageManager.BuildParameters(configuration: .debug, logging: .concise)
        // C++ without optimization reads traces fifteen times as slowly.
        parameters.otherCxxFlags = ["-O2"]
        Diagnostics.progress("building opviz, which takes minutes the first time")
        let result = try packageManager.build(.product("opviz"), parameters: parameters)
        guard result.succeeded,
            let opviz = result.builtArtifacts.first(where: {
                $0.kind == .executable && $0.url.lastPathComponent == "opviz"
            })
        else { throw PluginFailure("opviz cannot be built:\n\(result.logText)") }
        return opviz.url
    }

    /// The library that `opviz record` loads into programs is not a product of the package, because it must
    /// not contain Swift. opviz looks for it beside itself.
    private func makeRecordLibrary(beside opviz: URL, _ context: PluginContext) throws {
        #if os(Linux)
            guard let package = Self.opvizPackage(in: context.package) else {
                throw PluginFailure("the package opviz is not among the dependencies")
            }
            let sources = package.directoryURL.appending(path: "Sources")
            let library = opviz.deletingLastPathComponent().appending(path: "libopviz-record.so")
            let files = try ["CRecorder", "CRecorderPreload"].flatMap { folder in
                try FileManager.default.contentsOfDirectory(
                    at: sources.appending(path: folder), includingPropertiesForKeys: nil
                ).filter { $0.pathExtension == "c" }
            }.sorted { $0.path < $1.path }
            // As in the Makefile, which says why. A name of its own first: another process may be loading the
            // library.
            let unfinished = library.path + ".\(ProcessInfo.processInfo.processIdentifier)"
            let status = try run(
                try context.tool(named: "clang").url,
                [
                    "-std=gnu11", "-O2", "-g", "-fPIC", "-shared", "-fvisibility=hidden", "-pthread",
                    "-I", sources.appending(path: "CRecorder/include").path,
                    "-Wl,-z,nodelete", "-Wl,--as-needed", "-o", unfinished,
                ] + files.map(\.path))
            guard status == 0, rename(unfinished, library.path) == 0 else {
                throw PluginFailure("\(library.path): cannot be built")
            }
        #endif
    }

    private static func opvizPackage(in package: Package) -> Package? {
        if package.displayName == "opviz" { return package }
        for dependency in package.dependencies {
            if let found = opvizPackage(in: dependency.package) { return found }
        }
        return nil
    }

    /// Runs a program in the folder in which the package manager was called, with its input and output.
    private func run(_ program: URL, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        if let folder = ProcessInfo.processInfo.environment["PWD"] {
            process.currentDirectoryURL = URL(filePath: folder)
        }
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .exit
            ? process.terminationStatus : 128 + process.terminationStatus
    }
}

private struct PluginFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
