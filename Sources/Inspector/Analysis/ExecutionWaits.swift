/// What operations waited for while they executed: their children, and what they blocked their thread for.
///
/// That a parent waited for a child is an assumption: it executed until after the child had finished. Where it is
/// wrong, time that the parent spent on work of its own is put down to the child, and no more than the
/// child's lifetime.
struct ExecutionWaits {
    /// Those of operation i are from `first[i]` up to `first[i + 1]`, in the order of time.
    private let first: [Int32]
    private let entries: [Entry]
    /// What the program waited for outside of all operations, in the order of time.
    private let ofProgram: [Entry]

    struct Entry {
        let moment: Int64
        let operation: Int
        let isChild: Bool
    }

    /// Cost: O(n log n) in operations and blocking waits.
    init(_ trace: Trace, _ lifelines: [Lifeline?]) {
        var all: [(waiting: Int, entry: Entry)] = []
        var program: [Entry] = []
        for (index, line) in lifelines.enumerated() {
            guard let line, let parent = trace.operations[index].parent, parent != index,
                lifelines.indices.contains(parent), let waiting = lifelines[parent],
                line.end > waiting.start, line.end <= waiting.end
            else { continue }
            all.append((parent, Entry(moment: line.end, operation: index, isChild: true)))
        }
        let queues = trace.blockingWaits.isEmpty ? nil : QueueFinishes(trace, lifelines)
        for wait in trace.blockingWaits {
            let end = Lifeline.bounded(wait.end ?? .max)
            let ended: (moment: Int64, operation: Int)? =
                switch wait.target {
                case .operation(let index):
                    lifelines.indices.contains(index)
                        ? lifelines[index].map { (min($0.end, end), index) } : nil
                case .queue(let queue):
                    queues?.last(on: queue, after: wait.start, by: end, besides: wait.operation)
                }
            guard let ended, ended.moment > wait.start else { continue }
            let entry = Entry(moment: ended.moment, operation: ended.operation, isChild: false)
            if let waiting = wait.operation {
                guard lifelines.indices.contains(waiting), let line = lifelines[waiting],
                    waiting != ended.operation, entry.moment > line.start, entry.moment <= line.end
                else { continue }
                all.append((waiting, entry))
            } else {
                program.append(entry)
            }
        }
        all.sort {
            ($0.waiting, $0.entry.moment, $1.entry.operation) < (
                $1.waiting, $1.entry.moment, $0.entry.operation
            )
        }
        var first = [Int32](repeating: 0, count: lifelines.count + 1)
        for (waiting, _) in all { first[waiting + 1] += 1 }
        for index in 0..<lifelines.count { first[index + 1] += first[index] }
        self.first = first
        entries = all.map(\.entry)
        ofProgram = program.sorted { ($0.moment, $1.operation) < ($1.moment, $0.operation) }
    }

    /// Those of the operation, in the order of time.
    func entries(of operation: Int) -> ArraySlice<Entry> {
        entries[Int(first[operation])..<Int(first[operation + 1])]
    }

    /// What the program waited for last, up to that moment.
    func ofProgram(upTo moment: Int64) -> Entry? {
        let position = ofProgram.partitioningIndex { $0.moment > moment }
        return position == 0 ? nil : ofProgram[position - 1]
    }
}
