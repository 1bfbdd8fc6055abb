import Foundation
import Testing

@Suite("opviz explain, opviz critical-path")
struct ExplainCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
    }

    @Test("opviz explain explains the operation of that name, back to the start of the chain")
    func byName() throws {
        let run = try CommandRun("explain", "trace.json", "page 11", in: folder)
        #expect(run.status == 0)
        #expect(run.error == "")
        #expect(
            run.text.hasPrefix("page 11 (ImportPage, 0xb) took 200 ms: 199 ms of it while its 4 children"))
        for text in [
            "DownloadPage 0x3e", "was its last dependency", "report", "the run would have ended later",
        ] {
            #expect(run.text.contains(text))
        }
    }

    @Test("opviz explain takes the slowest of several with the name, and says so")
    func ambiguous() throws {
        let run = try CommandRun("explain", "trace.json", "StorePage", in: folder)
        #expect(run.status == 0)
        #expect(
            run.error.hasPrefix(
                "opviz: note: 20 operations match 'StorePage'; this is the one with the longest "
                    + "lifetime"))
        #expect(run.text.hasPrefix("StorePage 0x44 took 199 ms"))
    }

    @Test("opviz explain suggests a name or the range of IDs for an unknown operation")
    func unknown() throws {
        let run = try CommandRun("explain", "trace.json", "storepage", in: folder)
        #expect(run.status == 64)
        #expect(
            run.error
                == "opviz: trace.json: no operation named 'storepage'; did you mean 'StorePage'?\n")
        #expect(
            try CommandRun("explain", "trace.json", "pgae 11", in: folder).error
                == "opviz: trace.json: no operation named 'pgae 11'; did you mean 'page 11'?\n")
        #expect(
            try CommandRun("explain", "trace.json", "0xfff", in: folder).error
                == "opviz: trace.json: no operation has the ID 0xfff; the IDs are 0x1 to 0x65\n")
    }

    @Test("opviz explain says that the arguments are swapped if the second is the file")
    func swapped() throws {
        let run = try CommandRun("explain", "page 11", "trace.json", in: folder)
        #expect(run.status == 64)
        #expect(
            run.error
                == "opviz: the trace comes before the operation: opviz explain trace.json 'page 11'\n")
    }

    @Test("opviz explain says that a name is empty, or too long to print")
    func oddNames() throws {
        let empty = try CommandRun("explain", "trace.json", "", in: folder)
        #expect(empty.status == 64)
        #expect(empty.error.hasPrefix("opviz: trace.json: no operation named ''; the kinds are "))
        let long = try CommandRun("explain", "trace.json", String(repeating: "x", count: 5000), in: folder)
        #expect(long.status == 64)
        #expect(long.error.count < 300 && long.error.contains("xxx…'; the kinds are "))
    }

    @Test("opviz critical-path prints the critical path in its two readings")
    func criticalPath() throws {
        let run = try CommandRun("critical-path", "trace.json", in: folder)
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("The run took 200 ms. What delayed it, step by step: 190 ms executing"))
        #expect(run.text.contains("\nThrough everything that delayed it"))
        #expect(run.text.contains("\nThrough dependencies only (190 ms, 95 % of the run"))
    }
}
