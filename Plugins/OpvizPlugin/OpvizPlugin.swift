import Foundation
import PackagePlugin

/// `swift package opviz …`: the command `opviz` of the package that a project depends on. An installed one of
/// the same version is used; otherwise it is built.
@main
struct OpvizPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        guard let package = Self.opvizPackage(in: context.package) else {
            throw PluginFailure("the package opviz is not among the dependencies")
        }
        let records = arguments.first == "record"
        let built = BuiltOpviz(noteIn: context.pluginWorkDirectoryURL)
        let choice = try surroundings(of: package, built, records: records).choice()
        if let remark = choice.remark { Diagnostics.progress(remark) }
        let opviz: URL
        if let installed = choice.installed {
            opviz = installed
        } else {
            opviz = try build()
            try built.note(opviz)
            if records { try makeRecordLibrary(beside: opviz, of: package, context) }
        }
        let status = try run(opviz, arguments)
        // SwiftPM reports any failure of a plugin as exit code 1.
        if status != 0 { exit(status) }
    }

    private func surroundings(
        of package: Package, _ built: BuiltOpviz, records: Bool
    ) throws -> OpvizSurroundings {
        let script = package.directoryURL.appending(path: "Scripts/version.sh")
        guard let version = output(of: URL(filePath: "/bin/sh"), [script.path]) else {
            throw PluginFailure("\(script.path) does not say the version of the package")
        }
        var surroundings = OpvizSurroundings(version: version)
        surroundings.processors = ProcessInfo.processInfo.activeProcessorCount
        surroundings.isBuilt = built.url.flatMap { output(of: $0, ["--version"]) } == version
        let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""
        if let installed = program(named: "opviz", in: searchPath) {
            surroundings.installed = installed
            surroundings.installedVersion = output(of: installed, ["--version"])
            #if os(Linux)
                if records, RecordLibraryPlaces.find(of: installed.resolvingSymlinksInPath()) == nil {
                    surroundings.missing = RecordLibraryPlaces.name
                }
            #endif
        }
        return surroundings
    }

    /// The plugin does not depend on opviz as a tool, because every build of this package would then build
    /// everything twice.
    private func build() throws -> URL {
        var parameters = PackageManager.BuildParameters(configuration: .debug, logging: .concise)
        // As in Package.swift, which may not set it for a package that others depend on.
        parameters.otherCxxFlags = ["-O2"]
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
    private func makeRecordLibrary(beside opviz: URL, of package: Package, _ context: PluginContext) throws {
        #if os(Linux)
            let library = opviz.deletingLastPathComponent().appending(path: RecordLibraryPlaces.name)
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

    /// The line that a program prints; nil if it fails, prints none, or takes ten seconds, as one does that
    /// waits for this package manager.
    private func output(of program: URL, _ arguments: [String]) -> String? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let limit = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 10, execute: limit)
        defer { limit.cancel() }
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let line = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return process.terminationStatus == 0 && !line.isEmpty ? line : nil
    }
}

/// The opviz that the plugin built last, which a note in the plugin's own folder names.
private struct BuiltOpviz {
    private let file: URL

    init(noteIn folder: URL) { file = folder.appending(path: "built-opviz") }

    /// The program; nil if none was built.
    var url: URL? { (try? String(contentsOf: file, encoding: .utf8)).map { URL(filePath: $0) } }

    func note(_ opviz: URL) throws {
        try Data(opviz.path.utf8).write(to: file, options: .atomic)
    }
}

private struct PluginFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
