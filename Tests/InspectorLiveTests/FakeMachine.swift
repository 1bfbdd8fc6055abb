import WaitDiagnosis

@testable import InspectorLive

/// The threads of a test, as `/proc` would show them.
final class FakeMachine {
    struct Thread {
        /// Milliseconds since it began.
        var onCPU = 0
        var waited = 0
        var switches = 1
        var state = "R"
        var function = "0"
    }

    /// Milliseconds.
    var now: Int64 = 0
    var threads: [UInt64: Thread] = [:]
    var host = "box"
    /// The files that were asked for.
    private(set) var files: [String] = []

    var system: LiveSystem {
        LiveSystem(host: host, contents: { [self] in contents($0) }, now: { [self] in now * 1_000_000 })
    }

    /// Time passes, of which a thread spends so much on a processor and waiting for one; then it is in a
    /// function of the kernel, or none.
    func pass(_ milliseconds: Int64, _ threads: [UInt64: (onCPU: Int, waited: Int, function: String?)]) {
        now += milliseconds
        for (number, did) in threads {
            var thread = self.threads[number] ?? Thread()
            thread.onCPU += did.onCPU
            thread.waited += did.waited
            thread.switches += 1
            (thread.state, thread.function) = did.function.map { ("S", $0) } ?? ("R", "0")
            self.threads[number] = thread
        }
    }

    private func contents(_ path: String) -> String? {
        files.append(path)
        let parts = path.split(separator: "/")
        guard parts.count == 5, let number = UInt64(parts[3]), let thread = threads[number] else {
            return nil
        }
        return switch parts[4] {
        case "schedstat": "\(thread.onCPU)000000 \(thread.waited)000000 \(thread.switches)\n"
        case "stat": "\(number) (a ) R name) \(thread.state) 1 1 1\n"
        case "wchan": thread.function
        default: nil
        }
    }
}
