import Foundation
import Inspector
import OpsTesting
import Testing

@Suite("Expectations of a run: a failure is a sentence with the numbers")
struct RunExpectationsTests {
    private func run() throws -> RecordedRun {
        try sketchedRun([
            Sketch(name: "a", kind: "Parse", start: 0, finish: 3_000_000),
            Sketch(name: "b", kind: "Parse", start: 1_000_000, finish: 2_000_000),
            Sketch(name: "c", kind: "Store", start: 2_500_000, finish: 4_000_000),
        ])
    }

    /// The sentence, without the place of the files.
    private func failure(_ body: (RecordedRun) -> Void) throws -> String? {
        let run = try run()
        let all = failures { body(run) }
        #expect(all.count <= 1)
        guard let lines = all.first?.split(separator: "\n") else { return nil }
        if let folder = lines.last?.split(separator: ": ").last, folder.hasPrefix("/") {
            try? FileManager.default.removeItem(atPath: String(folder))
        }
        return lines.filter { !$0.hasPrefix("the trace and its pictures: ") }.joined(separator: "\n")
    }

    @Test func `a broken budget fails with its numbers`() throws {
        #expect(try failure { $0.expectWithinBudget("makespan: 4ms") } == nil)
        #expect(
            try failure { $0.expectWithinBudget("[makespan: 3ms, {kind: Parse, max execution: 1ms}]") }
                == "makespan is 4.00 ms, 1.00 ms over the limit of 3.00 ms\n"
                + "max execution of Parse is 3.00 ms, 2.00 ms over the limit of 1.00 ms")
        #expect(
            try failure { $0.expectWithinBudget("{kind: Prase, count: 1}") }
                == "budgets:1: no operation of kind 'Prase'; did you mean 'Parse'?")
        #expect(
            try failure { $0.expectWithinBudget("makspan: 1s") }
                == "budgets:1: no limit named 'makspan'; did you mean 'makespan'?")
        #expect(
            try failure { $0.expectWithinBudget(file: "absent.yml") } == "absent.yml: no such file")
    }

    @Test func `a file of budgets is found beside the test`() throws {
        #expect(try failure { $0.expectWithinBudget(file: "budgets.yml") } == nil)
    }

    @Test func `an operation out of order fails with the times of both`() throws {
        #expect(try failure { $0.expectOrder("b", before: "c") } == nil)
        #expect(try failure { $0.expectOrder("Parse", before: "Store", .startBeforeStart) } == nil)
        #expect(
            try failure { $0.expectOrder("Parse", before: "Store") }
                == "c started at 2.50 ms, 500 µs before a had finished, at 3.00 ms")
        #expect(
            try failure { $0.expectOrder("Store", before: "b", .startBeforeStart) }
                == "b started at 1.00 ms, 1.50 ms before c had started, at 2.50 ms")
        #expect(
            try failure { $0.expectOrder("x", before: "b") }
                == "no operation named 'x'; the kinds are 'Parse' and 'Store'")
    }

    @Test func `an order with an operation that never finished fails`() throws {
        let run = try sketchedRun([
            Sketch(name: "a", start: 0), Sketch(name: "b", start: 5_000, finish: 6_000), Sketch(name: "c"),
        ])
        #expect(
            failures { run.expectOrder("a", before: "b") }.first?.hasPrefix(
                "b started at 5.00 µs, and a never finished")
                == true)
        #expect(failures { run.expectOrder("b", before: "c") }.isEmpty)
    }

    @Test func `concurrency over its limit fails, of all operations or of one kind`() throws {
        #expect(try failure { $0.expectConcurrency(atMost: 2) } == nil)
        #expect(try failure { $0.expectConcurrency(atMost: 1) } == "concurrency is 2, over the limit of 1")
        #expect(
            try failure { $0.expectConcurrency(atMost: 1, kind: "Parse") }
                == "concurrency of Parse is 2, over the limit of 1")
        #expect(try failure { $0.expectConcurrency(atMost: 1, kind: "Store") } == nil)
    }

    @Test func `a hazard fails with its finding`() throws {
        #expect(try failure { $0.expectNoHazards() } == nil)
        let stuck = try sketchedRun([
            Sketch(name: "a", start: 0), Sketch(name: "b", start: 1_000, finish: 900_000_000),
        ])
        let failure = try #require(failures { stuck.expectNoHazards() }.first)
        #expect(failure.hasPrefix("hazards of sketch: 1 error in 2 operations ("))
        #expect(failure.contains("\n\nerror: a is still executing"))
        #expect(failures { stuck.expectNoHazards(except: ["never-finished"]) }.isEmpty)
        #expect(
            failures { stuck.expectNoHazards(rules: ["nonsense"]) }.first?.hasPrefix(
                "no rule named 'nonsense'")
                == true)
    }

    @Test func `files are kept once for all failures of a run`() throws {
        let run = try run()
        let all = failures {
            run.expectConcurrency(atMost: 1)
            run.expectWithinBudget("makespan: 1ns")
        }
        let folders = Set(all.compactMap { $0.split(separator: "\n").last })
        #expect(all.count == 2 && folders.count == 1)
        let folder = try #require(folders.first?.split(separator: ": ").last.map(String.init))
        let timeline = try String(contentsOfFile: folder + "/sketch-timeline.svg", encoding: .utf8)
        #expect(timeline.contains("<svg"))
        try FileManager.default.removeItem(atPath: folder)
    }
}
