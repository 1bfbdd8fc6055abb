import InspectorColumns

/// What occurs in a timeline.
extension TimelineLegend {
    /// The parts of executions in strips, and in the chart of threads.
    static func executionEntries(_ executions: TimelineExecutions?, _ threads: TimelineThreads?) -> [Entry] {
        var parts = executions?.parts ?? []
        if let threads {
            if threads.onCPU.contains(where: { $0 > 0 }) { parts.insert(.onCPU) }
            if threads.waiting.contains(where: { $0 > 0 }) { parts.insert(.waitingForCPU) }
        }
        return ExecutionParts.Part.allCases.filter(parts.contains).map { .executionPart($0) }
    }

    /// - Parameter parts: the entries for parts of executions, which follow those of kinds.
    static func entries(
        _ analysis: TraceAnalysis, _ selection: TimelineSelection, _ layout: TimelineLayout,
        _ bars: TimelineBars, _ sums: [TimelineSums], _ curve: TimelineCurve, _ suspended: [SuspendedTime],
        _ path: CriticalPath, kinds: TimelineKinds, parts: [Entry], hasBlocking: Bool
    ) -> [Entry] {
        let waits = LifetimeParts.Part.allCases.filter { part in
            sums.contains { $0.waiting.contains { $0.part == part } }
        }
        var entries = waits.map { Entry.part($0) }
        let columns = analysis.trace.operations.store.columns
        var endings: Set<OperationEnding> = []
        var executed: [Int] = []
        var hasTroubleInShares = false
        for (section, content) in layout.sections.enumerated() {
            for (position, bar) in content.bars.enumerated() {
                let ending = OperationEnding(columns, Int(bar.operation))
                if bars.contains(position, of: section) {
                    endings.insert(ending)
                    if columns.executing.has(Int(bar.operation)) { executed.append(Int(bar.operation)) }
                } else if LaneShares.isTrouble(ending) {
                    hasTroubleInShares = true
                }
            }
        }
        let areAllBars = layout.style != .merged && bars.omitted == 0
        entries =
            (areAllBars ? [] : [.part(.execution)]) + kinds.entries(of: executed) + parts + entries
        for ending in OperationEnding.allCases where endings.contains(ending) && ending != .succeeded {
            entries.append(.ending(ending))
        }
        if hasTroubleInShares { entries.append(.trouble) }
        let hasCritical = layout.sections.enumerated().contains { section, content in
            content.bars.enumerated().contains { position, bar in
                bars.contains(position, of: section)
                    && path.contains(operation: Int(bar.operation))
            }
        }
        if hasCritical { entries.append(.critical) }
        let isSuspended = layout.sections.contains { section in
            section.queue.map {
                !suspended[$0].suspensions(from: selection.start, to: selection.end).isEmpty
            } ?? false
        }
        if isSuspended { entries.append(.suspension) }
        if hasBlocking { entries.append(.blocking) }
        let showsSlots =
            layout.style == .merged
            && zip(layout.sections, sums).contains { section, sums in
                TimelineBands.showsSlots(
                    section.slots.fixed, peak: sums.executing.max() ?? 0)
            }
        if curve.showsSlots || showsSlots { entries.append(.slots) }
        return entries
    }
}
