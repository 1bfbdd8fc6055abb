import EventLog

extension LogHeader {
    /// Turns this into the header of a trace with these processes.
    mutating func take(_ processes: [LogProcess]) {
        guard let first = processes.first else { return }
        var names: [String] = []
        for process in processes where !names.contains(process.process) {
            names.append(process.process)
            if names.count > 3 { break }
        }
        process = names.count > 3 ? names[..<2].joined(separator: ", ") + " and others" : Prose.list(names)
        processID = first.processID
        host = processes.allSatisfy { $0.host == first.host } ? first.host : ""
        isClosed = processes.allSatisfy(\.isClosed)
        droppedEvents = processes.reduce(0) { $0.addingReportingOverflow($1.droppedEvents).partialValue }
        lastAlive = processes.reduce(0) { max($0, $1.lastAlive) }
        processors = processes.count == 1 ? first.processors : nil
        self.processes = processes
    }
}
