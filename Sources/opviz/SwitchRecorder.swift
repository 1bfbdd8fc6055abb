import CRecordHost
import Foundation

/// Records context switches of the next program that this thread starts, and of its children.
final class SwitchRecorder {
    /// How often the records are taken, in milliseconds. Waits for a processor are told apart as finely. A
    /// hundred times a second costs half a percent of one processor, even if there is nothing to take.
    private static let interval: Int32 = 10
    /// When a ring fills quickly.
    private static let shortInterval: Int32 = 1
    /// How many bytes of records to keep: two million stretches on a processor.
    private static let limit = 64 << 20

    private let recording: UnsafeMutablePointer<record_switches>

    /// The system does not allow it.
    struct Refusal: Error {
        let reason: String
    }

    init() throws(Refusal) {
        guard let recording = record_switches_open(Self.limit) else {
            throw Refusal(reason: "perf_event_open was refused (\(String(cString: strerror(errno))))")
        }
        self.recording = recording
    }

    deinit { record_switches_free(recording) }

    /// Returns after how many milliseconds to call it again.
    func take() -> Int32 { record_switches_take(recording) ? Self.shortInterval : Self.interval }

    /// Takes the last records, and returns those of some processes. Call it once.
    func finish(keeping processes: Set<Int32>) -> RecordedSwitches {
        record_switches_take(recording)
        record_switches_end(recording)
        let taken = recording.pointee
        let switches = UnsafeBufferPointer(start: taken.switches, count: taken.switch_count)
        let delays = UnsafeBufferPointer(start: taken.delays, count: taken.delay_count)
        return RecordedSwitches(
            switches: switches.filter { processes.contains($0.process) },
            delays: delays.filter { processes.contains($0.process) },
            gaps: Array(UnsafeBufferPointer(start: taken.gaps, count: taken.gap_count)), end: taken.end,
            isOverLimit: taken.is_over_limit)
    }
}
