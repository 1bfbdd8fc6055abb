/// The rows of a large run on a terminal: for each queue, how many operations waited, what most of them
/// waited for, and how busy its lanes were.
struct TimelineQueueRows {
    private static let mostLanes = 24
    /// Each queue has at least a title and a row.
    private static let leastRows = 2

    private let analysis: TraceAnalysis
    private let selection: TimelineSelection
    private let frame: TimelineFrame
    private let limits: TimelineLayout.Limits

    /// - Parameter mostRows: about how many rows are shown.
    init(
        _ analysis: TraceAnalysis, _ selection: TimelineSelection, _ frame: TimelineFrame, mostRows: Int
    ) {
        limits = TimelineLayout.Limits(
            rows: 0, lanes: min(Self.mostLanes, mostRows),
            mergedQueues: max(1, mostRows / Self.leastRows))
        self.analysis = analysis
        self.selection = selection
        self.frame = frame
    }

    /// The rows, and the characters that occur in them.
    var text: (String, [TimelineFrame.Entry]) {
        let layout = TimelineLayout(analysis, selection.operations, limits)
        let suspended = analysis.trace.queues.map { SuspendedTime($0.suspensions) }
        var text = ""
        var parts: Set<LifetimeParts.Part> = [.execution]
        for section in layout.sections {
            text += frame.title(section, analysis.trace)
            if let words = section.endings.unfinishedWords { text += frame.note(words) }
            let sums = TimelineSums(
                section, analysis, selection, suspended: suspended, columns: frame.columns)
            text += waiting(sums)
            parts.formUnion(sums.waiting.map(\.part))
            text += layout.style == .merged ? executing(sums) : lanes(section)
        }
        return (text, LifetimeParts.Part.allCases.filter(parts.contains).map { .part($0) })
    }

    private func waiting(_ sums: TimelineSums) -> String {
        let most = sums.mostWaiting
        guard most > 0 else { return "" }
        let parts = sums.executing.indices.map { column in
            sums.waiting.max { $0.counts[column] < $1.counts[column] }?.part ?? .unknown
        }
        let all = sums.allWaiting
        let curve = TimelineCells(heights: all.map { $0 < 0.005 ? 0 : $0 / most }) {
            TerminalColor(parts[$0])
        }
        let kinds = TimelineCells(
            zip(all, parts).map { $0 < 0.005 ? nil : $1 })
        return frame.row(name: "waiting (most)", curve, figure: "≈ " + TimelineBands.count(most))
            + frame.row(name: "mostly for", kinds)
    }

    private func executing(_ sums: TimelineSums) -> String {
        let peak = sums.executing.max() ?? 0
        guard peak > 0 else { return "" }
        let cells = TimelineCells(heights: sums.executing.map { $0 < 0.0005 ? 0 : $0 / peak }) { _ in
            TerminalColor(.execution)
        }
        return frame.row(name: "executing (most)", cells, figure: "≈ " + TimelineBands.count(peak))
    }

    private func lanes(_ section: TimelineLayout.Section) -> String {
        let empty = ColumnSums(columns: frame.columns, from: selection.start, to: selection.end)
        var sums = Array(repeating: empty, count: section.lanes)
        for bar in section.bars {
            sums[Int(bar.lane)].add(from: bar.from, to: max(bar.to, bar.from + selection.leastExecution))
        }
        return sums.enumerated().map { lane, sums in
            let shares = sums.averages
            let busy = shares.reduce(0, +) / Double(max(1, shares.count))
            return frame.row(
                name: "lane \(lane + 1)",
                TimelineCells(heights: shares.map { $0 < 0.0005 ? 0 : min(1, $0) }) { _ in
                    TerminalColor(.execution)
                }, figure: "\(Int((busy * 100).rounded())) % busy")
        }.joined()
    }
}
