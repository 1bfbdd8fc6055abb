/// The processors of a machine, and those that a program may use, counted when its log was begun.
public struct ProcessorCount: Hashable, Sendable {
    /// The processors of the machine that are online. At least 1.
    public var online: Int
    /// Those of them that the program may use, as its affinity mask says. At least 1.
    public var usable: Int

    /// The most that are believed: more than Linux can have.
    private static let most = 1 << 18

    /// Nil for numbers that cannot be: zeros stand for unknown ones.
    public init?(online: some BinaryInteger, usable: some BinaryInteger) {
        guard online <= Self.most, usable > 0, usable <= online else { return nil }
        self.online = Int(clamping: online)
        self.usable = Int(clamping: usable)
    }

    /// `2 CPUs`, or `1 of 2 CPUs` if the program may not use all of them.
    package var text: String {
        let all = Prose.counted(online, "CPU")
        return usable == online ? all : "\(Prose.grouped(usable)) of \(all)"
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
}

extension [UInt8] {
    mutating func append(_ processors: ProcessorCount?) {
        appendNumber(UInt64(processors?.online ?? 0))
        appendNumber(UInt64(processors?.usable ?? 0))
    }
}
