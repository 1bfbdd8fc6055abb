import Foundation
import Inspector
import Testing

/// The replacements for methods are compiled in, in a fixed number. A program may have more implementations
/// than that. It runs as a separate program, because it leaves no replacements for other tests.
@Suite("Operations of more types than there are replacements for")
struct TypeFloodTests {
    /// As in interposition.c.
    private static let pool = 512
    /// As in TypeFlood.swift: the number of types, and of pairs of them; and the number of classes that share
    /// nothing.
    private static let (types, own) = (175, 540)

    private func flood() throws -> Trace {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let program = Process()
        program.executableURL = CrashTests.products.appending(path: "TypeFlood")
        program.arguments = [path]
        try program.run()
        program.waitUntilExit()
        #expect(program.terminationReason == .exit && program.terminationStatus == 0)
        return try TraceReader(path: path).read()
    }

    /// Its finish may still be an interval: another thread asked for it while the one on which it finished
    /// was interrupted for long.
    private func isExact(_ operation: TracedOperation) -> Bool {
        [operation.ready, operation.executing].allSatisfy { $0?.isExact == true }
    }

    private func isInterval(_ operation: TracedOperation) -> Bool {
        [operation.executing, operation.finished].allSatisfy { $0?.isExact == false }
    }

    @Test("operations of more types than replacements are logged correctly, some as intervals")
    func flooded() throws {
        let trace = try flood()
        #expect(trace.losses == [])
        let kinds = Set(trace.operations.map(\.kind))
        #expect(kinds.count == Self.types * Self.types + Self.own + Self.types)
        #expect(trace.operations.count == kinds.count + Self.own, "each of its own classes twice")
        let incomplete = trace.operations.filter { operation in
            operation.enqueued?.isExact != true || operation.ready == nil || operation.executing == nil
                || operation.finished == nil || operation.outcome != .succeeded
        }
        #expect(incomplete.map(\.displayName) == [])
        expectTrue(trace)
        expectReplacementsUsed(trace)
    }

    /// Checks that the log of an operation agrees with the operation's own marks.
    private func expectTrue(_ trace: Trace) {
        let marks = Dictionary(trace.marks.map { ($0.text, $0) }, uniquingKeysWith: { first, _ in first })
        #expect(trace.marks.count == trace.operations.count && marks.count == trace.marks.count)
        let wrong = trace.operations.indices.filter { index in
            let operation = trace.operations[index]
            guard let mark = operation.name.flatMap({ marks[$0] }), let enqueued = operation.enqueued,
                let ready = operation.ready, let executing = operation.executing,
                let finished = operation.finished
            else { return true }
            let isOwn = mark.operation == index || (mark.operation == nil && !isExact(operation))
            let begins = [enqueued.notBefore, ready.notBefore, executing.notBefore]
            return !isOwn || begins.contains { $0 > mark.time } || finished.notAfter < mark.time
                || (executing.isExact && ready.notBefore > executing.notAfter)
                || (!executing.isExact && executing.notBefore < enqueued.notAfter)
        }
        #expect(wrong.map { trace.operations[$0].displayName } == [])
    }

    private func expectReplacementsUsed(_ trace: Trace) {
        func group(_ name: String) -> [TracedOperation] {
            trace.operations.filter { $0.name?.hasPrefix(name + " ") == true }
        }
        // Those that are seen from outside have intervals; nothing is in between.
        let halves = trace.operations.filter { isExact($0) == isInterval($0) }
        #expect(halves.map(\.displayName) == [])
        let interrupted = trace.operations.count { isExact($0) && $0.finished?.isExact == false }
        #expect(interrupted < 20)
        let exact = group("own").filter(isExact).map(\.kind)
        guard Observation.isOfClasses else {
            #expect(trace.operations.filter(isExact).count == 0)
            return
        }
        // Generic classes share one implementation, however many types are made of them.
        #expect(group("work").allSatisfy(isExact))
        #expect(exact.count > Self.pool - 16 && exact.count < Self.pool)
        #expect(exact == group("own").prefix(exact.count).map(\.kind), "the first ones")
        #expect(group("again").filter(isExact).map(\.kind) == exact)
        #expect(group("late").count == Self.types && group("late").allSatisfy(isInterval))
    }
}
