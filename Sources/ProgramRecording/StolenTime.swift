import Foundation
import InspectorText

/// The processor time that the host of a virtual machine gave to others while threads of this machine wanted
/// to run. A thread's records do not show it: switches count it as on CPU, clocks as blocked.
struct StolenTime {
    /// In ticks of `/proc/stat`: what was stolen, and all that passed on all processors.
    private let stolen: UInt64
    private let all: UInt64

    /// A smaller part of all processor time changes nothing.
    private static let noteworthy = 0.01

    /// What has passed since the machine was started; nil if the system does not say.
    init?() {
        guard let file = FileHandle(forReadingAtPath: "/proc/stat"),
            let bytes = try? file.read(upToCount: 4096)
        else { return nil }
        self.init(statistics: String(decoding: bytes, as: UTF8.self))
    }

    /// - Parameter statistics: the beginning of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq
    ///   and steal. Guests, which follow, are contained in user and nice.
    init?(statistics: String) {
        let numbers = statistics.prefix { $0 != "\n" }.split(separator: " ").dropFirst().prefix(8)
            .compactMap { UInt64($0) }
        guard statistics.hasPrefix("cpu "), numbers.count == 8 else { return nil }
        stolen = numbers[7]
        all = numbers.reduce(0, &+)
    }

    /// What readers of the processor times need to know, without a full stop; nil if too little was stolen.
    ///
    /// - Parameters:
    ///   - before: at the start of the run.
    ///   - part: what the time counts as.
    func note(since before: StolenTime, countsAs part: String) -> String? {
        guard all > before.all, stolen > before.stolen else { return nil }
        let share = Double(stolen - before.stolen) / Double(all - before.all)
        guard share >= Self.noteworthy else { return nil }
        return
            "the host of this virtual machine took \(DurationFormat.percent(min(1, share))) of its CPU time "
            + "during the run, which counts as \(part)"
    }
}
