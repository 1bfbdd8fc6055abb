import EventLog

/// Records what threads do on processors, as far as it was asked for and the kernel allows it.
struct ProcessorRecorder {
    /// Where the programs' logs get the times on processors from.
    let times: ProcessorTimes
    let takesSwitches, takesSamples: Bool
    /// Nil if the kernel records nothing.
    private var kernel: KernelRecorder?
    /// Why it does not; nil if it does, or if nobody asked for it.
    private var refusal: String?
    private let stolenBefore = StolenTime()

    /// - Parameters:
    ///   - source: with `auto` and `switches`, context switches are recorded, of the next program that this
    ///     thread starts.
    ///   - sampleRate: how often to sample its stacks, in a second on each processor; nil for never.
    ///   - limit: how many bytes of switches, and of samples, to keep.
    ///   - keepsLatest: the latest switches, instead of the first.
    /// - Throws: `RecordingError` if switches must be recorded, and cannot be.
    init(_ source: ProcessorSource, sampleRate: Int?, limit: Int, keepsLatest: Bool) throws {
        takesSwitches = source == .auto || source == .switches
        takesSamples = sampleRate != nil
        if takesSwitches || takesSamples {
            do throws(KernelRecorder.Refusal) {
                kernel = try KernelRecorder(
                    switches: takesSwitches, rate: sampleRate, limit: limit, keepsLatest: keepsLatest)
            } catch {
                guard source != .switches else {
                    throw RecordingError(
                        .usage, "context switches cannot be recorded: \(error.reason); use --cpu auto")
                }
                refusal = error.reason
            }
        }
        let hasSwitches = takesSwitches && kernel != nil
        times = source == .off ? .off : hasSwitches ? .switches : .clocks
    }

    /// Takes the kernel's records. Returns after how many milliseconds to call it again; nil if the kernel
    /// records nothing.
    func take() -> Int32? { kernel?.take() }

    /// Takes the last records, and returns those of some processes. Call it once.
    mutating func finish(keeping processes: Set<Int32>) -> KernelRecords {
        let leavesOutKernel = takesSamples && kernel?.seesKernel == false
        var records = kernel?.finish(keeping: processes) ?? KernelRecords()
        kernel = nil
        records.reasonForClocks = takesSwitches ? refusal : nil
        records.reasonWithoutSamples = takesSamples ? refusal : nil
        records.reasonWithoutKernel = leavesOutKernel ? KernelRecorder.reasonWithoutKernel : nil
        records.stolen = stolen
        return records
    }

    private var stolen: String? {
        guard times != .off, let stolenBefore else { return nil }
        return StolenTime()?.note(since: stolenBefore, countsAs: times == .switches ? "on CPU" : "blocked")
    }
}

/// Where the times come from that threads spend on processors.
package enum ProcessorSource: String, CaseIterable {
    /// The kernel's records of context switches, where it allows them; otherwise the threads' clocks.
    case auto
    /// The same; it is an error if the kernel refuses them.
    case switches
    /// The program's threads read their own clocks.
    case clocks
    case off
}
