import InspectorColumns

/// Equal columns of time, as narrow as a picture can show.
package struct TimeColumns: Sendable {
    private let origin: Int64
    /// Nanoseconds; at least one.
    private let width: Double

    package init(from start: Int64, to end: Int64, count: Int) {
        self.init(from: start, width: Double(end - start) / Double(max(1, count)))
    }

    package init(from start: Int64, width: Double) {
        origin = start
        self.width = max(1, width)
    }

    /// The end of the column that contains `time`.
    func end(of time: Int64) -> Int64 {
        // A boundary belongs to the column after it, also if the division is off by its last digits.
        let column = (Double(time - origin) / width + 1e-9).rounded(.down) + 1
        return max(time + 1, origin + Int64((column * width).rounded(.up)))
    }
}

extension ProcessorUse {
    /// The parts of an execution in the order of time. Empty without an execution.
    ///
    /// Each column shows one part, and what a column does not show counts in the next ones. So stretches that
    /// are shorter than a column appear as often as their sum requires, and there are never more stretches
    /// than columns. Without a record of the thread's switches, the parts follow each other in their usual
    /// order.
    ///
    /// Cost: columns of the execution × log of its thread's switches.
    package func drawnStretches(
        of index: Int, within window: Range<Int64>, _ columns: TimeColumns
    ) -> [ExecutionStretch] {
        guard let executed = timings.executedBody(of: index) else { return [] }
        let shown = executed.execution.clamped(to: window)
        var stretches: [ExecutionStretch] = []
        guard let history = history(of: index, executed) else {
            for stretch in self.stretches(of: index) {
                stretches.append(
                    stretch.part, from: max(stretch.start, shown.lowerBound),
                    to: min(stretch.end, shown.upperBound))
            }
            return stretches
        }
        // Made once, and plain loops below: there can be thousands of columns.
        let kinds = ExecutionParts.Part.allCases
        var unshown = [Int64](repeating: 0, count: kinds.count)
        var from = shown.lowerBound
        while from < shown.upperBound {
            let to = min(columns.end(of: from), shown.upperBound)
            let body = executed.body.clamped(to: from..<to)
            var parts = history.parts(from: body.lowerBound, to: body.upperBound)
            parts.offThread = to - from - (body.upperBound - body.lowerBound)
            var (most, place) = (0, 0)
            while place < kinds.count {
                unshown[place] += parts[kinds[place]]
                if unshown[place] > unshown[most] { most = place }
                place += 1
            }
            unshown[most] -= to - from
            stretches.append(kinds[most], from: from, to: to)
            from = to
        }
        return stretches
    }

    /// When the execution begins in the stretches. Nil without an execution.
    package func executionStart(of index: Int) -> Int64? {
        timings.executedBody(of: index)?.execution.lowerBound
    }

    /// From the first enqueue to the last finish. Nil for a run that took no time.
    package var runTimes: Range<Int64>? {
        let transitions = timings.transitions
        guard let start = transitions.indices.lazy.compactMap({ transitions.enqueued(of: $0) }).min(),
            timings.makespan > 0
        else { return nil }
        return start..<start + timings.makespan
    }

    /// How many threads were on processors, and how many waited for one, on average in each of `count` equal
    /// parts of an interval: all recorded threads, also those that execute no operation. Nil if the log has
    /// no switches.
    ///
    /// Cost: linear in switches.
    package func threadsOverTime(
        parts count: Int, from start: Int64, to end: Int64
    ) -> (onCPU: [Double], waiting: [Double])? {
        guard !histories.isEmpty, count > 0, start < end else { return nil }
        var onCPU = ColumnSums(columns: count, from: start, to: end)
        var waiting = onCPU
        // In a fixed order, because sums of fractions depend on it.
        let threads = histories.sorted {
            ($0.key.process, $0.key.number) < ($1.key.process, $1.key.number)
        }
        for (_, history) in threads {
            history.forEachStretch { part, start, end in
                if part == .onCPU { onCPU.add(from: start, to: end) }
                if part == .waitingForCPU { waiting.add(from: start, to: end) }
            }
        }
        return (onCPU.averages, waiting.averages)
    }
}
