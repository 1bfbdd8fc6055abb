import EventLog
import InspectorColumns
import InspectorText
package import InspectorTraces

/// The executors of one sort and name in one process, with the stays of runs on them: all actors of a type
/// are one section.
package struct ExecutorSection: Sendable {
    /// That of its executors.
    package let name: String
    /// Index into the trace's processes.
    package let process: Int32
    /// As indices; `TraceTasks.none` for an unknown one.
    package fileprivate(set) var executors: Set<Int32> = []
    /// ` × 4` for four executors, nothing for one.
    package var multiplicity: String {
        executors.count > 1 ? " × \(Prose.grouped(executors.count))" : ""
    }
    /// Positions in the list of stays, in its order.
    package fileprivate(set) var stays: [Int32] = []
    /// How long tasks were running there, in nanoseconds.
    fileprivate var running: Int64 = 0
    /// Nil for unknown executors.
    package let kind: LogEvent.ExecutorKind?
    fileprivate var rank: Int { kind.map { $0 == .pool ? 0 : $0 == .main ? 1 : 2 } ?? 3 }

    /// The sections of stays: the global executor, the main actor, then the others by their running time;
    /// runs on unknown executors come last. Linear in stays.
    package static func ranked(
        _ tasks: TraceTasks, _ stays: [ExecutorTenures.Tenure]
    ) -> [ExecutorSection] {
        struct Key: Hashable {
            let kind: LogEvent.ExecutorKind
            let process: Int32
            let name: String
        }
        var sectionOfKey: [Key?: Int] = [:]
        var sectionOfExecutor: [Int32: Int] = [:]
        var sections: [ExecutorSection] = []
        for (position, stay) in stays.enumerated() {
            let index =
                sectionOfExecutor[stay.executor]
                ?? {
                    let executor = stay.executor < 0 ? nil : tasks.executors[Int(stay.executor)]
                    let key = executor.map { Key(kind: $0.kind, process: $0.process, name: $0.name) }
                    let index = sectionOfKey[key] ?? sections.count
                    if index == sections.count {
                        sectionOfKey[key] = index
                        sections.append(
                            ExecutorSection(
                                name: executor?.name ?? "an unknown executor",
                                process: executor?.process
                                    ?? tasks.entries[Int(tasks.runs[stay.run].task)].process,
                                kind: executor?.kind))
                    }
                    sectionOfExecutor[stay.executor] = index
                    return index
                }()
            sections[index].running = sections[index].running.saturatingAdd(stay.end - stay.start)
            sections[index].executors.insert(stay.executor)
            sections[index].stays.append(Int32(truncatingIfNeeded: position))
        }
        let ranked = sections.indices.sorted {
            (sections[$0].rank, sections[$1].running, $0) < (sections[$1].rank, sections[$0].running, $1)
        }
        return ranked.map { sections[$0] }
    }

    private init(name: String, process: Int32, kind: LogEvent.ExecutorKind?) {
        (self.name, self.process, self.kind) = (name, process, kind)
    }
}
