/// The processors of a machine, and those that a program may use, counted when its log was begun. A change of
/// the program's affinity mask is noticed later, a change of its quota is not.
public struct ProcessorCount: Hashable, Sendable {
    /// The processors of the machine that are online. At least 1.
    public var online: Int
    /// Those of them that the program may use, as its affinity mask says. At least 1.
    public var usable: Int

    /// The quota of CPU time that control groups gave the program, in thousandths of a CPU, if it was less
    /// than the usable ones.
    package private(set) var quotaInThousandths: Int?
    /// Another number of usable processors, seen later: the program's affinity mask was changed.
    public private(set) var usableLater: Int?

    /// The most that are believed: more than Linux can have.
    private static let most = 1 << 18

    /// Nil for numbers that cannot be: zeros stand for unknown ones.
    public init?(online: some BinaryInteger, usable: some BinaryInteger) {
        guard online <= Self.most, usable > 0, usable <= online else { return nil }
        self.online = Int(clamping: online)
        self.usable = Int(clamping: usable)
    }

    /// - Parameters:
    ///   - quota: in thousandths of a CPU; 0 for none.
    ///   - later: another number of usable processors; 0 for none.
    package init?(
        online: some BinaryInteger, usable: some BinaryInteger, quota: some BinaryInteger,
        later: some BinaryInteger
    ) {
        self.init(online: online, usable: usable)
        limit(quota: quota, later: later)
    }

    fileprivate mutating func limit(quota: some BinaryInteger, later: some BinaryInteger) {
        quotaInThousandths = quota > 0 && quota < usable * 1000 ? Int(clamping: quota) : nil
        usableLater = later > 0 && later <= Self.most && later != usable ? Int(clamping: later) : nil
    }

    /// For each nanosecond, the nanoseconds of CPU time that control groups gave the program, on all CPUs
    /// together. Nil if that was at least the usable processors.
    public var quota: Double? { quotaInThousandths.map { Double($0) / 1000 } }

    /// The most threads that can be on processors together all the time, rounded up.
    package var mostAtOnce: Int {
        let most = max(usable, usableLater ?? 0)
        return quotaInThousandths.map { min(most, ($0 + 999) / 1000) } ?? most
    }

    /// Whether this many threads can be on processors at any time, if no other program is.
    package var isConstant: Bool { quotaInThousandths == nil && usableLater == nil }

    /// `2 CPUs`, or `1 of 2 CPUs, later 2, with a quota of 0.5 CPUs`.
    package var text: String {
        var text = Prose.counted(online, "CPU")
        if usable != online { text = "\(Prose.grouped(usable)) of \(text)" }
        if let usableLater { text += ", later \(Prose.grouped(usableLater))" }
        guard let quotaInThousandths else { return text }
        return text + (usableLater == nil ? "" : ",") + " with a quota of \(Self.text(quotaInThousandths))"
    }

    /// A quota in thousandths: `0.5 CPUs`.
    package static func text(_ quota: Int) -> String {
        var fraction = String(quota % 1000 + 1000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        let number = Prose.grouped(quota / 1000) + (fraction.isEmpty ? "" : "." + fraction)
        return "\(number) \(quota == 1000 ? "CPU" : "CPUs")"
    }
}

extension CompactBytes {
    /// Nil for zeros, and if the data is truncated: the numbers are not known.
    mutating func processorCount() -> ProcessorCount? {
        guard let online = number(), let usable = number() else { return nil }
        return ProcessorCount(online: online, usable: usable)
    }

    /// The counts of all processes, which follow their list.
    mutating func takeProcessors(of processes: inout [LogProcess]) {
        for index in processes.indices { processes[index].processors = processorCount() }
    }

    /// Adds the quota and what changed later, which follow the counts of all processes.
    mutating func takeLimits(of processors: inout ProcessorCount?) {
        guard let quota = number(), let later = number() else { return }
        processors?.limit(quota: quota, later: later)
    }

    mutating func takeLimits(of processes: inout [LogProcess]) {
        for index in processes.indices { takeLimits(of: &processes[index].processors) }
    }
}

extension [UInt8] {
    mutating func append(_ processors: ProcessorCount?) {
        appendNumber(UInt64(processors?.online ?? 0))
        appendNumber(UInt64(processors?.usable ?? 0))
    }

    mutating func append(limitsOf processors: ProcessorCount?) {
        appendNumber(UInt64(processors?.quotaInThousandths ?? 0))
        appendNumber(UInt64(processors?.usableLater ?? 0))
    }
}
