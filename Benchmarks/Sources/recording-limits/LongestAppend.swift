#if os(Linux)
    import Foundation
    @_spi(Measuring) import Ops

    /// How long one append may hold a program up, on a disk that another process fills meanwhile.
    ///
    /// The scheduler, and on a virtual machine its host, take the processor away from any program: so the
    /// same is measured with nothing but the clock being read, for as long, and an append that waited of its
    /// own is told apart.
    enum LongestAppend {
        private static let events = 10_000_000
        private static let rounds = 5
        private static let limit = 1_000_000

        static func report() throws {
            let name =
                "longest single append, \(rounds) × 10 million events while another process writes the "
                + "disk full"
            guard let disk = SmallDisk() else {
                RecordingLimits.row(
                    name, "not measured", limit: "1 ms", holds: nil,
                    "takes the rights of root, or a small file system in \(SmallDisk.variable)")
                return
            }
            var appends = Gaps()
            var control = Gaps()
            var dropped: UInt64 = 0
            for _ in 0..<rounds {
                let start = DispatchTime.now().uptimeNanoseconds
                dropped += try whileFilling(disk) { try appendAll(to: disk.log, &appends) }
                let duration = DispatchTime.now().uptimeNanoseconds - start
                _ = try whileFilling(disk) { control.take(nanoseconds: duration) {} }
            }
            RecordingLimits.row(
                name, text(appends.longest), limit: "1 ms", holds: appends.longest <= limit,
                beside(appends)
                    + "; \(dropped) events found no room")
            RecordingLimits.row(
                "— where the append waited for something, or was given a page", text(appends.own.longest),
                limit: "1 ms", holds: appends.own.longest <= limit, "\(appends.own.count) took more than 5 µs"
            )
            RecordingLimits.row(
                "— the same loop, only reading the clock", text(control.longest), limit: "", holds: nil,
                beside(control))
        }

        private static func beside(_ gaps: Gaps) -> String {
            "99.999 % took at most \(text(gaps.quantile(0.99999))); interrupted by the scheduler "
                + "\(gaps.scheduler.count) times, up to \(text(gaps.scheduler.longest)); by the machine "
                + "\(gaps.machine.count) times, up to \(text(gaps.machine.longest))"
        }

        private static func whileFilling<Result>(_ disk: SmallDisk, _ body: () throws -> Result) throws
            -> Result
        {
            disk.clear()
            let filling = try disk.fill()
            defer {
                filling.waitUntilExit()
                disk.clear()
            }
            return try body()
        }

        /// - Returns: how many found no room.
        private static func appendAll(to path: String, _ gaps: inout Gaps) throws -> UInt64 {
            let recorder = Recorder()
            try recorder.start(writingTo: path)
            guard let append = recorder.transitionAppender else { return 0 }
            gaps.take(events, append)
            let dropped = recorder.droppedEvents
            // Throws because there was not enough room for some events, as expected here.
            try? recorder.stop()
            return dropped
        }

        private static func text(_ nanoseconds: Int) -> String {
            String(format: "%.1f µs", Double(nanoseconds) / 1_000)
        }
    }
#endif
