import EventLog

/// What the kernel recorded.
package struct KernelRecords {
    /// Nil if they were not recorded.
    var switches: RecordedSwitches?
    var samples: RecordedSamples?
    /// The bytes that were not enough for all switches.
    var exceededLimit: Int?
    /// Why the threads' clocks were read instead of context switches; nil if nobody asked for those.
    var reasonForClocks: String?
    /// Why no stacks were sampled; nil if nobody asked for samples.
    var reasonWithoutSamples: String?
    /// Why samples leave out the kernel; nil if they do not, or if there are none.
    var reasonWithoutKernel: String?
    /// What the machine's host took of the processors; nil if that is too little, or if no processor times
    /// were recorded.
    package var stolen: String?

    /// What readers of the processor times need to know, without a full stop; nil if everything was kept.
    package var note: String? {
        exceededLimit.map { limit in
            let memory = "\(Prose.grouped(limit >> 20)) MiB"
            return
                "the memory for what the kernel records of threads, \(memory), was used up: executions after "
                + "that are unmeasured. --limit \(limit >> 18)M keeps more, and --limit \"\(limit >> 20)M "
                + "latest\" keeps the latest"
        }
    }

    /// What is missing.
    var gaps: [RecordedSources.Gap] {
        [
            reasonForClocks.map { .init(what: RecordedSources.switches, reason: $0) },
            reasonWithoutSamples.map { .init(what: RecordedSources.samples, reason: $0) },
            reasonWithoutKernel.map { .init(what: RecordedSources.samplesInKernel, reason: $0) },
        ].compactMap(\.self)
    }

    /// Adds to a log what the kernel recorded of its process.
    func add(to contents: inout EventLogContents, of process: Int32) {
        switches?.add(to: &contents, of: process)
        samples?.add(to: &contents, of: process)
    }
}

extension EventLogContents {
    /// The threads that operations ran on.
    var threadsOfBodies: Set<UInt64> {
        events.reduce(into: []) { threads, event in
            switch event.body {
            case .executing, .bodyBegan: threads.insert(event.thread)
            default: break
            }
        }
    }

    /// Inserts events, in the order of their times.
    mutating func insert(_ added: [LogEvent]) {
        var merged: [LogEvent] = []
        merged.reserveCapacity(events.count + added.count)
        var rest = added[...]
        for event in events {
            let earlier = rest.prefix { $0.time < event.time }
            merged += earlier
            rest = rest[earlier.endIndex...]
            merged.append(event)
        }
        events = merged + rest
    }
}
