import EventLog
import Foundation
import Inspector
import InspectorTraces
import TestTraces
import Testing

/// What each command says first of programs with a planted fault (`Examples/Sources/faults`).
@Suite("Reports of a planted fault")
struct FaultsTests {
    /// The fault; what the first sentence of the first command must say; and an operation that it holds up.
    private static let faults: [(name: String, said: String, operation: String)] = [
        (
            "circle", "deadlock: resize 1 → upload 1 → decode 1 → resize 1 (each waits for the next)",
            "decode 1"
        ),
        ("semaphore", "query 1 has been blocked in its body", "query 3"),
        ("never-added", "login was never added to a queue; 1 operation waits for it", "decode 4"),
        (
            "forgotten-finish", "upload 12 is still executing, 1.95 s after its body returned (11 others",
            "upload 12"
        ),
        ("suspended", "queue uploads has been suspended", "index"),
        ("polling", "poll 1 and poll 2 have been calculating", "release 1"),
        ("follow-up", "flush 1 has been blocked in its body", "write 1"),
        ("long-before-short", "6 operations of kind Work had both slots of queue media", "thumbnail 40"),
        ("priority", "of higher priority that became ready later were started", "backup 1"),
        ("sleeping", "were blocked for", "retry 10"),
        ("own-threads", "were blocked for", "encode 12"),
    ]

    /// What pages say, where it is not the same: the sentence of the finding.
    private static let findings = [
        "never-added": "login was never added to a queue; waiting for it: 1 operation (decode 4)",
        "polling": "poll 1 has been calculating for 2.00 s",
    ]

    @Test(
        "the summary names a planted fault once: in its first line, or at its end",
        arguments: faults.map(\.name))
    func summary(name: String) throws {
        let fault = try #require(Self.faults.first { $0.name == name })
        let trace = "\(name).optrace"
        let run = try CommandRun(trace, "-o", "graph.dot", in: Self.folder(of: [name]))
        #expect(run.text.components(separatedBy: fault.said).count == 2, "\(run.text)")
        #expect(try Self.firstWords([trace, "-o", "graph.dot"], of: name).contains(fault.said))
    }

    @Test(
        "a page names a planted fault on its first screen, whatever the window's size", .needsBrowser,
        arguments: faults.map(\.name))
    func page(name: String) async throws {
        let fault = try #require(Self.faults.first { $0.name == name })
        let folder = try Self.folder(of: [name])
        let run = try CommandRun("report", "\(name).optrace", "-o", "page.html", in: folder)
        try #require(run.status == 0, "\(run.error)")
        let found = try await PageTextTests.inEachWindow(URL(filePath: folder.path("page.html"))) {
            browser, window in
            let seen = try browser.text(Self.seen)
            return seen.contains(Self.findings[name] ?? fault.said) ? [] : ["\(window): \(seen)"]
        }
        #expect(found == [])
    }

    /// The texts of the answer that are within the window and not cut by a box.
    private static let seen = """
        (() => {
          const isSeen = (node, at) => {
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            const { left, top, right, bottom } = range.getBoundingClientRect();
            if (right <= left || bottom <= top) return false;
            if (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth) return false;
            for (let box = node.parentElement; box && box !== document.body; box = box.parentElement) {
              if (getComputedStyle(box).overflow === "visible") continue;
              const cut = box.getBoundingClientRect();
              if (bottom > cut.bottom + 1 || right > cut.right + 1) return false;
            }
            return true;
          };
          const walker = document.createTreeWalker(document.getElementById("answer"), NodeFilter.SHOW_TEXT);
          let text = "";
          while (walker.nextNode()) {
            const node = walker.currentNode;
            for (let at = 0; at < node.length; at += 1) {
              if (/\\s/.test(node.data[at]) || isSeen(node, at)) text += node.data[at];
            }
          }
          return text;
        })()
        """

    @Test("all commands accuse only the planted fault, in the same first sentences as before")
    func everyCommand() throws {
        var text = ""
        for fault in Self.faults {
            let trace = "\(fault.name).optrace"
            text += "# \(fault.name)\n"
            for arguments in [
                [trace, "-o", "graph.dot"], ["why", trace], ["lint", trace],
                ["explain", trace, fault.operation],
                ["critical-path", trace], ["whatif", trace],
            ] {
                text += "$ opviz \(arguments.joined(separator: " "))\n"
                text += try Self.firstWords(arguments, of: fault.name) + "\n"
            }
            text += "\n"
        }
        try Golden("faults.txt").expect(text)
    }

    @Test("operations that calculate may hold every thread only if they are as many as the usable processors")
    func polling() throws {
        let folder = try Self.folder(of: ["polling"])
        let contents = try TraceReader(path: folder.path("polling.optrace")).events()
        func says(_ processors: ProcessorCount?) -> Bool {
            var trace = Trace(contents)
            trace.header.processors = processors
            return RunSummary(TraceAnalysis(trace)).text().contains(
                "poll 1 and poll 2 have been calculating for 2.00 s, and may hold every thread: ")
        }
        #expect(says(ProcessorCount(online: 2, usable: 2)) && says(ProcessorCount(online: 8, usable: 1)))
        #expect(!says(ProcessorCount(online: 8, usable: 3)))
        // A trace that does not say.
        #expect(says(nil))
        for command in [["explain", "polling.optrace", "poll 1"], ["lint", "polling.optrace"]] {
            let text = try CommandRun(command, in: folder).text.split { $0.isWhitespace }
            #expect(text.joined(separator: " ").contains("it may hold the thread that poll 3 waits for"))
        }
    }

    @Test("opviz diff says how many operations became slower, and that two runs prove nothing")
    func slower() throws {
        let folder = try Self.folder(of: ["healthy", "slower"])
        let run = try CommandRun("diff", "healthy.optrace", "slower.optrace", in: folder)
        #expect(run.text.contains("Two single runs prove nothing"))
        #expect(run.text.contains("30 operations in both, 30 took longer."))
    }

    private static func folder(of names: [String]) throws -> Folder {
        let traces = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Traces/faults")
        let folder = try Folder()
        for name in names {
            try FileManager.default.copyItem(
                at: traces.appending(path: "\(name).optrace"),
                to: folder.url.appending(path: "\(name).optrace"))
        }
        return folder
    }

    /// The first and the last lines of a summary, the first finding of lint, and the first paragraph of
    /// everything else.
    private static func firstWords(_ arguments: [String], of name: String) throws -> String {
        let run = try CommandRun(arguments, in: folder(of: [name]))
        let text = (run.text.isEmpty ? run.error : run.text).trimmingPrefix("\n")
        if arguments[0].hasSuffix(".optrace") {
            let lines = text.split(separator: "\n").dropLast()
            let end = lines.lastIndex { $0.hasPrefix("why ") } ?? 0
            return ([lines[0]] + lines[end...]).joined(separator: "\n")
        }
        // The first sentence is how many findings there are.
        if arguments[0] == "lint", let end = text.range(of: "]\n") {
            return String(text[..<end.lowerBound]) + "]"
        }
        return text.range(of: "\n\n").map { String(text[..<$0.lowerBound]) } ?? String(text)
    }
}
