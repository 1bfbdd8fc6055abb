package import EventLog
package import InspectorTraces

/// The functions in which Swift tasks awaited something, with how often and how long.
package struct AwaitPlaces: Sendable {
    /// A function.
    package struct Place: Sendable {
        package let name: String
        /// The texts of its code in the trace's tasks.
        package fileprivate(set) var texts: Set<UInt32> = []
        package fileprivate(set) var awaits = 0
        /// How long tasks awaited something there, except for sleeping, in nanoseconds.
        package fileprivate(set) var awaiting: Int64 = 0
        /// Whether a task awaited something there more than once, apart from sleep, and from the children of
        /// a group, which run at once already.
        package fileprivate(set) var isRepeated = false
    }

    /// Those in which tasks waited longest first.
    package private(set) var all: [Place] = []

    /// Linear in runs; reads the symbols of the programs for code that the trace does not name.
    package init(_ tasks: TraceTasks) {
        var last: [UInt32: Int32] = [:]
        var ofText: [UInt32: Place] = [:]
        for (index, run) in tasks.runs.enumerated() where run.place != 0 {
            guard let awaits = run.awaits, let part = TaskPart(awaits) else { continue }
            var place = ofText[run.place] ?? Place(name: "", texts: [run.place])
            place.awaits += 1
            if part != .sleep {
                let isLast = index + 1 == tasks.firstRuns[Int(run.task) + 1]
                let end = run.ready ?? (isLast ? tasks.end : tasks.runs[index + 1].start)
                place.awaiting += max(0, end - run.end)
            }
            if part != .sleep, part != .group, last.updateValue(run.task, forKey: run.place) == run.task {
                place.isRepeated = true
            }
            ofText[run.place] = place
        }
        let texts = ofText.keys.sorted()
        var named: [String: Place] = [:]
        for (text, name) in zip(texts, Self.functions(texts.map { tasks.texts[$0] })) {
            guard let place = ofText[text] else { continue }
            var sum = named[name] ?? Place(name: name)
            sum.texts.insert(text)
            sum.awaits += place.awaits
            sum.awaiting += place.awaiting
            sum.isRepeated = sum.isRepeated || place.isRepeated
            named[name] = sum
        }
        all = named.values.sorted { ($1.awaiting, $0.name) < ($0.awaiting, $1.name) }
    }

    /// The innermost function of each place; empty for an empty one.
    package static func functions(_ places: [String]) -> [String] {
        stacks(places).map { $0.functions.first ?? "" }
    }

    /// The functions that the places belong to, where their files are found; other texts as they are.
    package static func stacks(_ places: [String]) -> [AwaitStack] {
        var names = CodeNames()
        names.learn(places.flatMap(AwaitStack.codes))
        return places.map { AwaitStack($0, names) }
    }
}
