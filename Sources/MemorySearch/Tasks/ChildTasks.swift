/// Child tasks that their parents can only await or cancel, where neither resumes them: so the runtime's own
/// notes of them in their parents lead nowhere.
///
/// Being cancelled resumes a task only through something that it has on its list of status records, such as a
/// cancellation handler. One that has nothing there but what it awaits is not affected.
struct ChildTasks {
    /// The addresses of words in which the runtime notes such a child.
    private(set) var notes: Set<UInt64> = []
    /// The memory of such children of `async let`, which lies within that of their parents.
    private(set) var nested: [Range<UInt64>] = []

    /// From `TaskStatusRecord`, `AsyncLet` and `TaskGroup` of the runtime: what is noted of children, after
    /// the kind of the record and the next one.
    private enum Record {
        static let children: UInt64 = 1
        static let group: UInt64 = 2
        static let kindBits: UInt64 = 0xff
        static let next: UInt64 = 8
        static let firstChild: UInt64 = 16
        static let lastChild: UInt64 = 24
        static let most = 4_096
    }

    /// Where the record of an `async let` begins that has its task in itself, and how long it is.
    private static let asyncLet: (start: UInt64, size: UInt64) = (0x50, 640)

    init(_ tasks: [SwiftTask], _ copy: MemoryCopy, _ runtime: SwiftRuntime) {
        let passive = Set(tasks.lazy.filter { $0.isChild && $0.isPassive(copy) }.map(\.address))
        if passive.isEmpty { return }
        func note(_ place: UInt64) {
            guard let word = copy.word(place) else { return }
            if passive.contains(word & ReachableMemory.addressBits & ~7) { notes.insert(place) }
        }
        for task in tasks {
            if task.isChild { note(task.nextChild) }
            var record = task.innermostRecord(copy)
            var count = 0
            while record != 0, let kind = copy.word(record), count < Record.most {
                if kind & Record.kindBits == Record.children || kind & Record.kindBits == Record.group {
                    note(record &+ Record.firstChild)
                    note(record &+ Record.lastChild)
                }
                record = copy.word(record &+ Record.next) ?? 0
                count += 1
            }
            guard passive.contains(task.address), task.isAsyncLet else { continue }
            let start = task.address - Self.asyncLet.start
            guard copy.word(start).map({ $0 & Record.kindBits == Record.children }) ?? false,
                copy.word(start + Record.firstChild) == task.address,
                let piece = task.firstPiece(copy), piece > task.address, piece < start + Self.asyncLet.size,
                copy.word(piece) == runtime.piece, let sizes = copy.word(piece + SwiftTask.Piece.sizes)
            else { continue }
            let end = piece + SwiftTask.Piece.header + (sizes & 0xffff_ffff)
            if end <= start + Self.asyncLet.size { nested.append(task.address..<end / 16 * 16) }
        }
    }
}
