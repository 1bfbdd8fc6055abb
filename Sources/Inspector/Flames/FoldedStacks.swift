/// Stacks for `flamegraph.pl`, `inferno-flamegraph` and others
/// ([format](https://github.com/brendangregg/FlameGraph)): a line for each stack, its functions separated by
/// semicolons, the kind first, and a number of samples. For blocked stacks the number is microseconds.
struct FoldedStacks {
    let report: FlameReport

    func write(_ emit: ([UInt8]) -> Void) {
        let tree = report.tree
        // The frames from the root to the current node, and where the text of each ends.
        var path: [UInt8] = []
        var ends: [Int] = []
        var bytes: [UInt8] = []
        for (index, node) in tree.nodes.enumerated() {
            ends.removeLast(ends.count - Int(node.level))
            path.removeLast(path.count - (ends.last ?? 0))
            // The root is only for pictures, unless it is the group.
            if index > 0 || tree.isRootGroup {
                if !path.isEmpty { path.append(UInt8(ascii: ";")) }
                path += Self.frame(tree.label(index).name)
            }
            ends.append(path.count)
            let count = count(node.own)
            guard count > 0 else { continue }
            bytes += path
            bytes += " \(count)\n".utf8
            bytes.emitPiece(emit)
        }
        emit(bytes)
    }

    private func count(_ weight: Int64) -> Int64 {
        guard report.tree.isTime else { return weight }
        let unit = report.isBlocked ? 1000 : report.profile.period ?? 1
        return weight / unit + (weight % unit * 2 >= unit ? 1 : 0)
    }

    /// Semicolons separate frames, and lines separate stacks.
    private static func frame(_ name: String) -> [UInt8] {
        Array(TerminalText.escaped(name).replacing(";", with: ":").utf8)
    }
}

extension FlameTree {
    /// Whether the root is a kind or an operation itself.
    var isRootGroup: Bool { groups[0].lowerBound == 0 }
}

extension OutputFormat {
    static let folded = Self("folded", ["folded"])
}
