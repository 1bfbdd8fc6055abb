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
        // SwiftPM reports any failure of a plugin as exit code 1.
        if status != 0 { exit(status) }
    }

    /// The plugin does not depend on opviz as a tool, because every build of this package would then build
    /// everything twice.
    private func build() throws -> URL {
        var parameters = PackageManager.BuildParameters(configuration: .debug, logging: .concise)
        // As in Package.swift, which may not set it for a package that others depend on.
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
            let library = opviz.deletingLastPathComponent().appending(path: "libopviz-record.so")
            let script = package.directoryURL.appending(path: "Scripts/record-library.sh")
            let clang = try context.tool(named: "clang").url
            guard try run(URL(filePath: "/bin/sh"), [script.path, library.path, clang.path]) == 0 else {
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
