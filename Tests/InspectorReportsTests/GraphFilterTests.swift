import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite("Drawing a part of a trace")
struct GraphFilterTests {
    /// a → b → c → d → e, x → c, and a group with two children between b and d.
    private let run = trace {
        op("a", kind: "Fetch", ready: 0, start: 0, finish: 10)
        op("b", kind: "Parse", ready: 10, start: 10, finish: 20).after("a")
        op("c", kind: "Parse", ready: 20, start: 20, finish: 30).after("b", "x")
        op("d", kind: "Store", ready: 60, start: 60, finish: 70).after("c", "group")
        op("e", kind: "Store", enqueued: 65, ready: 70, start: 70, finish: 80).after("d")
        op("x", kind: "Fetch", ready: 0, start: 0, finish: 5)
        op("group", kind: "Group", ready: 20, start: 20, finish: 60).after("b")
        op("one", kind: "Child", enqueued: 21, ready: 21, start: 21, finish: 30).inside("group")
        op("two", kind: "Child", enqueued: 21, ready: 30, start: 30, finish: 60).inside("group")
    }

    private func drawn(_ change: (inout GraphFilter) -> Void) throws -> String {
        var options = GraphOptions()
        change(&options.filter)
        let graph = try DrawnGraph(TraceAnalysis(run), options)
        return graph.nodes.compactMap { node in
            if case .operation(let index) = node.content { run.operations[index].name } else { nil }
        }.joined(separator: " ")
    }

    private func message(_ change: (inout GraphFilter) -> Void) -> String? {
        #expect(throws: GraphError.self) { try drawn(change) }?.description
    }

    @Test("a filter around an operation goes both ways, as many steps as requested")
    func focus() throws {
        #expect(try drawn { $0.focus = .init(name: "b", depth: 0) } == "b")
        #expect(try drawn { $0.focus = .init(name: "b", depth: 1) } == "a b c group")
        #expect(try drawn { $0.focus = .init(name: "0x6", depth: 1) } == "c x")
        #expect(try drawn { $0.focus = .init(name: "one", depth: 1) } == "group one")
        #expect(
            try drawn { $0.focus = .init(name: "b", depth: 1_000_000_000) } == "a b c d e x group one two")
    }

    @Test("a filter between two contains only operations on paths, also through groups, without siblings")
    func between() throws {
        #expect(try drawn { $0.between = .init(first: "a", last: "c") } == "a b c")
        #expect(try drawn { $0.between = .init(first: "one", last: "d") } == "d group one")
        #expect(try drawn { $0.between = .init(first: "b", last: "d") } == "b c d group one two")
        #expect(
            message { $0.between = .init(first: "e", last: "a") }
                == "no path leads from 'e' to 'a', only from 'a' to 'e'; swap the two")
        #expect(
            message { $0.between = .init(first: "x", last: "b") }
                == "no path leads from 'x' to 'b', in either direction")
    }

    @Test("a filter selects by kind, queue, time and critical path, all at once if need be")
    func combined() throws {
        #expect(try drawn { $0.kind = "Parse" } == "b c")
        #expect(try drawn { $0.queue = "main" } == "a b c d e x group one two")
        #expect(try drawn { $0.queue = "0x1" } == "a b c d e x group one two")
        #expect(try drawn { $0.window = 75...Int64.max } == "e")
        #expect(try drawn { $0.window = 0...3 } == "a b c d x group")
        #expect(try drawn { $0.isCritical = true } == "a b c d e group one two")
        #expect(
            try drawn {
                $0.isCritical = true
                $0.kind = "Store"
                $0.window = 66...66
            } == "d e")
    }

    @Test("a filtered graph says what is left out")
    func notes() throws {
        var options = GraphOptions()
        options.filter.kind = "Parse"
        let graph = try DrawnGraph(TraceAnalysis(run), options)
        #expect(
            graph.notes == [
                "2 of 9 operations are drawn, of kind Parse; 6 edges to or between others are left out"
            ])
        #expect(graph.omitted.operations == 7 && graph.omitted.edges == 6)
    }

    @Test("a filtered graph says nothing where the filter keeps every operation")
    func nothingLeftOut() throws {
        var options = GraphOptions()
        options.filter.focus = .init(name: "c", depth: 9)
        let graph = try DrawnGraph(TraceAnalysis(run), options)
        #expect(graph.notes == [] && graph.statements == [])
        #expect(graph.nodes.count == 9)
    }

    @Test("a filter with an unknown name is an error that suggests similar names")
    func unknown() {
        #expect(message { $0.kind = "parse" } == "no operation of kind 'parse'; did you mean 'Parse'?")
        #expect(message { $0.kind = "?" }?.hasPrefix("no operation of kind '?'; the kinds are ") == true)
        #expect(message { $0.queue = "MAIN" } == "no queue named 'MAIN'; did you mean 'main'?")
        #expect(
            message { $0.focus = .init(name: "grou", depth: 2) }
                == "no operation named 'grou'; did you mean 'group' or 'Group'?")
        #expect(message { $0.window = 1_000...2_000 } == "no operation is alive between 1.00 µs and 2.00 µs")
    }

    @Test(
        "a filter reads times with their units",
        arguments: [
            ("1.2s..3.4s", 1_200_000_000...3_400_000_000), ("5ns..7us", 5...7_000),
            ("..20ms", Int64.min...20_000_000),
            ("1min..", 60_000_000_000...Int64.max), ("0s..0s", 0...0), ("2 µs .. 3 µs", 2_000...3_000),
        ] as [(String, ClosedRange<Int64>)])
    func windows(text: String, expected: ClosedRange<Int64>) { #expect(GraphFilter.window(text) == expected) }

    @Test(
        "a filter reads no times without units, in the wrong order, negative or infinite",
        arguments: ["", "..", "1..2", "3s..1s", "1s-2s", "nans..1s", "-1s..1s", "infs..", "s..1s"])
    func noWindows(text: String) { #expect(GraphFilter.window(text) == nil) }
}
