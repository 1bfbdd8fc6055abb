import Foundation
import Inspector
import Testing

@Suite("opviz lint trace.json")
struct LintCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("good.json")))
        try Data(stuck.utf8).write(to: URL(filePath: folder.path("stuck.json")))
    }

    /// One operation that executes to the end of a closed log.
    private let stuck = """
        {"otherData": {"format": "opviz-trace", "version": 1, "process": "p", "pid": "7", "host": "h", \
        "start": "0",
        "closed": true, "dropped": "0", "lastAlive": "900000.000"}, "traceEvents": [
        {"cat": "queue", "ph": "i", "name": "opened", "pid": 7, "tid": 1, "ts": 0.000,
        "args": {"event": "opened", "queue": "0x1", "name": "q", "limit": 1}},
        {"cat": "op", "ph": "b", "name": "Work", "pid": 7, "tid": 1, "ts": 1.000, "id2": {"local": "0x1"},
        "args": {"event": "enqueued", "queue": "0x1", "name": "A"}},
        {"cat": "op", "ph": "n", "name": "Work", "pid": 7, "tid": 2, "ts": 2.000, "id2": {"local": "0x1"},
        "args": {"event": "executing"}}]}
        """

    @Test("opviz lint says in one line that it found nothing, and what it could not decide")
    func good() throws {
        let run = try CommandRun("lint", "good.json", "--strict", in: folder)
        #expect(run.status == 0)
        #expect(run.error == "")
        #expect(
            run.text.hasPrefix(
                "No problems found in 101 operations (\(HazardReport.allRules.count - 3) rules checked, "
                    + "3 could not decide).\n\nThis log cannot show:\n"))
    }

    @Test("opviz lint names the operation that never finished; exits with 1 only when asked to")
    func stuckOperation() throws {
        let run = try CommandRun("lint", "stuck.json", in: folder)
        #expect(run.status == 0)
        #expect(run.error == "")
        #expect(
            run.text.hasPrefix(
                "1 error in 1 operation (30 rules checked, 3 could not decide).\n\nerror: A is still"))
        #expect(try CommandRun("lint", "stuck.json", "--strict", in: folder).status == 1)
        let strict = try CommandRun("lint", "stuck.json", "--strict", "--rule", "late-edge", in: folder)
        #expect(strict.status == 0)
    }

    @Test("opviz lint --strict fails on warnings and errors, or from --severity on")
    func strictness() throws {
        // A waits a second for the only slot: a note, that the serial queue took time.
        let slow = stuck.replacing("900000.000", with: "3000000.000").replacing(
            "}}]}",
            with: """
                }},
                {"cat": "op", "ph": "b", "name": "Work", "pid": 7, "tid": 1, "ts": 3.000, "id2": {"local": \
                "0x2"},
                "args": {"event": "enqueued", "queue": "0x1", "name": "B"}},
                {"cat": "op", "ph": "n", "name": "Work", "pid": 7, "tid": 2, "ts": 4.000, "id2": {"local": \
                "0x2"},
                "args": {"event": "ready"}},
                {"cat": "op", "ph": "e", "name": "Work", "pid": 7, "tid": 2, "ts": 1000000.000, "id2": \
                {"local": "0x1"},
                "args": {"event": "finished", "outcome": "succeeded"}},
                {"cat": "op", "ph": "n", "name": "Work", "pid": 7, "tid": 2, "ts": 1000001.000, "id2": \
                {"local": "0x2"},
                "args": {"event": "executing"}},
                {"cat": "op", "ph": "e", "name": "Work", "pid": 7, "tid": 2, "ts": 2000000.000, "id2": \
                {"local": "0x2"},
                "args": {"event": "finished", "outcome": "succeeded"}}]}
                """)
        try Data(slow.utf8).write(to: URL(filePath: folder.path("slow.json")))
        let run = try CommandRun("lint", "slow.json", "--strict", in: folder)
        #expect(run.text.contains("\n\nnote: queue q runs one operation at a time"))
        #expect(run.status == 0)
        #expect(try CommandRun("lint", "slow.json", "--strict", "--severity", "note", in: folder).status == 1)
        #expect(
            try CommandRun("lint", "stuck.json", "--strict", "--severity", "error", in: folder).status == 1)
        let hidden = try CommandRun("lint", "slow.json", "--severity", "error", in: folder)
        #expect(
            hidden.text.hasPrefix("No errors or warnings in 2 operations; 1 note hidden by --severity ("))
    }

    @Test("opviz lint exits with 64 for an unknown severity, 65 for no trace, and 66 for a missing file")
    func misuse() throws {
        #expect(try CommandRun("lint", "good.json", "--severity", "fatal", in: folder).status == 64)
        try Data("{}".utf8).write(to: URL(filePath: folder.path("empty.json")))
        #expect(try CommandRun("lint", "empty.json", in: folder).status == 65)
        #expect(try CommandRun("lint", "absent.json", in: folder).status == 66)
    }

    @Test("opviz lint writes JSON and GitHub's annotations, also into a file")
    func formats() throws {
        let json = try CommandRun("lint", "stuck.json", "--format", "json", "-o", "x.json", in: folder)
        #expect(json.status == 0)
        #expect(try JSONSerialization.jsonObject(with: folder.read("x.json")) is [String: Any])
        let github = try CommandRun("lint", "stuck.json", "--format", "github", in: folder)
        #expect(github.text.hasPrefix("::error title=never-finished::A is still executing"))
    }

    @Test("opviz lint --rule with an unknown rule exits with 64")
    func unknownRule() throws {
        let run = try CommandRun("lint", "good.json", "--rule", "nonsense", in: folder)
        #expect(run.status == 64)
        #expect(
            run.error.hasPrefix("opviz: --rule: no rule named 'nonsense'; opviz help lint lists the rules"))
    }
}
