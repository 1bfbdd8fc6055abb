import EventLog
import InspectorHazards
import InspectorTraces
import TestTraces
import Testing

@Suite("Hazards of operations that never end")
struct HazardEndingTests {
    @Test("never-finished names the operation that others wait for, and the waiting ones")
    func neverFinished() throws {
        let stuck = trace(lastAlive: ms(500)) {
            op("A", ready: 0, start: ms(1))
            op("B").after("A")
            op("C").after("B")
        }
        let finding = try #require(findings("never-finished", in: stuck).first)
        #expect(findings("never-finished", in: stuck).count == 1)
        #expect(finding.severity == .error)
        #expect(finding.operations == [0, 1, 2])
        #expect(finding.cost == ms(499))
        #expect(finding.summary.hasPrefix("A is still executing"))
        #expect(finding.summary.contains("stuck behind it: 2 operations (B, C)"))
    }

    /// Two that need the same key, and what depends on the one that waits for it.
    private func keys(_ mark: String) -> Trace {
        trace(lastAlive: ms(500)) {
            op("save 1", ready: 0, start: ms(1))
            op("save 2", ready: 0, start: ms(2))
            op("report").after("save 2")
        }.with { $0.marks = [TraceMark(time: ms(2), thread: 12, text: mark, operation: 1)] }
    }

