import Foundation
import Ops

/// Records marks on several threads, as fast as it can, and says of each when its recording has returned: eight bytes
/// on standard output, the thread in the lowest and the number of the mark in the others.
///
///     RecordingVictim LOG THREADS [LIMIT]
@main
struct Victim {
    static func main() throws {
        let arguments = CommandLine.arguments
        let recorder = Recorder()
        try recorder.start(writingTo: arguments[1])
        for thread in 0..<(Int(arguments[2]) ?? 1) {
            Thread.detachNewThread { mark(recorder, UInt64(thread)) }
        }
        while true { sleep(100) }
    }

    private static func mark(_ recorder: Recorder, _ thread: UInt64) {
        var number: UInt64 = 0
        while true {
            number += 1
            recorder.mark("\(thread) \(number % 1000)")
            var report = (number << 8 | thread).littleEndian
            guard write(STDOUT_FILENO, &report, 8) == 8 else { return }
        }
    }
}
