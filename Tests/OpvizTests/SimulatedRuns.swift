import Foundation

/// Traces of a program that fetches four pages, parses each and stores them all, in a queue with one slot, as
/// a recorder would have written them. The times of a run share its weather.
struct SimulatedRuns {
    var host = "box"
    var process = "app"
    /// What the time of a parse is multiplied by.
    var parse = 1.0
    /// The name of the kind of the last operation.
    var last = "Store"
    var isClosed = true
    /// The first run begins this many seconds after a fixed day.
    var second: Int64 = 0
    /// Seconds from one run to the next.
    var pause: Int64 = 20
    /// The last operation takes a random time of up to this many seconds.
    var scatter = 0.0

    /// Writes `0.json`, `1.json`, … into a folder of that name.
    func write(_ count: Int, seed: UInt64, to name: String, in folder: Folder) throws {
        try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        var state = seed
        /// Evenly between -1 and 1 (a linear congruential generator of D. E. Knuth).
        func noise() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(1 << 52) - 1
        }
        for index in 0..<count {
            let weather = 1 + noise() * 0.03
            // Nothing is drawn without it, so that the times of other runs stay what they are.
            let rest = scatter > 0 ? (1 + noise()) / 2 * scatter * 1e6 : 0
            try folder.write(
                trace(start: second + Int64(index) * pause, rest: rest) {
                    $0 * weather * (1 + noise() * 0.02)
                },
                to: "\(name)/\(index).json")
        }
    }

    private func trace(start: Int64, rest: Double, _ microseconds: (Double) -> Double) -> String {
        let head =
            #"{"otherData":{"format":"opviz-trace","version":1,"process":"\#(process)","pid":"1","#
            + #""host":"\#(host)","#
            + #""start":"\#(1_795_239_140 + start)000000000","closed":\#(isClosed),"dropped":"0"},"#
            + "\n\"traceEvents\":[\n"
        var events = [
            #"{"ph":"i","s":"t","cat":"queue","name":"queue opened","pid":1,"tid":1,"ts":0.000,"#
                + #""args":{"event":"opened","queue":"0x1","name":"main","limit":1,"suspended":false}}"#
        ]
        func event(_ phase: String, _ kind: String, _ id: Int, _ time: Double, _ args: String) {
            events.append(
                #"{"ph":"\#(phase)","cat":"op","name":"\#(kind)","#
                    + #""id2":{"local":"0x\#(String(id, radix: 16))"},"#
                    + #""pid":1,"tid":1,"ts":\#(Int64(time)).000,"args":{\#(args)}}"#)
        }
        let kinds = (0..<4).flatMap { _ in ["Fetch", "Parse"] } + [last]
        for (index, kind) in kinds.enumerated() {
            let before = kind == "Parse" ? #","dependencies":["0x\#(String(index, radix: 16))"]"# : ""
            event("b", kind, index + 1, 0, #""event":"enqueued","queue":"0x1""# + before)
            if kind != "Parse" { event("n", kind, index + 1, 0, #""event":"ready""#) }
        }
        var now = 10.0
        for (index, kind) in kinds.enumerated() {
            if kind == "Parse" { event("n", kind, index + 1, now, #""event":"ready""#) }
            event("n", kind, index + 1, now, #""event":"executing""#)
            let times: [String: Double] = ["Fetch": 10_000, "Parse": 15_000 * parse]
            now += microseconds(times[kind] ?? 5000 + rest)
            event("e", kind, index + 1, now, #""event":"finished","outcome":"succeeded""#)
        }
        return head + events.joined(separator: ",\n") + "\n]}\n"
    }
}
