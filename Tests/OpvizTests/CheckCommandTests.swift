import Foundation
import Testing

@Suite("opviz check")
struct CheckCommandTests {
    private let folder: Folder

    /// Twelve runs of each of three programs, made alternately.
    init() throws {
        folder = try Folder()
        try SimulatedRuns().write(12, seed: 1, to: "old", in: folder)
        try SimulatedRuns(second: 5).write(12, seed: 2, to: "same", in: folder)
        try SimulatedRuns(parse: 1.4, second: 10).write(12, seed: 3, to: "slow", in: folder)
    }

    private func check(_ arguments: String...) throws -> CommandRun {
        try CommandRun(["check"] + arguments, in: folder)
    }

    private func shell(_ name: String, _ script: String) throws -> ProgramRun {
        try ProgramRun([name, "-c", script], in: folder, environment: ["OPVIZ": CommandRun.program.path])
    }

    @Test("a check of a slower parse ends with 1, and the first words say so")
    func regressed() throws {
        let run = try check("slow", "--baseline", "old", "--interleaved")
        #expect(run.status == 1)
        #expect(run.error == "")
        #expect(run.text.hasPrefix("regressed: makespan "))
        #expect(run.text.contains("Where the time went: execution of Parse +"))
        #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("a check of the same program ends with 0")
    func unchanged() throws {
        let run = try check("same", "--baseline", "old", "--interleaved", "--strict")
        #expect(run.text.hasPrefix("unchanged: makespan "))
        #expect(run.status == 0 && run.error == "")
    }

    @Test("an inconclusive check ends with 0 and says so loudly; with --strict it ends with 2")
    func inconclusive() throws {
        let few = try check("slow/0.json", "--baseline", "old/0.json", "old/1.json")
        #expect(few.status == 0)
        #expect(few.text.hasPrefix("inconclusive: makespan "))
        #expect(few.error.contains("warning: INCONCLUSIVE"))
        let strict = try check("slow", "--baseline", "old", "--strict")
        #expect(strict.status == 2)
        #expect(strict.text.contains("different sessions"))
        #expect(strict.error.contains("INCONCLUSIVE"))
    }

    @Test("one session against one other is never a regression, and five against five can be")
    func sessions() throws {
        for session in 0..<5 {
            let second = Int64(session) * 10_000
            try SimulatedRuns(second: second).write(
                6, seed: UInt64(10 + session), to: "olds/\(session)", in: folder)
            try SimulatedRuns(parse: 1.6, second: second + 1_000_000).write(
                6, seed: UInt64(20 + session), to: "slows/\(session)", in: folder)
        }
        let olds = (0..<5).map { "olds/\($0)" }
        let slows = (0..<5).map { "slows/\($0)" }
        #expect(try CommandRun(["baseline", "-o", "olds.json"] + olds, in: folder).status == 0)
        let run = try CommandRun(["check"] + slows + ["--baseline", "olds.json"], in: folder)
        #expect(run.status == 1)
        #expect(run.text.contains("Baseline of 2026-11-21: 30 runs in 5 sessions on box."))
        let one = try CommandRun(["check", "slows/0", "--baseline", "olds/0"], in: folder)
        #expect(one.status == 0 && one.text.hasPrefix("inconclusive: "))
    }

    @Test("a history says what sessions differ by, but for the sessions that are compared")
    func history() throws {
        for session in 0..<8 {
            try SimulatedRuns(second: Int64(session) * 10_000 - 1_000_000).write(
                3, seed: UInt64(30 + session), to: "past/\(session)", in: folder)
            let added = try CommandRun("history", "add", "past/\(session)", "--file", "h.jsonl", in: folder)
            #expect(added.status == 0)
        }
        #expect(try check("slow", "--baseline", "old").status == 0)
        let run = try check("slow", "--baseline", "old", "--history", "h.jsonl")
        #expect(run.status == 1 && run.text.hasPrefix("regressed: "))
        #expect(
            try CommandRun("history", "add", "old", "slow", "--file", "own.jsonl", in: folder).status == 0)
        let own = try check("slow", "--baseline", "old", "--history", "own.jsonl")
        #expect(own.status == 0)
        #expect(own.error.contains("no other session of this program on this machine"))
    }

