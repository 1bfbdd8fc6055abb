import Foundation
import Ops

/// Records Swift tasks until it is killed: four chains, in each of which a task awaits the next one. Each
/// task of a chain says that it runs, as `Victim` says that a mark is recorded: its number, and in the lowest
/// byte that of the chain. Its name has both.
enum EndlessTasks {
    static func run(writingTo path: String) throws {
        let recorder = Recorder.shared
        try recorder.start(writingTo: path)
        guard recorder.observeTasks() else { exit(1) }
        for chain in 0..<4 {
            Task.detached {
                var number = 0
                while true {
                    number += 1
                    await Task.detached(name: "\(chain) \(number)") { [number] in
                        var report = UInt64(number << 8 | chain).littleEndian
                        if write(STDOUT_FILENO, &report, 8) != 8 { exit(0) }
                    }.value
                }
            }
        }
        while true { sleep(100) }
    }
}
