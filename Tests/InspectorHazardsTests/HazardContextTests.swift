import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorHazards

@Suite("What the rules look at")
struct HazardContextTests {
    @Test("a hazard context is freed once the rules were asked: nothing that is made of it keeps it")
    func isGivenBack() {
        weak var remembered: HazardContext?
        do {
            let context = HazardContext(trace(limit: 1) { op("held", ready: 0) })
            remembered = context
            #expect(context.unfinished.line?.isEmpty == false)
            #expect(context.occupancy.reasonNotStarted(0, before: 1) == nil)
        }
        #expect(remembered == nil)
    }
}
