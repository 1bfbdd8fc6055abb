import CRecordHost
import EventLog

/// The code that a process has loaded, at some moment.
struct LoadedCode {
    struct Range: Equatable {
        var start: UInt64
        var end: UInt64
        /// Where it begins in its file.
        var offset: UInt64
        /// Number of the file.
        var file: Int
    }

    /// Ascending, apart from each other.
    private(set) var ranges: [Range] = []
    /// How often other code took the place of code.
    private(set) var replacements = 0

    /// Takes the place of everything that was loaded there.
    mutating func load(_ new: Range) {
        guard new.start < new.end else { return }
        let first = ranges.partitioningIndex { $0.end > new.start }
        let last = ranges.partitioningIndex { $0.start >= new.end }
        let old = ranges[first..<max(first, last)]
        if old.contains(where: { $0.file != new.file || $0.offset &- $0.start != new.offset &- new.start }) {
            replacements += 1
        }
        var rest = [new]
        if var before = old.first, before.start < new.start {
            before.end = new.start
            rest.insert(before, at: 0)
        }
        if var after = old.last, after.end > new.end {
            after.offset &+= new.end - after.start
            after.start = new.end
            rest.append(after)
        }
        ranges.replaceSubrange(old.indices, with: rest)
    }

    /// The file that contains the code at an address, and where; nil if no code is there.
    func place(of address: UInt64) -> (file: Int, offset: UInt64)? {
        let index = ranges.partitioningIndex { $0.end > address }
        guard index < ranges.count, ranges[index].start <= address else { return nil }
        return (ranges[index].file, ranges[index].offset &+ (address - ranges[index].start))
    }
}