    @Test("a committed baseline says the same as the traces that it was made of")
    func baselines() throws {
        #expect(try CommandRun("baseline", "old", "-o", "b.json", in: folder).status == 0)
        #expect(try CommandRun("baseline", "slow", "-o", "c.json", in: folder).status == 0)
        func metrics(_ arguments: String...) throws -> String {
            let text = try CommandRun(["check", "--interleaved", "-f", "json"] + arguments, in: folder).text
            return String(text[try #require(text.range(of: "\"metrics\"")).lowerBound...])
        }
        let ofTraces = try metrics("slow", "--baseline", "old")
        #expect(try metrics("slow", "--baseline", "b.json") == ofTraces)
        #expect(try metrics("c.json", "--baseline", "b.json") == ofTraces)
    }

    @Test("exit codes of a check go through a shell, a pipe with pipefail, and make")
    func shells() throws {
        let check = "\"$OPVIZ\" check --baseline old --interleaved"
        #expect(try shell("sh", "\(check) slow >/dev/null; echo $?").output == "1\n")
        #expect(try shell("sh", "\(check) same >/dev/null; echo $?").output == "0\n")
        #expect(try shell("sh", "set -e; \(check) slow >/dev/null; echo reached").output == "")
        #expect(
            try shell("bash", "set -o pipefail; \(check) slow | head -1 >/dev/null; echo $?").output == "1\n")
        #expect(try shell("bash", "set -o pipefail; \(check) same | cat >/dev/null; echo $?").output == "0\n")
        let strict = "\"$OPVIZ\" check --baseline old --strict"
        #expect(
            try shell("bash", "set -o pipefail; \(strict) slow 2>/dev/null | cat >/dev/null; echo $?").output
                == "2\n")
        for (side, status) in [("slow", 2), ("same", 0)] {
            try folder.write(
                "timing:\n\t@\(check.replacing("$", with: "$$")) \(side) >/dev/null\n", to: "Makefile")
            let make = try ProgramRun(
                ["make", "timing"], in: folder, environment: ["OPVIZ": CommandRun.program.path])
            #expect(make.status == Int32(status))
            if status != 0 { #expect(make.error.contains("Error 1")) }
        }
    }

    @Test("a check writes several files at once, each as its ending says, and annotations on standard output")
    func outputs() throws {
        let run = try check(
            "slow", "--baseline", "old", "--interleaved", "-o", "c.md", "-o", "c.json", "-o", "c.xml", "-o",
            "c.txt",
            "--format", "github")
        #expect(run.status == 1)
        #expect(run.text.hasPrefix("::error title=Timing check%3A regressed::regressed: makespan "))
        #expect(String(decoding: try folder.read("c.md"), as: UTF8.self).contains("](<c.svg>)"))
        let picture = XMLDocumentCheck(try folder.read("c.svg"))
        #expect(picture.isWellFormed && picture.count(of: "g", class: "run") == 24)
        let junit = XMLDocumentCheck(try folder.read("c.xml"))
        #expect(junit.isWellFormed && junit.count(of: "failure") == 1)
        #expect(try folder.read("c.txt").starts(with: Data("regressed: ".utf8)))
        _ = try JSONSerialization.jsonObject(with: folder.read("c.json"))
    }

    @Test("a check writes to a device as it is")
    func device() throws {
        let run = try check(
            "same", "--baseline", "old", "--interleaved", "-o", "/dev/stdout", "-o", "/dev/null", "--format",
            "json")
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("{\"format\": \"opviz-check\""))
        let inFile = try check("same", "--baseline", "old", "-o", "same/0.json/c.json")
        #expect(inFile.status == 73)
    }

    @Test("a check prints the verdict even if it writes only files")
    func filesOnly() throws {
        let run = try check("slow", "--baseline", "old", "--interleaved", "-o", "c.json")
        #expect(run.text.hasPrefix("regressed: makespan ") && run.text.split(separator: "\n").count == 1)
    }

