internal import HeapModule
import InspectorColumns

/// Processors that are shared fairly: each thread that can run gets the same share, at most a processor.
struct ProcessorSharing {
    private struct Job: Comparable {
        /// What a thread will have got that shared the processors from the beginning.
        let due: Double
        /// Nil for threads that have no operation.
        let operation: Int?
        let threads: Double

        static func < (lhs: Job, rhs: Job) -> Bool {
            (lhs.due, lhs.operation ?? -1) < (rhs.due, rhs.operation ?? -1)
        }
    }

    /// Less than this is an error of rounding.
    private static let tolerance = 0.001

    /// Infinite for as many as there are threads.
    private let count: Double
    private var jobs = Heap<Job>()
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
        jobs.insert(Job(due: served + Double(work), operation: operation, threads: threads))
        self.threads += threads
        if operation != nil { operations += 1 }
    }

    /// One that is done by `time`, which is not after `next`. Logarithmic.
    mutating func popDone(at time: Int64) -> Int? {
        advance(to: time)
        // At the end of time nothing is left to do.
        while let first = jobs.min, first.due <= served + Self.tolerance || time == .max {
            jobs.removeMin()
            // Sums of fractions are not exact.
            threads = jobs.isEmpty ? 0 : threads - first.threads
            guard let operation = first.operation else { continue }
            operations -= 1
            return operation
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
