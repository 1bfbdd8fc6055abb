#if os(Linux)
    import CRecorder
    import Testing

    @Suite("The check of the runtime before tasks are recorded")
    struct TaskLayoutTests {
        /// The members of `task_layout` in Sources/CRecorder/task_runtime.h, in their order: those of the
        /// task, and two of the record of what it waits for.
        private struct Layout: Equatable {
            var offsets: [UInt16] = [0x20, 0x24, 0x38, 0x40, 0x50, 0x60, 0xa0, 0x10, 0x20, 0xd0]
            var isCancelled: UInt64 = 0x100
            var isComplete: UInt64 = 0x2000

            var fits: Bool { recorder_tasks_fit(offsets, isCancelled, isComplete) }

            /// Moves one of the places or flags.
            mutating func shift(_ generator: inout some RandomNumberGenerator) {
                let member = Int.random(in: 0..<offsets.count + 2, using: &generator)
                switch member {
                case offsets.count: isCancelled = 1 << UInt64.random(in: 0..<32, using: &generator)
                case offsets.count + 1: isComplete = 1 << UInt64.random(in: 0..<32, using: &generator)
                default:
                    let last: UInt16 = member == 7 || member == 8 ? 0x20 : 0xe8
                    offsets[member] = UInt16.random(in: 0...last / 4, using: &generator) * 4
                }
            }
        }

        @Test("tasks of our own show that the runtime is known, and none of 1,000 others is taken for it")
        func layouts() {
            #expect(recorder_observe_tasks(nil) == TASKS_ARE_OBSERVED)
            #expect(Layout().fits)
            var generator = SystemRandomNumberGenerator()
            for _ in 0..<1000 {
                var layout = Layout()
                for _ in 0..<Int.random(in: 1...3, using: &generator) { layout.shift(&generator) }
                #expect(layout == Layout() || !layout.fits, "\(layout)")
            }
        }
    }
#endif