    @Test("never-finished knows who waits for an exclusion key, and behind whom")
    func key() throws {
        let found = findings("never-finished", in: keys("waits for the key store: save 1 comes first"))
        #expect(found.map(\.operations) == [[0, 1, 2]])
        #expect(found.first?.summary.contains("stuck behind it: 2 operations (save 2, report)") == true)
        // An operation that has finished, does not exist, or is the operation itself does not block it, and
        // neither does another mark.
        for mark in [
            "waits for the key store: save 3 comes first", "waits for the key store: save 2 comes first",
            "waits for the key : comes first", "waits for the key  comes first", "save 1 comes first",
        ] {
            #expect(
                findings("never-finished", in: keys(mark)).map(\.operations) == [[1, 2], [0]], "\(mark)")
        }
    }

    @Test("never-finished shows the last mark of the operation")
    func lastMark() throws {
        let finding = try #require(findings("never-finished", in: keys("connects\u{1b}[2J")).first)
        #expect(finding.evidence.contains { $0.time == ms(2) && $0.text.hasPrefix("save 2 said: connects") })
        #expect(finding.evidence.allSatisfy { !$0.text.contains("\u{1b}") })
    }

    @Test(
        "never-finished names an operation that never notified its queue, and the calls that do")
    func unnotified() throws {
        func upload(asked: Int64) -> Trace {
            trace(lastAlive: ms(500)) {
                op("upload 1", ready: 0, start: ms(1))
                op("report").after("upload 1")
            }.with("upload 1") { $0.unnotifiedFinish = TraceMoment(asked) }
        }
        let finding = try #require(findings("never-finished", in: upload(asked: ms(40))).first)
        #expect(
            finding.summary.hasPrefix(
                "upload 1 is finished, but never notified its queue; stuck behind it"))
        #expect(finding.advice.hasPrefix("call willChangeValue and didChangeValue for isFinished"))
        #expect(
            finding.evidence.contains { $0.time == ms(40) && $0.text.contains("answered true to isFinished") }
        )
        // The notification may have been on its way.
        let late = try #require(findings("never-finished", in: upload(asked: ms(495))).first)
        #expect(late.summary.hasPrefix("upload 1 is still executing"))
    }

    @Test("never-finished reports a circle once, by its lowest operation")
    func circle() {
        let stuck = trace(lastAlive: ms(500)) {
            op("A").after("B")
            op("B").after("A")
            op("C").after("A")
        }
        let found = findings("never-finished", in: stuck)
        #expect(found.map(\.operations) == [[0, 1, 2]])
        #expect(
            found.first?.summary.hasPrefix(
                "deadlock: A → B → A (each waits for the next)")
                == true)
    }

    @Test("never-finished says of a parent that its children have finished, and when it left its body")
    func parent() throws {
        let found = findings("never-finished", in: group(finished: nil, cancelled: false))
        #expect(found.first?.summary.hasSuffix(", though its child has finished") == true)
        #expect(found.first?.evidence.contains { $0.time == 5 && $0.text == "group left its body" } == true)
        let going = group(finished: nil, cancelled: false).with("step") { $0.finished = nil }
        #expect(findings("never-finished", in: going).allSatisfy { !$0.summary.contains("though") })
    }

    @Test("never-finished reports operations that nothing started once per queue, as a warning")
    func neverStarted() {
        let idle = trace(suspensions: [0..<ms(500)], lastAlive: ms(500)) {
            for index in 0..<9 { op("\(index)", ready: 0) }
        }
        let found = findings("never-finished", in: idle)
        #expect(found.map(\.severity) == [.warning])
        #expect(
            found.first?.summary
                == "queue main has been suspended for 500 ms; waiting in it: 9 operations (0, 1, 2, 3 and 5 "
                + "more)"
        )
        #expect(found.first?.advice == "set isSuspended of the queue to false")
    }

    @Test("never-finished counts what waits in a suspended queue apart from what waits behind it elsewhere")
    func behindSuspended() {
        let idle = trace(suspensions: [0..<ms(500)], lastAlive: ms(500)) {
            for index in 0..<2 { op("\(index)", ready: 0) }
            op("index").after("0", "1")
        }.with("index") { $0.queue = 1 }.with { $0.queues.append(TracedQueue(id: QueueID(2), name: "other")) }
        #expect(
            findings("never-finished", in: idle).first?.summary
                == "queue main has been suspended for 500 ms; waiting in it: 2 operations (0, 1); "
                + "behind it: 1 operation (index)")
    }

    @Test("never-finished does not report operations added just before the program was killed")
    func aboutToStart() {
        func killed(at end: Int64, isClosed: Bool = false) -> Trace {
            var killed = trace(lastAlive: end) { op("A", ready: ms(1)) }
            killed.header.isClosed = isClosed
            return killed
        }
        #expect(findings("never-finished", in: killed(at: ms(2))).isEmpty)
        #expect(findings("never-finished", in: killed(at: ms(200))).count == 1)
        #expect(findings("never-finished", in: killed(at: ms(2), isClosed: true)).count == 1)
    }

    @Test("never-finished finds nothing when all have finished, and cannot decide if events were dropped")
    func allFinished() {
        let whole = trace { op("A", ready: 0, start: 1, finish: 2) }
        #expect(findings("never-finished", in: whole).isEmpty)
        #expect(!isUndecided("never-finished", in: whole))
        let lossy = trace(dropped: 3) { op("A", ready: 0, start: 1) }
        #expect(findings("never-finished", in: lossy).isEmpty)
        #expect(isUndecided("never-finished", in: lossy))
    }

    /// What all rules together find.
    private func found(in trace: Trace) -> [String] {
        HazardReport(trace).groups.flatMap { group in group.findings.map { "\(group.rule): \($0.summary)" } }
    }

    @Test("one deadlock is one finding, from only one rule")
    func once() {
        #expect(
            found(in: groups(2, limit: 2)) == [
                "self-wait-deadlock: deadlock: group 0 blocks its thread until step 0 finishes, step 0 "
                    + "needs a slot of queue main (limit 2), and group 0 has one; stuck behind it: 2 "
                    + "operations (group 1, step 1)"
            ])
        let circle = trace(lastAlive: ms(500)) {
            op("A").after("B")
            op("B").after("A")
            op("C").after("A")
        }
        #expect(
            found(in: circle) == [
                "dependency-cycle: deadlock: A → B → A (each waits for the next); stuck behind it: "
                    + "1 operation (C)"
            ])
        // Asked alone, never-finished says it itself.
        #expect(findings("never-finished", in: circle).count == 1)
    }

    @Test("never-finished does not repeat an operation that another rule has explained")
    func explained() {
        let limbo = trace(limit: 1, lastAlive: ms(500)) {
            op("A", ready: 0)
            op("B", ready: 0)
        }.cancelling("A", at: 1)
        #expect(HazardReport(limbo).groups.map(\.rule) == ["limbo"])
        // Alone, the rule still finds what the other one explains; it has no number then.
        let alone = HazardReport(limbo, rules: ["never-finished"]).numbered(like: HazardReport(limbo))
        #expect(alone.groups.map(\.rule) == ["never-finished"])
        #expect(alone.groups.first?.findings.first?.number == nil)
        #expect(
            HazardReport(limbo).groups.first?.findings.first?.summary.hasSuffix(
                "; stuck behind it: 1 operation (B)") == true)
        let lost = group(finished: nil, cancelled: true)
        #expect(HazardReport(lost).groups.map(\.rule) == ["lost-finisher"])
        let idle = trace(lastAlive: ms(500)) { op("A", ready: 1) }
        #expect(HazardReport(idle).groups.map(\.rule) == ["ready-not-started"])
    }

    @Test("never-finished tells only an operation whose body has returned to call finish()")
    func adviceOnFinish() throws {
        let hung = trace(lastAlive: ms(9000)) { op("upload", ready: 0, start: ms(1)) }
        let inBody = try #require(findings("never-finished", in: hung).first)
        #expect(inBody.advice == "find out what its body waits for or calculates, or give it a timeout")
        let returned = try #require(
            findings("never-finished", in: hung.leavingBody("upload", at: ms(2))).first)
        #expect(returned.advice.contains("ends in finish()"))
        #expect(
            returned.summary
                == "upload is still executing, 9.00 s after its body returned")
    }

    @Test("never-finished says which added operation waits for the only slot, which its parent has")
    func childInItsSlot() throws {
        func summary(limit: Int) throws -> String {
            let stuck = trace(limit: limit, lastAlive: ms(9000)) {
                op("query 1", ready: 0, start: ms(1))
                op("query 2", enqueued: ms(2), ready: ms(2)).inside("query 1")
            }
            return try #require(findings("never-finished", in: stuck).first).summary
        }
        let words =
            "it holds the only slot of queue main, for which query 2 waits, which it added: a deadlock if it "
            + "waits for that"
        #expect(try summary(limit: 1).contains(words))
        #expect(try !summary(limit: 2).contains(words))
    }

    private func groups(_ count: Int, limit: Int) -> Trace {
        var groups = trace(limit: limit, lastAlive: ms(900)) {
            for index in 0..<count {
                op("group \(index)", ready: 0, start: ms(1))
                op("step \(index)", enqueued: ms(2), ready: ms(2)).inside("group \(index)")
            }
        }
        for index in 0..<count {
            groups = groups.waiting("group \(index)", for: "step \(index)", from: ms(3))
        }
        return groups
    }

    @Test("self-wait-deadlock is found where groups that wait for steps of their own queue have every slot")
    func deadlock() throws {
        let found = findings("self-wait-deadlock", in: groups(2, limit: 2))
        let finding = try #require(found.first)
        #expect(found.count == 1)
        #expect(finding.operations == [0, 1])
        #expect(finding.summary.contains("group 0 blocks its thread until step 0 finishes"))
        #expect(finding.summary.contains("stuck behind it: 2 operations (group 1, step 1)"))
        #expect(finding.cost == ms(897))
    }

    @Test("self-wait-deadlock is not found while a slot is free, or its holder may still finish")
    func noDeadlock() {
        #expect(findings("self-wait-deadlock", in: groups(2, limit: 3)).isEmpty)
        let mayEnd = groups(2, limit: 3).withDrafts {
            $0.append(op("busy", ready: 0, start: ms(1)).operation)
        }
        #expect(findings("self-wait-deadlock", in: mayEnd).isEmpty)
    }

    @Test("self-wait-deadlock is found across queues, and for a queue that the waiting operation is in")
    func acrossQueues() {
        let across = trace(lastAlive: ms(900)) {
            op("A", ready: 0, start: 1)
            op("B", ready: 0, start: 1)
        }.waiting("A", for: "B", from: 2).waiting("B", for: "A", from: 2)
        #expect(findings("self-wait-deadlock", in: across).map(\.operations) == [[0, 1]])
        let own = trace(lastAlive: ms(900)) { op("A", ready: 0, start: 1) }.with {
            $0.blockingWaits = [BlockingWait(target: .queue(0), operation: 0, thread: 1, start: 2)]
        }
        #expect(findings("self-wait-deadlock", in: own).map(\.operations) == [[0]])
    }

    @Test("dependency-cycle reports each circle once, without what comes after it")
    func cycle() {
        let circles = trace {
            op("A").after("C")
            op("B").after("A")
            op("C").after("B")
            op("D").after("C")
            op("E").after("F")
            op("F").after("E")
        }
        let found = findings("dependency-cycle", in: circles)
        #expect(found.map { $0.operations.sorted() } == [[0, 1, 2], [4, 5]])
        #expect(found.map(\.severity) == [.error, .error])
        #expect(
            found.first?.evidence.map(\.text).sorted() == [
                "A was enqueued; it depends on C", "B was enqueued; it depends on A",
                "C was enqueued; it depends on B",
            ])
        let ended = circles.withDrafts { drafts in
            for index in drafts.indices { drafts[index].finished = TraceMoment(9) }
        }
        #expect(findings("dependency-cycle", in: ended).map(\.severity) == [.warning, .warning])
        let diamond = trace {
            op("A")
            op("B").after("A")
            op("C").after("A")
            op("D").after("B", "C")
        }
        #expect(findings("dependency-cycle", in: diamond).isEmpty)
        #expect(
            findings(
                "dependency-cycle",
                in: trace {
                    op("A")
                    op("B").after("A")
                }
            ).isEmpty)
    }

    private func group(finished: Int64?, cancelled: Bool) -> Trace {
        let group = trace(lastAlive: ms(500)) {
            op("group", ready: 0, start: 1, finish: finished)
            op("step", enqueued: 2, ready: 2, start: 3, finish: ms(10)).inside("group")
        }.leavingBody("group", at: 5)
        return cancelled ? group.cancelling("step", at: ms(9)) : group
    }

    @Test("lost-finisher is found where the children are over, and the parent is not")
    func lostFinisher() {
        #expect(
            findings("lost-finisher", in: group(finished: nil, cancelled: true)).map(\.operations) == [
                [0, 1]
            ])
        #expect(findings("lost-finisher", in: group(finished: ms(11), cancelled: true)).isEmpty)
        let recent = group(finished: nil, cancelled: true).with("step") { $0.finished = TraceMoment(ms(450)) }
        #expect(findings("lost-finisher", in: recent).isEmpty)
        let waiting = group(finished: nil, cancelled: true).waiting("group", for: "step", from: 6)
        #expect(findings("lost-finisher", in: waiting).isEmpty)
        let inBody = group(finished: nil, cancelled: false).with("group") { $0.bodyEnded = nil }
        #expect(findings("lost-finisher", in: inBody).isEmpty)
    }

    @Test("limbo is found for an operation cancelled in an idle queue that never finished")
    func limbo() {
        let stuck = trace(limit: 1, lastAlive: ms(500)) {
            op("A", ready: 0)
            op("B", ready: 0)
        }.cancelling("A", at: 1)
        #expect(findings("limbo", in: stuck).map(\.operations) == [[0]])
        let busy = stuck.with("B") { $0.executing = TraceMoment(2) }
        #expect(findings("limbo", in: busy).isEmpty)
        let suspended = stuck.with { $0.queues[0].suspensions = [0..<ms(500)] }
        #expect(findings("limbo", in: suspended).isEmpty)
    }

    @Test("limbo is found where a body returned, but the operation never reported that it executes")
    func limboAfterBody() {
        func left(at time: Int64) -> Trace {
            trace(lastAlive: ms(500)) { op("A", ready: 0) }.leavingBody("A", at: time)
        }
        #expect(findings("limbo", in: left(at: 5)).map(\.cost) == [ms(500) - 5])
        #expect(findings("limbo", in: left(at: ms(450))).isEmpty)
    }

    @Test(
        "ready-not-started is found where a slot was free, the queue ran, and nothing started the operation")
    func readyNotStarted() {
        let idle = trace(lastAlive: ms(500)) { op("A", ready: 1) }
        #expect(findings("ready-not-started", in: idle).map(\.cost) == [ms(500) - 1])
        let suspended = idle.with { $0.queues[0].suspensions = [0..<ms(500)] }
        #expect(findings("ready-not-started", in: suspended).isEmpty)
        let busy = trace(lastAlive: ms(500)) {
            op("A", ready: 1)
            op("B", ready: 1, start: 1)
        }
        #expect(findings("ready-not-started", in: busy).isEmpty)
        #expect(isUndecided("ready-not-started", in: busy))
        #expect(isUndecided("ready-not-started", in: trace(lastAlive: ms(500)) { op("A") }))
    }
}
