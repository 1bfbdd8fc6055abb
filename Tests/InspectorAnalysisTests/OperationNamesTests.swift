import Testing

@testable import InspectorAnalysis
@testable import InspectorTraces

@Suite("Names of operations")
struct OperationNamesTests {
    /// The names as they are shown.
    private func shown(_ names: String...) -> [String] {
        var trace = Trace(header: LogHeader(process: "test", processID: 7, host: "box", start: 0))
        trace.operations = TracedOperations(
            names.enumerated().map { index, name in
                var operation = OperationDraft(id: OperationID(UInt64(index + 1)), kind: "Work")
                operation.name = name
                return operation
            })
        let shown = OperationNames(trace, longestName: 8)
        return names.indices.map { shown[$0] }
    }

    @Test("names of operations stay as they are if no two look the same")
    func distinct() {
        #expect(shown("A", "B", "item 17", "päge") == ["A", "B", "item 17", "päge"])
    }

    @Test("names of operations get an ID if they look the same once shortened, escaped or composed")
    func alike() {
        #expect(shown("number 17", "number 18", "B") == ["number … 0x1", "number … 0x2", "B"])
        #expect(shown("A\n", "A\\n", "A") == ["A\\n 0x1", "A\\n 0x2", "A"])
        // A Kelvin sign is a K; an ä may be two scalars.
        #expect(shown("K", "\u{212A}").allSatisfy { $0.contains(" 0x") })
        #expect(shown("\u{E4}", "a\u{308}").allSatisfy { $0.contains(" 0x") })
    }
}
