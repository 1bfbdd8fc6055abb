import Foundation

extension RecordableProgram {
    /// How the program ended.
    package struct Ending {
        package let status: Int32

        package init(status: Int32) { self.status = status }

        package var isSuccess: Bool { status == 0 }

        package var signalNumber: Int32 { status & 0x7f }

        package var exitCode: Int32 { status >> 8 & 0xff }

        /// Ends this process in the same way.
        package func follow() -> Never {
            guard signalNumber != 0 else { exit(exitCode) }
            // The program itself has left its core file, if any; this process must not leave another.
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            #if os(Linux)
                setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
            #else
                setrlimit(RLIMIT_CORE, &none)
            #endif
            signal(signalNumber, SIG_DFL)
            kill(getpid(), signalNumber)
            exit(128 + signalNumber)
        }
    }
}
