import InspectorHazards
import TestTraces
import Testing

@Suite("Short operations behind long ones")
struct HazardBehindLongTests {
    /// Long operations of 300 ms in all slots, and short ones of 3 ms that were ready all the time.
    private func media(long: Int, short: Int, slots: Int = 2, length: Int64 = 300) -> Trace {
        trace(limit: slots) {
            for index in 0..<long {
                let start = ms(Int64(index / slots) * length)
                op(
                    "transcode \(index)", kind: "Transcode", ready: 0, start: start,
                    finish: start + ms(length))
            }
            let free = Int64((long + slots - 1) / slots) * length
            for index in 0..<short {
                let start = ms(free + Int64(index / slots) * 3)
                op("thumbnail \(index)", kind: "Thumbnail", ready: 0, start: start, finish: start + ms(3))
            }
        }
    }

    @Test("short operations behind long ones are reported once per queue and kind, with what had the slots")
    func reported() throws {
        let found = findings("behind-long-operations", in: media(long: 6, short: 40))
        let finding = try #require(found.first)
        #expect(found.count == 1 && finding.severity == .warning && finding.cost == ms(900))
        #expect(
            finding.summary
                == "thumbnail 0 and 39 others waited up to 900 ms while 6 operations of kind Transcode had "
                + "both slots of queue main; they take 300 ms each, the waiting ones 3.00 ms")
    }

    @Test("operations are no finding if they are hardly shorter, waited briefly, or had a slot of their own")
    func innocent() {
        for run in [
            media(long: 6, short: 40, length: 25), media(long: 0, short: 40), media(long: 1, short: 40),
            media(long: 6, short: 3),
        ] {
            #expect(findings("behind-long-operations", in: run).isEmpty)
        }
    }

    @Test("short operations behind long ones are no finding if priorities differ in the queue")
    func priorities() {
        let meant = media(long: 6, short: 40).with("transcode 0") { $0.priority = 4 }
        #expect(findings("behind-long-operations", in: meant).isEmpty)
    }
}
