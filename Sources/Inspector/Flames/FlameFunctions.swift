import InspectorColumns

/// The time of each function of a group: in itself, and with all that it called. A function that calls itself
/// counts once.
struct FlameFunctions {
    /// A function, or what one calls in the system's libraries.
    private struct Key: Hashable {
        /// The label of the function, or of the first one in a library.
        let label: Int32
        /// The label of the function that called it; -1 outside of libraries, or if it is not known.
        let caller: Int32
        let isLibrary: Bool
    }

    struct Row {
        let label: Int32
        /// Nil without `joinsLibraries`, for a function that is not in a library, and if it is not known.
        let caller: Int32?
        var own: Int64
        var total: Int64
    }

    /// The most time in itself first; equal ones are in the order of the labels.
    let rows: [Row]

    /// - Parameters:
    ///   - group: one of the tree's `groups`.
    ///   - joinsLibraries: whether what a function calls in the system's libraries counts together and names
    ///     that function: `work() → DispatchSemaphore.wait()`. The last function of a stack that waits, reads
    ///     or sleeps is nearly always the C library's.
    init(_ tree: FlameTree, _ group: Range<Int>, joinsLibraries: Bool = false) {
        let isLibrary = tree.labels.map { joinsLibraries && Self.isLibrary($0) }
        var rows: [Key: Row] = [:]
        var path: [Key] = []
        // How often each key is on the path.
        var open: [Key: Int] = [:]
        let top = tree.nodes[group.lowerBound].level
        for node in tree.nodes[group] {
            while path.count > Int(node.level - top) { open[path.removeLast(), default: 0] -= 1 }
            var key = Key(label: node.label, caller: -1, isLibrary: isLibrary[Int(node.label)])
            if key.isLibrary, let around = path.last {
                let isCaller = tree.labels[Int(around.label)].role == .function
                key =
                    around.isLibrary
                    ? around : Key(label: node.label, caller: isCaller ? around.label : -1, isLibrary: true)
            }
            let isOutermost = open[key, default: 0] == 0
            path.append(key)
            open[key, default: 0] += 1
            guard tree.labels[Int(node.label)].role != .group else { continue }
            var row =
                rows[key]
                ?? Row(label: key.label, caller: key.caller < 0 ? nil : key.caller, own: 0, total: 0)
            row.own = row.own.saturatingAdd(node.own)
            if isOutermost { row.total = row.total.saturatingAdd(node.total) }
            rows[key] = row
        }
        self.rows = rows.values.sorted { first, second in
            (second.own, second.total, first.label, first.caller ?? -1)
                < (first.own, first.total, second.label, second.caller ?? -1)
        }
    }

    private static let libraries = [
        "libc.", "libc-", "ld-", "libpthread", "libdispatch", "libswiftDispatch", "libFoundation",
        "libswiftCore", "libswift_Concurrency", "libstdc++", "libc++", "libBlocksRuntime",
    ]

    private static func isLibrary(_ label: FlameTree.Label) -> Bool {
        switch label.role {
        case .group: false
        case .kernel: true
        default: label.module.map { libraries.contains(where: $0.hasPrefix) } ?? false
        }
    }
}
