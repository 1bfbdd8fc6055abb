import InspectorColumns

/// A function, or all that a function of the program calls in the system's libraries.
struct FlameCall: Hashable {
    /// The label of the function, or of the first one in a library.
    let label: Int32
    /// The label of the function that called it. Nil outside of libraries, and if it is not known.
    let caller: Int32?
    let isLibrary: Bool

    /// Which call each node of a tree belongs to.
    ///
    /// - Parameters:
    ///   - nodes: all, or one of the tree's `groups`.
    ///   - joinsLibraries: whether what a function calls in libraries is one call. If not, each function is.
    static func calls(_ tree: FlameTree, in nodes: Range<Int>, joinsLibraries: Bool) -> [Self] {
        let isLibrary = tree.labels.map { joinsLibraries && Self.isLibrary($0) }
        var calls: [Self] = []
        calls.reserveCapacity(nodes.count)
        for node in tree.nodes[nodes] {
            let around = Int(node.parent) - nodes.lowerBound
            guard isLibrary[Int(node.label)], calls.indices.contains(around) else {
                calls.append(
                    Self(label: node.label, caller: nil, isLibrary: isLibrary[Int(node.label)]))
                continue
            }
            let parent = calls[around]
            let isCaller = tree.labels[Int(parent.label)].role == .function
            calls.append(
                parent.isLibrary
                    ? parent
                    : Self(label: node.label, caller: isCaller ? parent.label : nil, isLibrary: true))
        }
        return calls
    }

    /// `load() → DispatchSemaphore.wait()`, or the function alone.
    func name(in tree: FlameTree) -> String {
        let name = tree.labels[Int(label)].name
        return caller.map { "\(tree.labels[Int($0)].name) → \(name)" } ?? name
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
