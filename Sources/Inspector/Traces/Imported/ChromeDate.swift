import CTraceJSON
import EventLog
import InspectorColumns

/// When a Chrome trace of another program was recorded. Its events count microseconds from an arbitrary
/// origin, which some programs state.
struct ChromeDate {
    /// From 2000 to 2100, in nanoseconds. A result outside of that means that the file uses another unit, or
    /// means something else.
    private static let sensible: Range<Int64> = 946_684_800_000_000_000..<4_102_444_800_000_000_000

    /// Possible offsets for the times of events, the most reliable first.
    private var offsets: [Int64?] = [nil, nil, nil, nil]
    private(set) var hasSystemEvents = false

    mutating func take(_ header: chrome_header) {
        func set(_ place: Int, _ text: trace_text, unit: Int64) {
            guard let number = text.string else { return }
            if let whole = Int64(number) {
                let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
                if !overflow { offsets[place] = product }
            } else if let value = Double(number) {
                offsets[place] = Int64(exactly: (value * Double(unit)).rounded())
            }
        }
        set(0, header.base, unit: 1)
        set(1, header.beginning, unit: 1_000)
        set(2, header.profile_start, unit: 1_000_000)
        set(3, header.clock_offset, unit: 1_000)
        if header.has_system_events { hasSystemEvents = true }
    }

    /// The time of an event, in nanoseconds since 1970-01-01T00:00:00Z; nil if the file does not say.
    ///
    /// - Parameter time: the time in the file.
    func moment(of time: Int64) -> (nanoseconds: Int64, isSaid: Bool)? {
        for case let offset? in offsets {
            let moment = offset.saturatingAdd(time)
            if Self.sensible.contains(moment) { return (moment, true) }
        }
        // No machine runs for thirty years, so these are microseconds since 1970.
        return Self.sensible.contains(time) ? (time, false) : nil
    }
}
