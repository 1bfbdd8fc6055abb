import CRecordHost
import Foundation

/// Records what the kernel says of the next program that this thread starts, and of its children: context
/// switches, and samples of stacks.
package final class KernelRecorder {
    /// How often the records are taken, in milliseconds. Waits for a processor are told apart as finely. So
    /// often, it takes 0.7 % of one processor.
    private static let interval: Int32 = 4
    /// If many threads are switched to, their waits are read less often, so that it takes 1 % at most.
    private static let longestInterval: Int32 = 100
    /// When a ring fills quickly.
    private static let shortInterval: Int32 = 1
    /// How many bytes of switches to keep: two million stretches on a processor; and of samples: some hours.
    static let usualLimit = 64 << 20
    /// How often to look at stacks. Not a divisor of how often programs do something periodically.
    package static let usualRate = 499

    private let recording: UnsafeMutablePointer<record_kernel>
    private let hasSwitches: Bool
    private let limit: Int
    /// How often stacks are looked at, in a second on each processor; nil for never.
    private let rate: Int?

    /// The system does not allow it.
    struct Refusal: Error {
        let reason: String
        let remedy: String

        /// - Parameter error: the `errno` of `perf_event_open`.
        init(_ error: Int32) {
            reason = "perf_event_open was refused (\(String(cString: strerror(error))))"
            remedy =
                if error == ENOMEM {
                    "end your other recordings"
                } else if let restriction, restriction > 2 {
                    "sudo sysctl kernel.perf_event_paranoid=2"
                } else {
                    "in a container: docker run --cap-add PERFMON"
                }
        }
    }

    /// - Parameters:
    ///   - rate: as many as the system allows, if it allows less.
    ///   - limit: how many bytes of switches, and of samples, to keep.
    ///   - keepsLatest: the latest switches, instead of the first.
    init(
        switches: Bool = true, rate: Int? = nil, limit: Int = usualLimit, keepsLatest: Bool = false
    ) throws(Refusal) {
        let rate = rate.map { min($0, Self.highestRate) }
        let wish = record_wish(
            switches: switches, rate: UInt32(rate ?? 0), limit: limit, keeps_latest: keepsLatest)
        guard let recording = record_kernel_open(wish) else {
            throw Refusal(errno)
        }
        self.recording = recording
        hasSwitches = switches
        self.limit = limit
        self.rate = rate
    }

    deinit { record_kernel_free(recording) }

    /// Whether samples are taken in the kernel, too.
    var seesKernel: Bool { recording.pointee.sees_kernel }

    /// `kernel.perf_event_paranoid`: how little users may record. Nil if the system does not say.
    static var restriction: Int? { setting("perf_event_paranoid") }

    /// Why `seesKernel` is false.
    static var reasonWithoutKernel: String {
        guard let restriction, restriction > 1 else { return "perf_event_open was refused for it" }
        return "kernel.perf_event_paranoid is \(restriction)"
    }

    /// The highest rate that the system allows.
    private static var highestRate: Int { setting("perf_event_max_sample_rate").map { max(1, $0) } ?? .max }

    private static func setting(_ name: String) -> Int? {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/" + name, encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    /// Returns after how many milliseconds to call it again.
    func take() -> Int32 {
        let start = ContinuousClock.now
        if record_kernel_take(recording) { return Self.shortInterval }
        let microseconds = (ContinuousClock.now - start) / .microseconds(1)
        return Int32(min(max(Double(Self.interval), microseconds / 10), Double(Self.longestInterval)))
    }

    /// Takes the last records, and returns those of some processes. Call it once.
    func finish(keeping processes: Set<Int32>) -> KernelRecords {
        record_kernel_take(recording)
        record_kernel_end(recording)
        let taken = recording.pointee
        let switches = UnsafeBufferPointer(start: taken.switches.switches, count: taken.switches.switch_count)
            .filter { processes.contains($0.process) }
        var records = KernelRecords()
        if hasSwitches {
            let delays = UnsafeBufferPointer(start: taken.switches.delays, count: taken.switches.delay_count)
            records.switches = RecordedSwitches(
                switches: switches, delays: delays.filter { processes.contains($0.process) },
                gaps: Array(UnsafeBufferPointer(start: taken.gaps, count: taken.gap_count)), end: taken.end,
                isOverLimit: taken.is_over_limit)
            if taken.is_over_limit { records.exceededLimit = limit }
        }
        if let rate {
            records.samples = RecordedSamples(
                taken.samples, of: processes, programs: ProgramStarts(switches), rate: rate
            ) { [switches = records.switches] sample in
                // Stacks are taken of preempted threads, too.
                sample.state != .blocked
                    || switches?.isBlocking(sample.process, sample.thread, at: sample.time) == true
            }
        }
        return records
    }
}
