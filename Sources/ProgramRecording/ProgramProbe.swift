import CRecordHost
import Foundation

/// What becomes of a program under `opviz record`. The library that is loaded into it finds out, and ends the
/// program before its `main()`.
struct ProgramProbe {
    /// Nil if the program has nothing that can be recorded.
    let guest: RecordGuest?
    let hasFoundation: Bool
    let isFoundationStatic: Bool

    /// It ended otherwise than by the library.
    struct Failure: Error {
        let reason: String
    }

    /// - Throws: `RecordingError` if nothing can be recorded here, and `Failure`.
    init(_ program: RecordableProgram) throws {
        // It reports of logs and deadlines, and this program has neither.
        let host = try RecordHost(tasks: true) { _ in }
        let output = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(output) }
        let ending = Result {
            try program.run(environment: host.environment(isProbe: true), output: output) {
                host.serve(until: $0)
            }
        }
        let processes = host.finish(try? ending.get())
        let ended = try ending.get()
        let code = Int(ended.exitCode)
        let isProbed = ended.signalNumber == 0 && code & RECORD_PROBE_MASK == RECORD_PROBE_EXIT
        guard isProbed else {
            throw Failure(
                reason: ended.signalNumber == 0
                    ? "it does not start (exit code \(code))"
                    : "it does not start (signal \(ended.signalNumber))")
        }
        guest = processes.last
        hasFoundation = code & RECORD_PROBE_FOUNDATION != 0
        isFoundationStatic = code & RECORD_PROBE_STATIC != 0
    }
}
