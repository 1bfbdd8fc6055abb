import Foundation
import Testing

@Suite struct HistoryCommandTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `runs are added and shown, as text and as a picture`() throws {
        try SimulatedRuns().write(3, seed: 1, to: "runs", in: folder)
        let added = try CommandRun("history", "add", "runs", "--file", "h.jsonl", "--label", "v1", in: folder)
        #expect(added.status == 0, "\(added.error)")
        #expect(added.error.isEmpty)
        #expect(try lines().count == 3)
        let shown = try CommandRun(
            "history", "show", "--file", "h.jsonl", "--metric", "execution of Parse", in: folder)
        #expect(shown.status == 0, "\(shown.error)")
        #expect(
            shown.text.hasPrefix("execution of Parse over 1 session of 3 runs: no proven change"))
        let drawn = try CommandRun("history", "show", "--file", "h.jsonl", "-o", "trend.svg", in: folder)
        #expect(drawn.status == 0, "\(drawn.error)")
        #expect(try String(contentsOfFile: folder.path("trend.svg"), encoding: .utf8).hasSuffix("</svg>\n"))
    }

    @Test func `programs that add at the same time do not lose lines`() throws {
        try SimulatedRuns().write(5, seed: 1, to: "runs", in: folder)
        // Without a shell: the test's inherited descriptors may keep a shell's wait from ending.
        let writers = (0..<8).map { writer in
            process(
                CommandRun.program, ["history", "add", "runs", "--file", "h.jsonl", "--label", "\(writer)"])
        }
        for writer in writers { try writer.run() }
        for writer in writers {
            writer.waitUntilExit()
            #expect(writer.terminationStatus == 0)
        }
        let lines = try lines()
        #expect(lines.count == 40)
        #expect(Set(lines).count == 40)
        for line in lines { #expect(line.hasPrefix("{\"format\": \"opviz-history\"") && line.hasSuffix("}")) }
    }

    @Test func `a file that is not a history is not appended to`() throws {
        try SimulatedRuns().write(1, seed: 1, to: "runs", in: folder)
        let trace = try FileManager.default.contentsOfDirectory(atPath: folder.path("runs"))[0]
        let before = try String(contentsOfFile: folder.path("runs/\(trace)"), encoding: .utf8)
        try folder.write(before, to: "other.json")
        let run = try CommandRun("history", "add", "runs", "--file", "other.json", in: folder)
        #expect(run.status == 64)
        #expect(run.error == "opviz: other.json: is not a history: its first lines contain no run\n")
        #expect(try String(contentsOfFile: folder.path("other.json"), encoding: .utf8) == before)
    }

    @Test func `a line that a crash has cut off is reported, and the next one is not joined to it`() throws {
        try SimulatedRuns().write(1, seed: 1, to: "runs", in: folder)
        _ = try CommandRun("history", "add", "runs", "--file", "h.jsonl", "--label", "whole", in: folder)
        let whole = try String(contentsOfFile: folder.path("h.jsonl"), encoding: .utf8)
        try folder.write(whole + whole.prefix(200), to: "h.jsonl")
        let added = try CommandRun(
            "history", "add", "runs", "--file", "h.jsonl", "--label", "next", in: folder)
        #expect(added.status == 0)
        #expect(
            added.error
                == "opviz: warning: h.jsonl: the last line is incomplete: its writer was interrupted. "
                + "It was left unchanged, and the new runs follow it\n")
        let lines = try lines()
        #expect(lines.count == 3)
        #expect(lines[0] + "\n" == whole)
        #expect(lines[1] == whole.prefix(200))
        #expect(lines[2].contains("\"next\""))
        let shown = try CommandRun("history", "show", "--file", "h.jsonl", in: folder)
        #expect(shown.status == 0)
        #expect(shown.error.hasPrefix("opviz: warning: h.jsonl: line 2: skipped: byte "))
        #expect(shown.text.hasPrefix("makespan over 2 labels in 1 session, 2 runs"))
    }

    @Test func `a history bounds what sessions differ by, for a check of runs of different sessions`() throws
    {
        for session in 0..<8 {
            try SimulatedRuns(second: Int64(session) * 86_400)
                .write(3, seed: UInt64(session), to: "s\(session)", in: folder)
            let added = try CommandRun("history", "add", "s\(session)", "--file", "h.jsonl", in: folder)
            #expect(added.status == 0, "\(added.error)")
        }
        try SimulatedRuns(parse: 2, second: 9 * 86_400).write(6, seed: 20, to: "slow", in: folder)
        let alone = try CommandRun("check", "slow", "--baseline", "s0", in: folder)
        #expect(alone.status == 0)
        #expect(alone.error.contains("INCONCLUSIVE"))
        let bounded = try CommandRun(
            "check", "slow", "--baseline", "s0", "--history", "h.jsonl", in: folder)
        #expect(bounded.status == 1, "\(bounded.text) \(bounded.error)")
    }

    @Test func `what cannot be done is one sentence and an exit code`() throws {
        try SimulatedRuns().write(1, seed: 1, to: "runs", in: folder)
        let missing = try CommandRun("history", "show", "--file", "none.jsonl", in: folder)
        #expect(missing.status == 66)
        #expect(missing.error == "opviz: none.jsonl: no such file\n")
        try folder.write("", to: "empty.jsonl")
        let empty = try CommandRun("history", "show", "--file", "empty.jsonl", in: folder)
        #expect(empty.status == 65)
        #expect(empty.error == "opviz: empty.jsonl: the history contains no runs\n")
        let itself = try CommandRun("history", "add", "runs", "--file", "runs/0.json", in: folder)
        #expect(itself.status == 64)
        let place = try CommandRun("history", "add", "runs", "--file", "empty.jsonl/h.jsonl", in: folder)
        #expect(place.status == 73)
        let day = try CommandRun("history", "add", "runs", "--file", "h.jsonl", "--date", "today", in: folder)
        #expect(day.status == 64)
        #expect(!FileManager.default.fileExists(atPath: folder.path("h.jsonl")))
        let device = try CommandRun("history", "add", "runs", "--file", "/dev/full", in: folder)
        #expect(device.status == 73)
    }

    @Test func `a full disk does not leave half a line`() throws {
        try SimulatedRuns().write(3, seed: 1, to: "runs", in: folder)
        _ = try CommandRun("history", "add", "runs/0.json", "--file", "h.jsonl", in: folder)
        let before = try Data(contentsOf: URL(filePath: folder.path("h.jsonl")))
        // Files may grow to the next 512 bytes and no further.
        let script =
            "ulimit -f \(before.count / 512 + 1); exec \"$0\" history add runs/1.json --file h.jsonl "
            + "2>/dev/null"
        let shell = process(URL(filePath: "/bin/sh"), ["-c", script, CommandRun.program.path()])
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 74)
        #expect(try Data(contentsOf: URL(filePath: folder.path("h.jsonl"))) == before)
    }

    private func process(_ program: URL, _ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        return process
    }

    private func lines() throws -> [String] {
        try String(contentsOfFile: folder.path("h.jsonl"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }
}
