import Foundation
import Ops

extension HazardProgram {
    /// Between two flags that are set one after the other without a lock, another thread sees neither
    /// executing nor finished. (It is also a data race, which the thread sanitizer reports.)
    static let stateWithoutLock = HazardProgram(
        id: "state-without-lock",
        summary: "state without a lock: neither executing nor finished, seen from outside",
        wrong: {
            for round in 1...100 where isTorn(HandWrittenSave("save \(round)")) {
                return .wentWrong("begun, and neither executing nor finished: save \(round)")
            }
            return .didItsJob("not seen: one of executing and finished, always")
        },
        right: {
            for round in 1...20 where isTorn(Save("save \(round)")) {
                return .wentWrong("begun, and neither executing nor finished: save \(round)")
            }
            return .didItsJob("one of executing and finished, always")
        })

    /// Looks at an operation without a pause while it runs. An operation that had begun and executes no
    /// longer has finished: asked in this order, that holds also when it finishes between the questions.
    private static func isTorn(_ save: Operation) -> Bool {
        let queue = InstrumentedQueue()
        queue.name = "saves"
        queue.addOperation(save)
        let deadline = Date() + longEnough
        while !save.isExecuting && !save.isFinished && Date() < deadline {}
        while save.isExecuting && Date() < deadline {}
        var isTorn = !save.isFinished
        if isTorn {
            Recorder.shared.mark("neither executing nor finished")
            // A thread that was preempted may write its mark after the operation has finished: that shows
            // nothing.
            isTorn = !save.isFinished
        }
        _ = queue.isEmpty()
        return isTorn
    }
}

private final class HandWrittenSave: Operation, @unchecked Sendable {
    // No lock, and that is the point: both are written by the thread of the queue and read by any.
    private var hasBegun = false
    private var hasEnded = false

    init(_ name: String) {
        super.init()
        self.name = name
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { hasBegun }
    override var isFinished: Bool { hasEnded }

    override func start() {
        willChangeValue(for: \.isExecuting)
        hasBegun = true
        didChangeValue(for: \.isExecuting)
        save()
        willChangeValue(for: \.isExecuting)
        hasBegun = false
        didChangeValue(for: \.isExecuting)
        tidyUp()
        willChangeValue(for: \.isFinished)
        hasEnded = true
        didChangeValue(for: \.isFinished)
    }
}

private final class Save: AsynchronousOperation, @unchecked Sendable {
    init(_ name: String) {
        super.init()
        self.name = name
    }

    override func main() {
        save()
        tidyUp()
        finish()
    }
}

/// Long enough for the other thread to see the state between.
private func save() { usleep(5000) }
private func tidyUp() { usleep(2000) }
