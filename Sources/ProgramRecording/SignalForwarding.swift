import Foundation
import Synchronization

/// Forwards signals that are sent to opviz to the program.
///
/// Signals from a terminal reach the program directly, because it is in the same process group.
package enum SignalForwarding {
    static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGCONT]
    private static let target = Atomic<Int32>(0)
    /// The last signal that asks a program to end; 0 for none.
    private static let ending = Atomic<Int32>(0)

    /// A signal that asked this process or its program to end; nil if there was none.
    package static var received: Int32? {
        let number = ending.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Restores the default action of the signals.
    package static func end() {
        for number in signals where !ignoredBefore.contains(number) { signal(number, SIG_DFL) }
    }

    /// Signals that this process was started with as ignored, for example by nohup. They stay ignored, here
    /// and in the program.
    static let ignoredBefore: [Int32] = signals.filter(isIgnored)

    /// Signals that would end this process when a write fails. They are ignored from now on, so that the
    /// write returns an error. Programs that are started get the original actions.
    package static let ignoredForWrites: [Int32] = [SIGPIPE, SIGXFSZ].filter { number in
        guard !isIgnored(number) else { return false }
        signal(number, SIG_IGN)
        return true
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if os(Linux)
            let handler = action.__sigaction_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    package static func begin() {
        for number in signals where !ignoredBefore.contains(number) {
            var action = sigaction()
            let handler:
                @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void = {
                    number, information, _ in
                    if number == SIGINT || number == SIGQUIT || number == SIGTERM || number == SIGHUP {
                        SignalForwarding.ending.store(number, ordering: .relaxed)
                    }
                    let process = SignalForwarding.target.load(ordering: .relaxed)
                    // The kernel sends a terminal's signals to the whole group. A signal from a process was
                    // sent only to this process.
                    guard process > 0, let information, information.pointee.si_code <= 0 else { return }
                    kill(process, number)
                }
            #if os(Linux)
                action.__sigaction_handler.sa_sigaction = handler
            #else
                action.__sigaction_u.__sa_sigaction = handler
            #endif
            action.sa_flags = Int32(SA_SIGINFO | SA_RESTART)
            sigaction(number, &action, nil)
        }
    }

    static func forward(to process: Int32) { target.store(process, ordering: .relaxed) }
}
