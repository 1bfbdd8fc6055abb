/// Which operation waits for which because of an exclusion key.
///
/// No event says so: an operation that waits for a key has started, and has put a mark into the log that
/// names the one that comes first. As long as that one has not finished, it waits.
package struct KeyWaits {
    package static let beginning = "waits for the key "
    package static let ending = " comes first"

    /// Open operations that wait, each with the open one that it waits for, which is unique in its name.
    private(set) var holders: [(waiting: Int32, holder: Int32)] = []

    /// Linear in operations and marks.
    init(_ trace: Trace, _ isOpen: (Int) -> Bool) {
        // The last that an operation said of that.
        var names: [Int: Substring] = [:]
        for mark in trace.marks {
            guard let operation = mark.operation, isOpen(operation), let name = Self.holder(in: mark.text)
            else { continue }
            names[operation] = name
        }
        if names.isEmpty { return }
        let wanted = Set(names.values)
        var found: [Substring: Int32] = [:]
        for index in trace.operations.indices where isOpen(index) {
            let name = Substring(trace.operations[index].displayName)
            guard wanted.contains(name) else { continue }
            found[name] = found[name] == nil ? Int32(index) : -1
        }
        for (waiting, name) in names.sorted(by: { $0.key < $1.key }) {
            guard let holder = found[name], holder >= 0, Int(holder) != waiting else { continue }
            holders.append((Int32(waiting), holder))
        }
    }

    /// The name in `waits for the key KEY: NAME comes first`.
    private static func holder(in mark: String) -> Substring? {
        guard mark.hasPrefix(beginning), mark.hasSuffix(ending), let colon = mark.firstRange(of: ": "),
            colon.upperBound <= mark.index(mark.endIndex, offsetBy: -ending.count)
        else { return nil }
        return mark[colon.upperBound...].dropLast(ending.count)
    }
}
