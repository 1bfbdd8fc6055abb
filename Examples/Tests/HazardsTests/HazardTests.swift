import Foundation
import Inspector
import Testing

@testable import hazards

/// Serialized: each test starts one or two processes.
@Suite("Operations and tasks as they go wrong", .serialized)
struct HazardTests {
    @Test(
        "wrong operations leave their evidence in the trace only when done wrong", arguments: Evidence.all)
    func evidence(_ evidence: Evidence) async throws {
        let wrong = try await HazardRun(evidence.id, "wrong")
        #expect(evidence.isIn(wrong), "\(wrong.verdict)")
        let right = try await HazardRun(evidence.id, "right")
        #expect(!evidence.isIn(right), "\(right.verdict)")
    }

    @Test("wrong operations are seen by the program if no trace can show it", arguments: Evidence.inNoTrace)
    func unseen(id: String, verdict: String) async throws {
        let wrong = try await HazardRun(id, "wrong")
        #expect(wrong.status == 1)
        #expect(wrong.verdict == verdict)
        #expect(wrong.trace.operations.allSatisfy { $0.outcome == .succeeded })
    }

    @Test(
        "wrong operations exit with 1 if they see it, and crash if Foundation does",
        arguments: HazardProgram.all)
    func wrong(_ program: HazardProgram) async throws {
        let run = try await HazardRun(program.id, "wrong")
        if program.id == "cancel-calls-finish" {
            #expect(run.status == 1 || [-SIGSEGV, -SIGABRT, -SIGBUS, -SIGILL, -SIGTRAP].contains(run.status))
        } else {
            #expect(run.status == 1, "\(run.verdict)")
            #expect(!run.verdict.isEmpty)
            #expect(run.trace.losses == [])
        }
    }

    @Test("done right exit with 0, and every operation finishes", arguments: HazardProgram.all)
    func right(_ program: HazardProgram) async throws {
        let run = try await HazardRun(program.id, "right")
        #expect(run.status == 0, "\(run.verdict)")
        #expect(run.trace.losses == [])
        #expect(!run.trace.operations.isEmpty || !run.trace.tasks.isEmpty)
        // The task that all others are in says that it has ended just before it does.
        #expect(run.trace.tasks.entries.count { $0.finished == nil } <= 1)
        for operation in run.trace.operations {
            #expect(operation.finished != nil, "\(operation.displayName)")
            #expect(!happened(operation.cancelled, before: operation.executing), "\(operation.displayName)")
        }
        #expect(run.trace.blockingWaits.allSatisfy { $0.end != nil })
    }

    @Test("are thirty, each with evidence in its trace or a reason why it leaves none")
    func complete() async throws {
        let ids = HazardProgram.all.map(\.id)
        #expect(ids.count == 30)
        #expect((Evidence.all.map(\.id) + Evidence.inNoTrace.map(\.id)).sorted() == ids.sorted())
        let list = try await HazardRun.program(["list"])
        #expect(list.status == 0)
        #expect(list.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) } == ids)
        #expect(try await HazardRun.program(["no-such-row"]).status == 64)
    }
}

extension HazardProgram: CustomTestStringConvertible {
    public var testDescription: String { id }
}
