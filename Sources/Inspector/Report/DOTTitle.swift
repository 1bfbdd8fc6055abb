/// What stands above the picture: what was run, the figures that matter, and what the colours and lines mean.
struct DOTTitle {
    private let analysis: TraceAnalysis
    private let omission: String?

    init(_ analysis: TraceAnalysis, omission: String?) {
        self.analysis = analysis
        self.omission = omission
    }

    /// An HTML-like label, brackets included.
    var markup: String {
        var rows = [
            "<font point-size=\"15\"><b>\(process)</b></font>",
            DOTText.markup(figures),
        ]
        if let omission { rows.append(DOTText.markup(omission)) }
        rows.append(
            "<table border=\"0\" cellborder=\"0\" cellspacing=\"4\" cellpadding=\"3\"><tr>\(legend)</tr></table>"
        )
        let cells = rows.map { "<tr><td align=\"left\">\($0)</td></tr>" }.joined()
        return "<<table border=\"0\" cellborder=\"0\" cellspacing=\"2\" cellpadding=\"1\">\(cells)</table>>"
    }

    private var process: String {
        let name = analysis.trace.header.process
        return DOTText.markup(TerminalText.shortened(name.isEmpty ? "trace" : name, toColumns: 60))
    }

    private var figures: String {
        let count = analysis.trace.operations.count
        var parts = [
            count == 1 ? "1 operation" : "\(count) operations",
            "makespan \(DurationFormat.text(nanoseconds: analysis.makespan))",
            "critical path \(DurationFormat.text(nanoseconds: analysis.criticalPath.length))",
        ]
        if let parallelism = analysis.parallelism {
            let tenths = (parallelism * 10).rounded()
            parts.append(
                "parallelism \(Int(clamping: Int64(exactly: tenths) ?? .max) / 10).\(Int(Int64(exactly: tenths) ?? 0) % 10)"
            )
        }
        return parts.joined(separator: " · ")
    }

    /// Only what occurs in the picture.
    private var legend: String {
        let present = Set(analysis.trace.operations.map(DOTStyle.Ending.init))
        var cells = DOTStyle.Ending.allCases.filter(present.contains).map { ending in
            "<td border=\"1\" color=\"\(ending.border)\" bgcolor=\"\(ending.fill)\">"
                + "<font point-size=\"9\"> \(ending.label) </font></td>"
        }
        if !analysis.criticalPath.operations.isEmpty {
            cells.append(
                "<td border=\"2\" color=\"\(DOTStyle.criticalColor)\"><font point-size=\"9\" "
                    + "color=\"\(DOTStyle.criticalColor)\"><b> critical path </b></font></td>")
        }
        let arrows =
            analysis.trace.operations.contains { $0.parent != nil }
            ? "→ waits for &#160; ⇢ started by" : "→ waits for"
        cells.append("<td><font point-size=\"9\" color=\"\(DOTStyle.mutedText)\"> \(arrows) </font></td>")
        return cells.joined()
    }
}
