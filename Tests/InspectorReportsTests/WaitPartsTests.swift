import InspectorAnalysis
import Testing

@testable import InspectorReports

@Suite("The parts of a lifetime")
struct WaitPartsTests {
    private static let all = Set(LifetimeParts.Part.allCases)

    @Test("the parts are all in the words of the delaying chain")
    func words() { #expect(Set(DelayChain.words.map(\.portion)) == Set(DelayChain.Portion.allCases)) }

    @Test("the parts are all stacked in the timeline, except execution, which has a separate curve")
    func timeline() { #expect(Set(TimelineSums.waits) == Self.all.subtracting([.execution])) }

    @Test("the parts are all in the bar of a graph's node")
    func bar() { #expect(Set(GraphBar.order) == Self.all) }

    @Test("the parts are told apart by every name and by their glyph, as the parts of an execution are")
    func rows() {
        let lifetime = LifetimeParts.Part.allCases
        let execution = ExecutionParts.Part.allCases
        #expect(Set(lifetime.map(\.label)).count == lifetime.count)
        #expect(Set(lifetime.map(\.name)).count == lifetime.count)
        #expect(Set(lifetime.map(\.row.glyph)).count == lifetime.count)
        #expect(Set(execution.map(\.label)).count == execution.count)
        #expect(Set(execution.map(\.row.key)).count == execution.count)
        #expect(Set(execution.map(\.row.glyph)).count == execution.count)
        // They are classes of the same style sheet.
        #expect(
            Set(lifetime.map(\.name) + execution.map(\.row.key)).count == lifetime.count + execution.count)
        #expect(
            (lifetime.map(\.row.abbreviation) + execution.map(\.row.abbreviation)).allSatisfy {
                $0.count <= 7
            })
    }
}
