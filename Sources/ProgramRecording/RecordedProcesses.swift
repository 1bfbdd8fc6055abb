package import EventLog

/// The processes of a run, in the order of their arrival.
package struct RecordedProcesses {
    private let guests: [RecordGuest]
    private let archive: LogArchive
    package let records: KernelRecords
    private let wish: RecordedSources.Wish

    init(
        _ guests: [RecordGuest], _ archive: LogArchive, _ records: KernelRecords = KernelRecords(),
        wish: RecordedSources.Wish = .init()
    ) {
        self.guests = guests
        self.archive = archive
        self.records = records
        self.wish = wish
    }

    /// Before the log of a process is added.
    package var sources: RecordedSources { RecordedSources(wish, gaps: records.gaps) }

    var last: RecordGuest? { guests.last }

    /// Whether the tasks of any were observed.
    package var hasObservedTasks: Bool { guests.contains(where: \.hasObservedTasks) }

    /// Each log that is not empty, read on access.
    package var logs: some Sequence<(RecordGuest, EventLogContents)> {
        guests.lazy.filter { $0.hasLog && $0.obstacle == nil }.compactMap { guest in
            guard var contents = archive.take(guest) else { return nil }
            // The process's own number for itself may be another one.
            records.add(to: &contents, of: guest.process)
            contents.insert(guest.searches)
            return (guest, contents)
        }
    }

    /// What is known about processes whose tasks were not recorded, a sentence each.
    package var obstaclesForTasks: [String] {
        guests.compactMap { guest in
            guest.obstacleForTasks.map { "\(guest.title): \($0); its tasks were not recorded" }
        }
    }

    /// What is known about processes that ran unrecorded, a sentence each.
    package var obstacles: [String] {
        guests.flatMap { guest in
            var sentences: [String] = []
            if let obstacle = guest.obstacle {
                sentences.append("\(guest.title): \(obstacle); it ran unrecorded")
            }
            if guest.hasLaterFoundation {
                sentences.append(
                    "\(guest.title): it loaded Foundation after its start (dlopen); its operations were not "
                        + "recorded")
            }
            if guest.hasUnseenChild {
                sentences.append(
                    "\(guest.title): a child that it forked used queues; forked children are not recorded")
            }
            return sentences
        }
    }

    /// The same if the reason was given before.
    package static let absenceWithReason = "nothing was recorded"

    /// What is known if nothing at all was recorded.
    package var absence: String {
        let silent = guests.filter { $0.obstacle == nil && !$0.hasLaterFoundation }
        if silent.isEmpty, !guests.isEmpty { return Self.absenceWithReason }
        guard let first = silent.first else {
            let what = wish.tasks ? "Foundation or Swift concurrency" : "Foundation"
            return
                "nothing was recorded: opviz saw no program with \(what) (it cannot see one that is "
                + "linked with -static, loads its Swift libraries by dlopen, has another user's rights, or "
                + "was started without LD_PRELOAD and OPVIZ_RECORD in its environment)"
        }
        let programs =
            silent.count == 1
            ? first.title : "any of \(silent.count) processes with Foundation (the first: \(first.title))"
        let tasks = silent.contains(where: \.hasObservedTasks) ? ", and no task," : ""
        return "nothing was recorded: opviz saw no operation added to a queue\(tasks) of \(programs)"
    }
}