    @Test("primary metrics decide the verdict, and an unknown one is refused with a list of metrics")
    func primary() throws {
        let fetch = try check(
            "slow", "--baseline", "old", "--interleaved", "--primary", "execution of Fetch")
        #expect(fetch.status == 0)
        let both = try check(
            "slow", "--baseline", "old", "--interleaved", "--primary", "makespan", "--primary",
            "execution of Parse")
        #expect(both.status == 1)
        #expect(both.text.contains("regressed: execution of Parse 15."))
        let unknown = try check("slow", "--baseline", "old", "--primary", "execution of Upload")
        #expect(unknown.status == 64)
        #expect(
            unknown.error.contains(
                "no operation of kind 'Upload'; the kinds are 'Fetch', 'Parse' and 'Store'"))
        let metric = try check("slow", "--baseline", "old", "--primary", "exection of Parse")
        #expect(metric.status == 64)
        #expect(
            metric.error
                == "opviz: --primary: no metric named 'exection of Parse'; did you mean 'execution of "
                + "Parse'?\n"
        )
        #expect(try check("slow", "--baseline", "old", "--primary", "speed").status == 64)
        for (given, meant) in [("Prase", "execution of Parse"), ("slot wiat of Prase", "slot wait of Parse")]
        {
            let near = try check("slow", "--baseline", "old", "--primary", given)
            #expect(near.status == 64)
            #expect(near.error.hasSuffix("no metric named '\(given)'; did you mean '\(meant)'?\n"))
        }
    }

    @Test("a check says first what regressed beside an inconclusive makespan, which decides the exit code")
    func provenFirst() throws {
        try SimulatedRuns(scatter: 0.6).write(12, seed: 4, to: "wild", in: folder)
        try SimulatedRuns(parse: 1.2, second: 5, scatter: 0.6).write(12, seed: 6, to: "wilder", in: folder)
        let run = try check("wilder", "--baseline", "wild", "--interleaved")
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("regressed, not primary: execution of Parse 1"))
        #expect(run.text.contains("\ninconclusive: makespan "))
        #expect(
            run.error.contains(
                "INCONCLUSIVE: these runs do not show whether makespan became slower (execution of Parse "
                    + "did, but is not primary)"
            ))
        #expect(try check("wilder", "--baseline", "wild", "--interleaved", "--strict").status == 2)
    }

    @Test("the picture is drawn of baselines as well, in the colours that are asked for")
    func picture() throws {
        #expect(try CommandRun("baseline", "old", "-o", "b.json", in: folder).status == 0)
        #expect(try check("slow", "--baseline", "b.json", "-o", "c.md", "--theme", "dark").status == 0)
        let picture = try folder.read("c.svg")
        #expect(XMLDocumentCheck(picture).isWellFormed)
        #expect(String(decoding: picture, as: UTF8.self).contains("#15181C"))
    }

    @Test("thresholds decide what is a change")
    func thresholds() throws {
        func status(_ arguments: String...) throws -> Int32 {
            try CommandRun(["check", "slow", "--baseline", "old", "--interleaved"] + arguments, in: folder)
                .status
        }
        #expect(try status("--threshold", "40%", "--strict") == 0)
        #expect(try status("--threshold-absolute", "100ms", "--strict") == 0)
        #expect(try status("--threshold-absolute", "1ms") == 1)
        for wrong in [
            ["--threshold", "5"], ["--threshold-absolute", "5"], ["--error-rate", "0%"], ["--looks", "0"],
            ["-o", "c.doc"], ["-o", "old/0.json"],
        ] {
            #expect(try CommandRun(["check", "slow", "--baseline", "old"] + wrong, in: folder).status == 64)
        }
        #expect(try check("slow").status == 64)
        let swallowed = try check("--baseline", "old", "slow")
        #expect(swallowed.status == 64 && swallowed.error.contains("give them before --baseline"))
    }

    @Test("runs that were not made alternately cannot be declared as such")
    func turns() throws {
        try SimulatedRuns(second: 400).write(12, seed: 4, to: "later", in: folder)
        let run = try check("later", "--baseline", "old", "--interleaved")
        #expect(run.status == 64)
        #expect(run.error.contains("the runs do not alternate"))
    }

    @Test("a damaged baseline, and one of a newer version, are refused with the place and 65")
    func damage() throws {
        #expect(try CommandRun("baseline", "old", "-o", "b.json", in: folder).status == 0)
        let text = String(decoding: try folder.read("b.json"), as: UTF8.self)
        try folder.write(String(text.prefix(2000)), to: "cut.json")
        let cut = try check("slow", "--baseline", "cut.json")
        #expect(cut.status == 65)
        #expect(cut.error.hasPrefix("opviz: cut.json: at byte "))
        try folder.write(text.replacing("\"version\": 1", with: "\"version\": 9"), to: "new.json")
        let new = try check("slow", "--baseline", "new.json")
        #expect(new.status == 65 && new.error.contains("is a baseline of version 9"))
        #expect(try check("slow", "--baseline", "nowhere.json").status == 66)
    }

    @Test("runs of another host decide nothing, and a killed run is left out")
    func incomparable() throws {
        try SimulatedRuns(host: "far", parse: 3, second: 10).write(12, seed: 5, to: "far", in: folder)
        let far = try check("far", "--baseline", "old", "--strict")
        #expect(far.status == 2)
        #expect(far.text.hasPrefix("inconclusive: the runs come from different hosts (box and far)"))
        try SimulatedRuns(isClosed: false, second: 3).write(1, seed: 5, to: "same/killed", in: folder)
        let killed = try check("same", "same/killed", "--baseline", "old", "--interleaved")
        #expect(killed.text.contains("same/killed/0.json"))
        #expect(killed.status == 0)
    }
}
