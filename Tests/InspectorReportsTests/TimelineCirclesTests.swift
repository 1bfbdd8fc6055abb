import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite("Circles of waits, in a timeline")
struct TimelineCirclesTests: CircleVocabulary {
    private func picture(_ events: [Event]) -> TimelinePicture {
        TimelinePicture(TraceAnalysis(trace(events)), width: 700)
    }

    /// Three operations that depend on each other, and one that is only stuck behind them.
    private var dependencies: [Event] {
        let operations = (1...4).map { OperationID($0) }
        let long = "decode the picture that has a very long name, and so would reach to the arrows"
        return zip(["resize", "upload", long, "index"], [1, 2, 0, 2]).enumerated().flatMap { number, one in
            added(1, operations[number], one.0, to: uploads, after: [operations[one.1]])
        }
    }

    @Test("members are outlined, an arrow leads from each to what it waits for, and no name is below arrows")
    func golden() throws {
        let svg = picture(dependencies).svg
        // With the sample in the legend.
        #expect(svg.matches(of: #/class="circle"/#).count == 4)
        #expect(svg.matches(of: #/class="hop"/#).count == 3)
        #expect(svg.contains(">circle of waits</text>"))
        #expect(svg.contains("circle of waits: waits for upload"))
        try Golden("timeline-circle.svg").expect(svg)
    }

    @Test("a circle that leads through a task has arrows between lanes of queues and executors")
    func task() {
        let svg = picture(mainActorCircle()).svg
        #expect(svg.matches(of: #/class="circle"/#).count == 4)
        #expect(svg.matches(of: #/class="hop"/#).count == 3)
        #expect(svg.contains("circle of waits: waits for show()"))
    }

    @Test("a window that the circle has begun in has its arrows, whatever the rest of the run does later")
    func window() {
        var events = dependencies
        for number in 0..<3 as Range<Int64> {
            let operation = OperationID(UInt64(number) + 7)
            events += added(10 * number, operation, "later", to: QueueID(9))
            events += [
                (10 * number, 5, .executing(operation)),
                (10 * number + 10, 5, .finished(operation, .succeeded)),
            ]
        }
        events.sort { $0.0 < $1.0 }
        func hops(_ window: Range<Int64>) -> Int {
            var options = TimelineOptions()
            options.window = window
            return TimelinePicture(TraceAnalysis(trace(events)), options, width: 700).svg
                .matches(of: #/class="hop"/#).count
        }
        #expect(hops(0..<15_000_000) == 3)
    }

    @Test("a run without a circle has neither outlines nor their entry in the legend")
    func none() {
        var events = added(0, OperationID(1), "load", to: uploads)
        events.append((1, 2, .executing(OperationID(1))))
        let svg = picture(events).svg
        #expect(!svg.contains("circle") && !svg.contains("hop"))
    }

    @Test("of a large circle, 50 arrows are drawn, and a note counts the others")
    func large() {
        let count: UInt64 = 60
        var events: [Event] = [(0, 1, .queueOpened(QueueID(9), name: "wide", limit: 60, isSuspended: false))]
        for number in 1...count {
            let operation = OperationID(number)
            events += added(0, operation, "step \(number)", to: QueueID(9))
            events.append((1, number + 1, .executing(operation)))
            events.append(
                (2, number + 1, .waitBegan(.operation(OperationID(number % count + 1)), by: operation)))
        }
        let picture = picture(events)
        #expect(picture.svg.matches(of: #/class="hop"/#).count == 50)
        #expect(picture.omission?.contains("10 waits in circles have no arrow") == true)
    }
}
