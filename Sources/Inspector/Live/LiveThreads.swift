import WaitDiagnosis

/// What the threads of executing operations do, from look to look.
///
/// The log says that only at the end of a body, if at all. Until then, the system is asked at each picture.
struct LiveThreads {
    /// How many operations are looked at, those that have executed longest: the cost of a picture is limited.
    static let most = 128

    /// What is known of one operation.
    struct Use: Sendable {
        /// Where its thread was at the last look.
        fileprivate(set) var reading: ThreadReading?
        /// When the last look was, if it was off thread then.
        fileprivate var offThread: Int64?
        /// Between the last two looks; nil until there are two.
        fileprivate(set) var lately: ExecutionParts?
        /// Since the first look.
        fileprivate(set) var all = ExecutionParts()
    }

    /// By operation.
    private(set) var uses: [UInt64: Use] = [:]

    /// Looks at the threads of these operations.
    mutating func look(at operations: some Sequence<LiveOperation>, of process: Int32, _ system: LiveSystem) {
        // Operations that execute within others have the same thread.
        var readings: [UInt64: ThreadReading?] = [:]
        for operation in operations {
            let last = uses[operation.id]
            if operation.isOffThread {
                let now = system.now()
                var use = Use(offThread: now, all: last?.all ?? ExecutionParts())
                use.add(last?.offThread.map { [.offThread: max(0, now - $0)] })
                uses[operation.id] = use
                continue
            }
            let thread = operation.bodyThread
            let read = readings[thread] ?? ThreadReading(process: process, thread: thread, system)
            readings[thread] = .some(read)
            guard let reading = read else {
                uses[operation.id]?.stop()
                continue
            }
            var use = Use(reading: reading, all: last?.all ?? ExecutionParts())
            use.add(last?.reading.flatMap { ExecutionParts(from: $0, to: reading) })
            uses[operation.id] = use
        }
    }

    /// Time until the next look is unknown.
    mutating func pause() {
        for operation in uses.keys { uses[operation]?.stop() }
    }

    /// Forgets other operations.
    mutating func keep(where isKept: (UInt64) -> Bool) { uses = uses.filter { isKept($0.key) } }
}

extension LiveThreads.Use {
    fileprivate mutating func add(_ parts: ExecutionParts?) {
        lately = parts
        if let parts { all = all + parts }
    }

    fileprivate mutating func stop() { (reading, offThread, lately) = (nil, nil, nil) }

    /// What it does now: `on CPU`, `blocked 62 %`. Nil if that is not known.
    var word: String? {
        guard let lately, lately.total > 0,
            let longest = ExecutionParts.Part.allCases.max(by: { lately[$0] < lately[$1] })
        else { return nil }
        let percent = Prose.percent(lately[longest], of: lately.total)
        return percent >= 95 ? longest.label : "\(longest.label) \(percent) %"
    }

    /// With the function of the kernel, if it is blocked in one: `blocked in futex_do_wait`.
    var sentence: String? {
        guard let word, let function = reading?.blockedIn, !function.isEmpty else { return word }
        return word + (word == ExecutionParts.Part.blocked.label ? " in " : ", now blocked in ")
            + TerminalText.shortened(function, toColumns: 60)
    }
}
