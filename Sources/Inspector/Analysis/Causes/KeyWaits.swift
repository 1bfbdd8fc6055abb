import EventLog

/// Which operation waits for which because of an exclusion key.
///
/// This has no event of its own. An operation that waits for a key has started, and its mark in the log names
/// the operation that is ahead of it. It waits until that one has finished.
package struct KeyWaits {
    /// Open operations that wait, each with the open operation that it waits for, which must have a unique
    /// name.
    private(set) var holders: [(waiting: Int32, holder: Int32)] = []

    /// Linear in operations and marks.
    init(_ trace: Trace, _ isOpen: (Int) -> Bool) {
        // The last such mark of each operation.
        var names: [Int: String] = [:]
        for mark in trace.marks {
            guard let operation = mark.operation, isOpen(operation),
                case .waitsForKey(_, let name) = KnownMark(mark.text)
            else { continue }
            names[operation] = name
        }
        if names.isEmpty { return }
        let wanted = Set(names.values)
        var found: [String: Int32] = [:]
        for index in trace.operations.indices where isOpen(index) {
            let name = trace.operations[index].displayName
            guard wanted.contains(name) else { continue }
            found[name] = found[name] == nil ? Int32(index) : -1
        }
        for (waiting, name) in names.sorted(by: { $0.key < $1.key }) {
            guard let holder = found[name], holder >= 0, Int(holder) != waiting else { continue }
            holders.append((Int32(waiting), holder))
        }
    }
}
