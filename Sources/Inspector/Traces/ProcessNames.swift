import EventLog

/// Short and distinct names for the processes of a trace, by index.
package struct ProcessNames: Sendable {
    /// `client`; if several have that name, `client 4711`; on several machines, `client 4711 on box`.
    package let names: [String]
    /// `client (pid 4711)`, with the machine if the trace has several.
    package let titles: [String]

    /// Linear in processes.
    package init(_ trace: Trace) { self.init(trace.processes) }

    init(_ processes: [LogProcess]) {
        let hasSeveralHosts = Self.haveSeveralHosts(processes)
        titles = processes.map { process in
            Self.title(
                Self.name(process), process.knownProcessID.map { "pid \($0)" },
                hasSeveralHosts ? "on \(Self.host(process))" : nil)
        }
        var names = processes.map(Self.name)
        for detail in [\LogProcess.processID.description, \.host] {
            var counts: [String: Int] = [:]
            for name in names { counts[name, default: 0] += 1 }
            for (index, process) in processes.enumerated() where counts[names[index]] ?? 0 > 1 {
                names[index] +=
                    detail == \.host ? " on \(Self.host(process))" : " \(process[keyPath: detail])"
            }
        }
        self.names = names
    }

    /// `client (pid 4711)` for each program, by its first process. Several processes of a program become
    /// `client (pids 4711, 4712 and 2 more)`. Linear in processes.
    ///
    /// - Parameter shortened: shortens the names of programs and machines. The numbers still distinguish
    ///   processes.
    package static func programs(_ processes: [LogProcess], shortened: (String) -> String) -> [String] {
        struct Program: Hashable {
            let name: String
            let host: String
        }
        let hasSeveralHosts = haveSeveralHosts(processes)
        var order: [Program] = []
        var numbers: [Program: [String]] = [:]
        for process in processes {
            let program = Program(name: name(process), host: hasSeveralHosts ? host(process) : "")
            if numbers[program] == nil {
                order.append(program)
                numbers[program] = []
            }
            if let number = process.knownProcessID {
                numbers[program, default: []].append(String(number))
            }
        }
        return order.map { program in
            let all = numbers[program] ?? []
            let shown = Prose.list(all.count > 3 ? all.prefix(2) : all[...], of: all.count)
            return title(
                shortened(program.name), all.isEmpty ? nil : "pid\(all.count == 1 ? "" : "s") \(shown)",
                hasSeveralHosts ? "on \(shortened(program.host))" : nil)
        }
    }

    /// `client (pid 4711 on box)`; `client` if nothing else is known.
    private static func title(_ name: String, _ details: String?...) -> String {
        let known = details.compactMap(\.self)
        return known.isEmpty ? name : "\(name) (\(known.joined(separator: " ")))"
    }

    private static func haveSeveralHosts(_ processes: [LogProcess]) -> Bool {
        processes.contains { $0.host != processes[0].host }
    }

    private static func host(_ process: LogProcess) -> String {
        process.host.isEmpty ? "unknown machine" : process.host
    }

    private static func name(_ process: LogProcess) -> String {
        process.process.isEmpty ? "process" : process.process
    }
}
