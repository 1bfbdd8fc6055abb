#if os(Linux)
    import Foundation
    import Ops
    import Synchronization

    /// A kernel in which a thread waits for a processor exactly when it is told to: right before or after the
    /// scheduler's statistics are read.
    enum Interruptions {
        private struct State {
            var isOn = false
            /// Nanoseconds for which threads have waited.
            var waited = 0
            /// How long the thread waits at its next reading, and whether at all others, too.
            var next = 0
            var areAll = false
        }

        private static let state = Mutex(State())

        /// Reads as the system does, except for the statistics.
        static func read(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ size: Int, _ place: Int) -> Int {
            // 63 bytes from the start: that is how a recorder reads the statistics.
            let wait = size == 63 && place == 0 ? state.withLock { $0.isOn ? $0.next : nil } : nil
            guard let wait else {
                var whole = iovec(iov_base: bytes, iov_len: size)
                return preadv(file, &whole, 1, place)
            }
            if wait > 0 { usleep(UInt32(wait / 1_000)) }
            let waited = state.withLock { state in
                state.waited += wait
                if !state.areAll { state.next = 0 }
                return state.waited
            }
            let text = "1 \(waited) 1\n"
            bytes.copyMemory(from: text, byteCount: text.utf8.count)
            return text.utf8.count
        }

        /// Executes operations that wait 1 ms at their begin and 3 ms at their end.
        static func run(areAll: Bool) {
            let queue = InstrumentedQueue()
            for number in 0..<10 {
                state.withLock { state in
                    state = State(isOn: true, waited: state.waited, next: 1_000_000, areAll: areAll)
                }
                let operation = Interrupted(name: "\(number)") {
                    usleep(5_000)
                    state.withLock { $0.next = 3_000_000 }
                }
                queue.addOperations([operation], waitUntilFinished: true)
            }
        }

        private final class Interrupted: SynchronousOperation<Void>, @unchecked Sendable {}
    }

    /// In place of the C library's, for all of this program.
    @_cdecl("pread")
    public func interruptedRead(
        _ file: Int32, _ bytes: UnsafeMutableRawPointer, _ size: Int, _ place: Int
    ) -> Int { Interruptions.read(file, bytes, size, place) }
#endif
