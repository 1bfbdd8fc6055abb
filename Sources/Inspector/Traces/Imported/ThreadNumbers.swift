import EventLog

/// Assigns numbers to threads that other programs name freely.
///
/// A positive number is kept. Words, negative numbers and 0 get numbers that no thread of the file has, from
/// 1 on: one for each thread of each process.
struct ThreadNumbers {
    private struct Key: Hashable {
        let process: Int32
        let thread: InternedTexts.Number
    }

    private var numbers: [Key: UInt64] = [:]

    /// - Parameter threads: the threads and their processes; repetitions are allowed.
    init(_ threads: some Sequence<(process: Int32, thread: InternedTexts.Number)>, _ texts: InternedTexts) {
        var taken: Set<UInt64> = []
        var others: [Key] = []
        for (process, thread) in threads {
            let key = Key(process: process, thread: thread)
            guard numbers[key] == nil else { continue }
            if let number = Int64(texts[thread]), number > 0 {
                numbers[key] = UInt64(number)
                taken.insert(UInt64(number))
            } else {
                numbers[key] = 0
                others.append(key)
            }
        }
        var next: UInt64 = 1
        for key in others {
            while taken.contains(next) { next += 1 }
            numbers[key] = next
            next += 1
        }
    }

    /// 0 for a thread that was not among them.
    func number(of thread: InternedTexts.Number, in process: Int32) -> UInt64 {
        numbers[Key(process: process, thread: thread)] ?? 0
    }
}
