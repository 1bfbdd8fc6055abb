import Foundation
import TestTraces
import Testing

@testable import InspectorExport
@testable import InspectorTraces

@Suite("A trace for speedscope")
struct SpeedscopeExportTests {
    @Test("a speedscope export is a profile for each thread, of kinds and of names within them")
    func golden() throws {
        let export = SpeedscopeExport(ExportedTrace(quotes()))
        try Golden("quotes.speedscope.json").expect(exported(export.write))
        #expect(
            export.notes == [
                "the trace does not say when it was recorded", "left out: 1 operation that never executed",
            ])
    }

    @Test(
        "a speedscope export opens and closes frames in order of time, the innermost first",
        arguments: [quotes(), senseless()])
    func nesting(run: Trace) throws {
        let text = exported(SpeedscopeExport(ExportedTrace(run)).write)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let frames = try #require((object["shared"] as? [String: [Any]])?["frames"]).count
        for profile in try #require(object["profiles"] as? [[String: Any]]) {
            var open: [Int] = []
            var last = profile["startValue"] as? Int ?? -1
            #expect(last >= 0)
            for event in try #require(profile["events"] as? [[String: Any]]) {
                let (frame, time) = (event["frame"] as? Int ?? -1, event["at"] as? Int ?? -1)
                #expect(time >= last && (0..<frames).contains(frame))
                last = time
                if event["type"] as? String == "O" {
                    open.append(frame)
                } else {
                    #expect(open.popLast() == frame)
                }
            }
            #expect(open.isEmpty && profile["endValue"] as? Int == last)
        }
    }
}
