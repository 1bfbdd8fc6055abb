import Foundation
import Testing

@Suite("the choice of swift package opviz") struct OpvizChoiceTests {
    private let installed = URL(fileURLWithPath: "/usr/bin/opviz")

    /// An installed opviz of the same version, and two processors.
    private func surroundings(_ change: (inout OpvizSurroundings) -> Void = { _ in }) -> OpvizSurroundings {
        var surroundings = OpvizSurroundings(
            version: "0.1.0", installed: installed, installedVersion: "0.1.0", processors: 2)
        change(&surroundings)
        return surroundings
    }

    private let build = "building opviz, about 3 minutes on 2 processors the first time"

    @Test("an installed opviz of the same version is used, and the line says which")
    func usesTheSameVersion() {
        #expect(
            surroundings().choice()
                == OpvizChoice(installed: installed, remark: "using opviz 0.1.0 of /usr/bin/opviz"))
    }

    @Test(
        "an installed opviz of another version is not used, and the line says why and how long a build takes")
    func refusesAnotherVersion() {
        let choice = surroundings { $0.installedVersion = "0.0.9" }.choice()
        #expect(
            choice == OpvizChoice(remark: "/usr/bin/opviz is 0.0.9, this package is 0.1.0: \(build)"))
    }

    @Test("a program named opviz that does not say its version is not used")
    func refusesAnUnknownVersion() {
        let choice = surroundings { $0.installedVersion = nil }.choice()
        #expect(choice == OpvizChoice(remark: "/usr/bin/opviz does not say its version: \(build)"))
    }

    @Test("an installed opviz that lacks the library that it records with is not used to record")
    func refusesAnIncompleteInstallation() {
        let choice = surroundings { $0.missing = "libopviz-record.so" }.choice()
        #expect(
            choice == OpvizChoice(remark: "/usr/bin/opviz cannot record without libopviz-record.so: \(build)")
        )
    }

    @Test("without an installed opviz the line only says how long the build takes")
    func saysHowLong() {
        #expect(surroundings { $0.installed = nil }.choice() == OpvizChoice(remark: build))
    }

    @Test(
        "the minutes of a build are divided among the processors, and are at least one",
        arguments: [
            (1, "5 minutes on 1 processor"), (3, "2 minutes on 3 processors"),
            (64, "1 minute on 64 processors"),
        ])
    func dividesTheMinutes(processors: Int, text: String) {
        let choice = surroundings {
            $0.installed = nil
            $0.processors = processors
        }.choice()
        #expect(choice.remark == "building opviz, about \(text) the first time")
    }

    @Test("nothing is said of minutes where this version has been built")
    func isSilentAboutMinutes() {
        let alone = surroundings {
            $0.installed = nil
            $0.isBuilt = true
        }
        #expect(alone.choice() == OpvizChoice())
        let beside = surroundings {
            $0.installedVersion = "0.0.9"
            $0.isBuilt = true
        }
        #expect(
            beside.choice().remark
                == "/usr/bin/opviz is 0.0.9, this package is 0.1.0: using the opviz of this package")
    }

    @Test("only programs count in the search path, not folders, and the first one wins")
    func searchesThePath() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        for place in ["none", "folder/opviz", "text", "first", "second"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(place), withIntermediateDirectories: true)
        }
        for (place, permissions) in [("text", 0o644), ("first", 0o755), ("second", 0o755)] {
            let file = folder.appendingPathComponent("\(place)/opviz").path
            try Data().write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file)
        }
        let searchPath = ["none", "folder", "text", "first", "second"]
            .map { folder.appendingPathComponent($0).path }.joined(separator: ":")
        #expect(
            program(named: "opviz", in: ":" + searchPath)?.path
                == folder.appendingPathComponent("first/opviz").path)
        #expect(program(named: "opviz", in: "") == nil)
        let here = FileManager.default.currentDirectoryPath.split(separator: "/")
        let relative = here.map { _ in ".." }.joined(separator: "/") + folder.path + "/first"
        #expect(FileManager.default.isExecutableFile(atPath: relative + "/opviz"))
        #expect(program(named: "opviz", in: relative) == nil, "it depends on the current folder")
    }
}
