import EventLog
import Foundation
import Inspector
import MemorySearch

/// Looks at a process that writes no log: stops it for a moment, and prints what it does.
struct OutsideLook {
    private let process: Int32
    private let view: OutsideView

    /// - Parameter proves: whether to search the memory for suspended tasks.
    /// - Throws: `CommandError` if the process cannot be looked at.
    init(_ process: Int32, proves: Bool) throws {
        self.process = process
        let program = Self.program(process)
        let threads: ThreadStacks
        do {
            threads = try ThreadStacks(process: process)
        } catch {
            throw CommandError(
                .noInput,
                "process \(process) does not write a log, and cannot be looked at, because \(error); start "
                    + "it with OPVIZ_TRACE=trace.optrace, or under opviz record")
        }
        guard proves else {
            let time = DurationFormat.text(nanoseconds: threads.standstill)
            Console.report(
                "note: the program stood still for \(time); opviz watch --prove \(process) also shows its "
                    + "operation queues and its suspended Swift tasks")
            view = OutsideView(process: process, program: program, threads: threads.threads, tasks: nil)
            return
        }
        do {
            let search = try ResumeSearch(
                process: process, available: AvailableMemory.bytes, findsQueues: true, listsTasks: true)
            WatchLines.noteStandstill(of: search)
            view = OutsideView(
                process: process, program: program, threads: threads.threads, tasks: search.tasks,
                queues: search.queues, unseen: search.unseen)
        } catch {
            view = OutsideView(
                process: process, program: program, threads: threads.threads, tasks: nil,
                unsearched: "\(error)")
        }
    }

    /// - Throws: `CommandError` also if the memory was to be searched, and was not.
    func print(asJSON: Bool) throws {
        if asJSON {
            try Console.print(String(decoding: view.json, as: UTF8.self))
        } else {
            try Console.print(view.text(width: Console.width ?? 80))
            try Console.print(
                "\nFor what happened before: opviz record -- \(Self.command(process)), or "
                    + "OPVIZ_TRACE=trace.optrace\n")
        }
        if let reason = view.unsearched { throw WatchLines.unsearched(reason, process) }
    }

    private static func program(_ process: Int32) -> String {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
        return path.map { FilePath.name(RemovedFile.path($0)) }.map(String.init) ?? "process"
    }

    /// As it was started.
    private static func command(_ process: Int32) -> String {
        let text = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
        let words = text.split(separator: 0).map { ShellText.quoted(String(decoding: $0, as: UTF8.self)) }
        return words.isEmpty ? "./app" : TerminalText.shortened(words.joined(separator: " "), toColumns: 60)
    }
}
