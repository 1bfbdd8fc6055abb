import Foundation
import TestTraces
import Testing

@testable import opviz

@Suite("Exit codes")
struct ExitStatusTests {
    @Test("exit codes are in the documentation as they are in the program")
    func documented() throws { try Golden("../../Documentation/ExitCodes.md").expect(ExitStatus.markdown) }

    @Test("exit codes are lines of at most 80 columns in help, each with its number in front")
    func help() {
        let lines = ExitStatus.text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
        for status in ExitStatus.allCases {
            #expect(lines.count { $0.split(separator: " ").first == "\(status.rawValue)" } == 1)
        }
    }

    /// For each code, commands for each part of its meaning.
    private static let commandsOfCodes: [Int32: [String]] = [
        0: ["why trace.json", "lint stuck.json", "check far --baseline old"],
        1: [
            "lint stuck.json --strict", "check slow --baseline old --interleaved",
            "check old --budgets broken.yml", "doctor /bin/true",
        ],
        2: ["check far --baseline old --strict"],
        64: ["table trace.json --by nothing", "explain trace.json nothing", "why"],
        65: ["why damaged.json", "why later.json", "flame trace.json"],
        66: ["why missing.json"],
        69: ["check --interleave 2 -- /bin/false -- /bin/false"],
        73: ["table trace.json -o trace.json/table.txt"],
        74: ["table trace.json -o /dev/full -f text"],
        124: ["demo --stuck"],
        126: [
            "record -- ./trace.json", "doctor ./trace.json",
            "check --interleave 2 -- ./trace.json -- ./trace.json",
        ],
        127: [
            "record -- ./missing", "doctor ./missing", "check --interleave 2 -- ./missing -- ./missing",
        ],
    ]

    @Test("a command ends with each code that the documentation has")
    func commands() throws {
        let folder = try Folder()
        let traces = Repository.url.appending(path: "Documentation/traces")
        for (name, copy) in [("before.json", "trace.json"), ("stuck.json", "stuck.json")] {
            try FileManager.default.copyItem(
                atPath: traces.appending(path: name).path, toPath: folder.path(copy))
        }
        let whole = String(decoding: try folder.read("trace.json"), as: UTF8.self)
        try folder.write("{]", to: "damaged.json")
        try folder.write(whole.replacing("\"version\":1", with: "\"version\":999"), to: "later.json")
        try folder.write("- makespan: 1ns\n", to: "broken.yml")
        try SimulatedRuns().write(8, seed: 1, to: "old", in: folder)
        try SimulatedRuns(parse: 2, second: 10).write(8, seed: 3, to: "slow", in: folder)
        try SimulatedRuns(host: "far").write(2, seed: 5, to: "far", in: folder)
        for (status, commands) in Self.commandsOfCodes {
            for command in commands {
                let run = try CommandRun(command.split(separator: " ").map(String.init), in: folder)
                #expect(run.status == status, "\(command): \(run.error)\(run.text.prefix(300))")
            }
        }
        // Without the library beside it, opviz cannot record.
        try FileManager.default.copyItem(at: CommandRun.program, to: folder.url.appending(path: "opviz"))
        let alone = try ProgramRun([folder.path("opviz"), "record", "--", "/bin/true"])
        #expect(alone.status == 70, "\(alone.error)")
        let codes = Set(opviz.ExitStatus.allCases.map(\.rawValue))
        #expect(codes == Set(Self.commandsOfCodes.keys).union([70]))
    }
}
