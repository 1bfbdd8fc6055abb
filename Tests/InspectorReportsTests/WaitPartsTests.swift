import InspectorAnalysis
import InspectorPageAssets
import Testing

@testable import InspectorReports

@Suite("The parts of a lifetime")
struct WaitPartsTests {
    private static let all = Set(Waits.Part.allCases)

    @Test("are all in the words of the delaying chain")
    func words() { #expect(Set(DelayChain.words.map(\.portion)) == Set(DelayChain.Portion.allCases)) }

    @Test("are all stacked in the timeline, except execution, which has a separate curve")
    func timeline() { #expect(Set(TimelineSums.waits) == Self.all.subtracting([.execution])) }

    @Test("are all in the bar of a graph's node")
    func bar() { #expect(Set(GraphBar.order) == Self.all) }

    @Test("have a colour in the page's style sheet")
    func page() {
        let style = String(decoding: PageAssets.style, as: UTF8.self)
        for part in Waits.Part.allCases {
            #expect(style.contains(".\(part) { background: var(--\(part)); }"), "page.css: \(part)")
        }
    }
}
