import EventLog
import Foundation
import Inspector
import Synchronization

/// One line on standard error about what takes so long. It appears after a second, only on a terminal, and is
/// removed before anything else is printed.
enum Progress {
    private static let delay = Duration.seconds(1)
    private static let interval = DispatchTimeInterval.milliseconds(200)

    private struct Work {
        var name: String
        let start = ContinuousClock.now
        var isShown = false
    }

    private static let work = Mutex<Work?>(nil)

    /// Sets what the program is doing, such as `reading trace.json`. The time continues.
    static func begin(_ name: String) {
        guard isatty(STDERR_FILENO) == 1, ProcessInfo.processInfo.environment["TERM"] != "dumb" else {
            return
        }
        let isFirst = work.withLock { work in
            if work == nil {
                work = Work(name: name)
                return true
            }
            work?.name = name
            return false
        }
        if isFirst { showLater() }
    }

    static func end() {
        work.withLock { current in
            if current?.isShown == true { StandardError.write("\r\u{1B}[K") }
            current = nil
        }
    }

    /// `opviz: reading trace.json, 3 s`, in at most `columns` columns.
    static func text(_ name: String, seconds: Int64, columns: Int) -> String {
        let time = ", \(seconds) s"
        let room = max(0, columns - "opviz: ".count - time.count - 1)
        return "opviz: " + TerminalText.shortened(name, toColumns: room) + time
    }

    private static func showLater() {
        DispatchQueue.global().asyncAfter(deadline: .now() + interval) {
            let goesOn = work.withLock { current in
                guard let start = current?.start, let name = current?.name else { return false }
                let elapsed = ContinuousClock.now - start
                if elapsed >= delay {
                    current?.isShown = true
                    let columns = Console.width(of: STDERR_FILENO) ?? 80
                    StandardError.write(
                        "\r" + text(name, seconds: elapsed.components.seconds, columns: columns) + "\u{1B}[K")
                }
                return true
            }
            if goesOn { showLater() }
        }
    }
}
