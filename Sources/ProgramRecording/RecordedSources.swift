package import EventLog
import Foundation
import InspectorReports
import InspectorTraces

/// What was recorded in a run, and what is missing of what was asked for: the line at the end of
/// `opviz record`.
package struct RecordedSources {
    /// Something that is missing from a trace.
    package struct Gap: Hashable {
        /// Such as `context switches`.
        let what: String
        /// A clause, such as `perf_event_open was refused (Operation not permitted)`.
        let reason: String
    }

    static let switches = "context switches"
    static let samples = "samples of stacks"
    static let samplesInKernel = "samples in the kernel"
    static let callers = "callers of functions"
    static let names = "names of closures"
    static let reasonWithoutNames = "its symbols were stripped"

    private let wish: Wish
    private var operations = 0
    private var tasks = 0
    private var switches = 0
    private var samples = 0
    /// Those of the whole run, then those of processes.
    private var gaps: [Gap]

    /// What was asked for, besides operations.
    struct Wish {
        var tasks = false
        var switches = false
        var samples = false
    }

    /// - Parameter gaps: of the whole run.
    init(_ wish: Wish, gaps: [Gap]) { (self.wish, self.gaps) = (wish, gaps) }

    /// Adds the log of a process.
    package mutating func add(_ contents: EventLogContents, gaps: [Gap]) {
        for event in contents.events {
            switch event.body {
            case .taskCreated, .taskEnqueued, .runBegan, .runEnded, .taskResumed, .taskMoved, .taskCancelled,
                .taskSearched, .executorOpened:
                tasks += 1
            case .leftCPU: switches += 1
            case .sampled: samples += 1
            case .waitedForCPU, .switchesLost, .frame, .sampling: break
            default: operations += 1
            }
        }
        for gap in gaps where !self.gaps.contains(gap) { self.gaps.append(gap) }
    }

    /// With a label as in the summary, and a newline.
    ///
    /// - Parameter width: the columns of the terminal, at which it is broken; nil for no breaks.
    package func line(width: Int?) -> String { RunSummary.line("recorded", text, width: width) }

    private var text: String {
        var counts = [Prose.counted(operations, "event", "events") + " of operations"]
        if wish.tasks || tasks > 0 { counts.append("\(Prose.grouped(tasks)) of tasks") }
        if wish.switches || switches > 0 { counts.append("\(Prose.grouped(switches)) of threads on CPUs") }
        if wish.samples || samples > 0 {
            counts.append(Prose.counted(samples, "sample of a stack", "samples of stacks"))
        }
        return counts.joined(separator: ", ") + (gaps.isEmpty ? "" : "; missing: " + missing)
    }

    /// `context switches and samples of stacks, because perf_event_open was refused; …`.
    private var missing: String {
        var reasons: [(reason: String, what: [String])] = []
        for gap in gaps {
            if let index = reasons.firstIndex(where: { $0.reason == gap.reason }) {
                reasons[index].what.append(gap.what)
            } else {
                reasons.append((gap.reason, [gap.what]))
            }
        }
        return reasons.map { "\(Prose.list($0.what)), because \($0.reason)" }
            .joined(separator: "; ")
    }
}

extension RecordedSources {
    /// What is missing from the log of a process.
    ///
    /// - Parameter strippedFiles: those with closures whose names are unknown.
    package static func gaps(
        _ contents: EventLogContents, of guest: RecordGuest, strippedFiles: Set<String>
    ) -> [Gap] {
        var gaps: [Gap] = []
        if let reason = guest.obstacleForTasks {
            gaps.append(Gap(what: "tasks of \(guest.program)", reason: reason))
        }
        for event in contents.events {
            guard case .sampling(_, _, let file?) = event.body else { continue }
            gaps.append(Gap(what: "\(callers) in \(file)", reason: StackSamples.reasonWithoutCallers))
        }
        for file in strippedFiles.sorted() where (file as NSString).lastPathComponent == guest.program {
            gaps.append(Gap(what: "\(names) in \(guest.program)", reason: reasonWithoutNames))
        }
        return gaps
    }
}
