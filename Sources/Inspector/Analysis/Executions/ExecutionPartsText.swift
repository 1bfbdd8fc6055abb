import InspectorColumns

extension ExecutionParts {
    /// Shorter parts than this share of the execution say nothing.
    private static let leastShare: Int64 = 100

    /// The parts that matter, the longest first. Nil if nothing was measured.
    package var shown: [Part]? {
        guard unmeasured < total else { return nil }
        return Part.allCases.filter { self[$0] > 0 && self[$0] >= total / Self.leastShare }
            .sorted { self[$0] > self[$1] }
    }

    /// Whether a part is known only together with others.
    package func isEstimate(_ part: Part) -> Bool {
        !isExact && part.row.isEstimated
    }

    /// `on CPU 4.00 ms`, for tooltips.
    package func words(_ part: Part) -> String {
        "\(part.label) \(isEstimate(part) ? "≈ " : "")\(DurationFormat.text(nanoseconds: self[part]))"
    }

    /// `4.00 ms on CPU, 329 ms blocked`: the parts that matter, the longest first. Nil if nothing was
    /// measured.
    package var text: String? {
        shown.map { parts in
            parts.map { part in
                (isEstimate(part) ? "about " : "") + DurationFormat.text(nanoseconds: self[part])
                    + " \(part.label)"
            }.joined(separator: ", ")
        }
    }
}
