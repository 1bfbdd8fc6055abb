import EventLog
import Foundation
import Inspector
import Testing

@Suite(
    "opviz record counts only a notification of the queue as a finish", .needsRecording, .needsCompiler
)
struct RecordFinishesTests {
    @Test(
        "only a notification is a finish, whatever the program asks its operations, at any moment",
        arguments: [[], ["poll"]])
    func polled(arguments: [String]) throws {
        try expectFinishes(of: [TestProgram.finishes.path()] + arguments, isPolled: arguments != [])
    }

    @Test(
        "only a notification is a finish also if Foundation is linked into the program",
        .enabled(if: TestProgram.canLinkStatically, "there is no Swift to link statically"))
    func linkedStatically() throws {
        try expectFinishes(of: [TestProgram.staticFinishes.path(), "poll"], isPolled: true)
    }

    private func expectFinishes(
        of command: [String], isPolled: Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let folder = try Folder()
        let path = folder.path("trace.json")
        let run = try ProgramRun([CommandRun.program.path, "record", "-q", "-o", path, "--"] + command)
        #expect(run.status == 0 && run.error == "", sourceLocation: sourceLocation)
        let contents = try TraceReader(path: path).events()
        let trace = Trace(contents)
        let unfinished = trace.operations.filter { $0.finished?.isExact != true }.map(\.displayName)
        #expect(unfinished == ["inner", "forgetful"], sourceLocation: sourceLocation)
        #expect(try trace.operation("inner").unnotifiedFinish != nil, sourceLocation: sourceLocation)
        #expect(
            try (trace.operation("forgetful").unnotifiedFinish != nil) == isPolled,
            sourceLocation: sourceLocation)
        // The thread that notified, not an earlier reader: the main thread has the number of the process. If
        // the thread that began the operation returns from `start` only after it has finished, that one asks
        // and notifies the queue.
        for name in ["by key path", "by key", "sealed"] {
            let id = try trace.operation(name).id
            let threads = contents.events.compactMap { event -> UInt64? in
                if case .finished(id, _) = event.body { event.thread } else { nil }
            }
            let starters = contents.events.compactMap { event -> UInt64? in
                if case .executing(id) = event.body { event.thread } else { nil }
            }
            #expect(
                threads.count == 1
                    && (starters + [UInt64(contents.header.processID)]).contains(threads[0]),
                "\(name): \(threads)", sourceLocation: sourceLocation)
        }
    }
}
