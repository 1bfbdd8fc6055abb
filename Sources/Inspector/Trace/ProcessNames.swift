import EventLog

/// What the processes of a trace are called, by index: short, and each another.
struct ProcessNames: Sendable {
    /// `client`; where several are called that, `client 4711`, and on several machines `client 4711 on box`.
    let names: [String]
    /// `client (pid 4711)`, with the machine where the trace is of several.
    let titles: [String]

    /// Linear in processes.
    init(_ trace: Trace) { self.init(trace.processes) }

    init(_ processes: [LogProcess]) {
        let hasSeveralHosts = processes.contains { $0.host != processes[0].host }
        func host(_ process: LogProcess) -> String { process.host.isEmpty ? "unknown machine" : process.host }
        titles = processes.map { process in
            let place = hasSeveralHosts ? " on \(host(process))" : ""
            return "\(Self.name(process)) (pid \(process.processID)\(place))"
        }
        var names = processes.map(Self.name)
        for detail in [\LogProcess.processID.description, \.host] {
            var counts: [String: Int] = [:]
            for name in names { counts[name, default: 0] += 1 }
            for (index, process) in processes.enumerated() where counts[names[index]] ?? 0 > 1 {
                names[index] +=
                    detail == \.host ? " on \(host(process))" : " \(process[keyPath: detail])"
            }
        }
        self.names = names
    }

    private static func name(_ process: LogProcess) -> String {
        process.process.isEmpty ? "process" : process.process
    }
}
