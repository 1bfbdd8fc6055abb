internal import HeapModule
import InspectorColumns

/// Processors that are shared fairly: each thread that can run gets the same share, at most a processor.
struct ProcessorSharing {
    private struct Job: Comparable {
        /// What a thread will have got that shared the processors from the beginning.
        let due: Double
        /// -1 for threads that have no operation.
        let operation: Int32

        static func < (lhs: Job, rhs: Job) -> Bool {
            lhs.due == rhs.due ? lhs.operation < rhs.operation : lhs.due < rhs.due
        }
    }

    /// Less than this is an error of rounding.
    private static let tolerance = 0.001

    /// Infinite for as many as there are threads.
    private let count: Double
    /// Hundreds of thousands where slots are unlimited: small, for the caches of the processor.
    private var jobs = Heap<Job>()
    /// Of the operations for which more than one thread calculates.
    private var threadsOfOperations: [Int32: Double] = [:]
    /// Of all jobs together.
    private var threads = 0.0
    /// How many jobs are of operations.
    private var operations = 0
    private var time: Int64 = 0
    /// What a thread got until `time` that shared the processors from the beginning.
    private var served = 0.0

    /// - Parameter count: more than 0; a fraction if there is less than a whole one for some of the time. Nil
    ///   for as many as there are threads.
    init(_ count: Double?) { self.count = count ?? .infinity }

    private var slowness: Double { max(1, threads / count) }

    /// When the first is done.
    var next: Int64? {
        guard let first = jobs.min else { return nil }
        let left = ((first.due - served) * slowness - Self.tolerance).rounded(.up)
        return left <= 0 ? time : time.saturatingAdd(Int64(exactly: left) ?? .max)
    }

    /// Whether an operation has something to do.
    var hasOperations: Bool { operations > 0 }

    /// Logarithmic.
    ///
    /// - Parameters:
    ///   - operation: nil for threads without one.
    ///   - work: nanoseconds on processors of its own.
    ///   - threads: how many calculate for it at once, on average.
    mutating func add(_ operation: Int?, work: Int64, threads: Double = 1, at time: Int64) {
        advance(to: time)
        let number = operation.map { Int32(truncatingIfNeeded: $0) } ?? -1
        jobs.insert(Job(due: served + Double(work), operation: number))
        self.threads += threads
        if number >= 0 {
            operations += 1
            if threads != 1 { threadsOfOperations[number] = threads }
        }
    }

    /// One that is done by `time`, which is not after `next`. Logarithmic.
    mutating func popDone(at time: Int64) -> Int? {
        advance(to: time)
        // At the end of time nothing is left to do.
        while let first = jobs.min, first.due <= served + Self.tolerance || time == .max {
            jobs.removeMin()
            let ended =
                threadsOfOperations.isEmpty
                ? 1 : threadsOfOperations.removeValue(forKey: first.operation) ?? 1
            // Sums of fractions are not exact.
            threads = jobs.isEmpty ? 0 : threads - ended
            guard first.operation >= 0 else { continue }
            operations -= 1
            return Int(first.operation)
        }
        return nil
    }

    private mutating func advance(to time: Int64) {
        guard time > self.time else { return }
        // Small numbers are exact.
        served = jobs.isEmpty ? 0 : served + Double(time.saturatingAdd(-self.time)) / slowness
        self.time = time
    }
}
