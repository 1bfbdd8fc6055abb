import Foundation
import PackagePlugin

/// Writes the page's files as Swift strings. `.embedInCode` writes arrays of numbers, which compile for 25
/// seconds.
@main
struct PageAssetsPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let files = try FileManager.default.contentsOfDirectory(
            at: target.directoryURL.appending(path: "Assets"), includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
        let script = context.package.directoryURL.appending(path: "Scripts/swift-strings.sh")
        let output = context.pluginWorkDirectoryURL.appending(path: "PageFiles.swift")
        return [
            .buildCommand(
                displayName: "Writing the page's files as Swift", executable: URL(filePath: "/bin/sh"),
                arguments: [script.path, output.path] + files.map(\.path), inputFiles: [script] + files,
                outputFiles: [output])
        ]
    }
}
