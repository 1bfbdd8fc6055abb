import Foundation

/// The names of the signals that end programs.
package enum SignalName {
    private static let names: [Int32: String] = [
        SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
        SIGSYS: "SIGSYS", SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGUSR1: "SIGUSR1",
        SIGUSR2: "SIGUSR2", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
    ]

    /// `SIGINT`; `signal 40` for one without a name.
    package static func text(_ number: Int32) -> String { names[number] ?? "signal \(number)" }

    /// `ended by SIGINT; the trace is complete until then`.
    package static func ending(_ number: Int32, isComplete: Bool) -> String {
        "ended by \(text(number))" + (isComplete ? "; the trace is complete until then" : "")
    }
}
