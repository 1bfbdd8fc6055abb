import EventLog

/// The timings of a run as JSON: one object, whose format is in Documentation/BaselineFormat.md. Reading it
/// back gives the same timings, except for kinds and delays beyond the limits.
extension RunTimings {
    /// How many kinds and delays are written, those with the most time; the sums include all of them.
    static let mostWrittenKinds = 200
    private static let mostWrittenDelays = 60

    /// On one line, without a newline at the end. The same timings give the same bytes.
    var jsonLine: [UInt8] { json(keeping: Self.largestKinds(of: [self]), lineBreak: " ") }

    /// With this line break before the path, the delays and each kind.
    func json(keeping kept: Set<String>, lineBreak: String) -> [UInt8] {
        var run = JSONObject()
        run.add("process", process)
        run.add("host", host)
        run.add("startNs", start)
        run.add("makespanNs", makespan)
        run.add("criticalPathNs", criticalPathLength)
        for part in LifetimeParts.Part.allCases { run.add(Self.name(of: part), totals[part]) }
        for (name, count) in [("failed", failed), ("cancelled", cancelled), ("unfinished", unfinished)] {
            run.add(name, count)
        }
        run.add("droppedEvents", Int64(clamping: droppedEvents))
        run.add("isClosed", isClosed)
        var bytes = Array(run.closed.dropLast())
        var pathObject = JSONObject()
        pathObject.add("path", path)
        var delaysObject = JSONObject()
        delaysObject.add("delays", writtenDelays.map(Self.object))
        for object in [pathObject, delaysObject] {
            bytes += ",\(lineBreak)".utf8
            bytes += object.closed.dropFirst().dropLast()
        }
        bytes += ",\(lineBreak)\"kinds\": [".utf8
        for (index, kind) in kinds.filter({ kept.contains($0.name) }).enumerated() {
            bytes += ((index == 0 ? "" : ",") + lineBreak).utf8
            bytes += Self.object(of: kind).closed
        }
        bytes += "]}".utf8
        return bytes
    }

    /// As in other outputs for programs: `executionNs`.
    private static func name(of part: LifetimeParts.Part) -> String { part.name + "Ns" }

    /// The kinds whose operations took the most time, in all runs together.
    static func largestKinds(
        of runs: some Sequence<RunTimings>, limit: Int = mostWrittenKinds
    ) -> Set<String> {
        var sums: [String: Double] = [:]
        for kind in runs.lazy.flatMap(\.kinds) {
            // In order, because sums of doubles depend on it.
            sums[kind.name, default: 0] += LifetimeParts.Part.allCases.reduce(0) {
                $0 + (kind.samples[$1]?.estimatedSum ?? 0)
            }
        }
        guard sums.count > limit else { return Set(sums.keys) }
        let largest = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return Set(largest.prefix(limit).map(\.key))
    }

    /// Combines the rest, part by part.
    private var writtenDelays: [Delay] {
        guard delays.count > Self.mostWrittenDelays else { return delays }
        var rest = LifetimeParts()
        for delay in delays[Self.mostWrittenDelays...] {
            rest += LifetimeParts { $0 == delay.part ? delay.nanoseconds : 0 }
        }
        let sums = LifetimeParts.Part.allCases.map {
            Delay(kind: Self.omittedSteps, part: $0, nanoseconds: rest[$0])
        }
        return (delays[..<Self.mostWrittenDelays] + sums.filter { $0.nanoseconds > 0 }).sorted()
    }

    private static func object(of delay: Delay) -> JSONObject {
        var object = JSONObject()
        object.add("kind", delay.kind)
        object.add(name(of: delay.part), delay.nanoseconds)
        return object
    }

    private static func object(of kind: Kind) -> JSONObject {
        var object = JSONObject()
        object.add("kind", kind.name)
        object.add("count", kind.count)
        for part in LifetimeParts.Part.allCases {
            add(kind.samples[part], part.name, of: kind, to: &object)
        }
        for part in KindExecutions.parts {
            add(kind.executionSamples[part], part.row.key, of: kind, to: &object)
        }
        return object
    }

    private static func add(
        _ samples: TimingSamples?, _ name: String, of kind: Kind, to object: inout JSONObject
    ) {
        guard let samples else { return }
        // Not all operations have started, or were measured.
        if samples.count != kind.count { object.add(name + "Count", samples.count) }
        object.add(name + "Ns", samples.values)
    }
}

extension RunTimings {
    /// Reads what ``jsonLine`` wrote.
    ///
    /// - Throws: a problem with its position: bytes from the start of the line.
    init(jsonLine line: [UInt8]) throws(JSONValue.Problem) {
        try self.init(JSONParser.parse(line, as: "line"))
    }

    /// - Throws: a problem with the first position that is not as written.
    init(_ json: JSONValue) throws(JSONValue.Problem) {
        var totals: [LifetimeParts.Part: Int64] = [:]
        for part in LifetimeParts.Part.allCases { totals[part] = try json[Self.name(of: part)].count() }
        var kinds: [Kind] = []
        var delays: [Delay] = []
        var path: [String] = []
        for kind in try json["kinds"].list() { kinds.append(try Self.kind(kind)) }
        for delay in try json["delays"].list() { delays.append(try Self.delay(delay)) }
        for step in try json["path"].list() { path.append(try step.text()) }
        kinds.sort { $0.name < $1.name }
        if let twice = zip(kinds, kinds.dropFirst()).first(where: { $0.name == $1.name })?.0 {
            throw JSONValue.Problem(
                offset: try json["kinds"].offset,
                reason: "the kind \"\(TerminalText.shortened(twice.name))\" occurs twice")
        }
        guard path.count <= Self.mostPathSteps else {
            throw JSONValue.Problem(
                offset: try json["path"].offset, reason: "expected at most \(Self.mostPathSteps) steps")
        }
        self.init(
            process: try json["process"].text(), host: try json["host"].text(),
            start: try json["startNs"].integer(),
            droppedEvents: UInt64(try json["droppedEvents"].count()),
            isClosed: try json["isClosed"].bool(), failed: Int(try json["failed"].count()),
            cancelled: Int(try json["cancelled"].count()), unfinished: Int(try json["unfinished"].count()),
            makespan: try json["makespanNs"].count(),
            criticalPathLength: try json["criticalPathNs"].count(),
            totals: LifetimeParts { totals[$0] ?? 0 }, kinds: kinds, delays: delays.sorted(), path: path)
    }

    private static func kind(_ json: JSONValue) throws(JSONValue.Problem) -> Kind {
        let members = try json.object()
        let count = Int(try json["count"].count())
        var samples: [LifetimeParts.Part: TimingSamples] = [:]
        for part in LifetimeParts.Part.allCases {
            samples[part] = try Self.samples(part.name, members, of: count)
        }
        var executionSamples: [ExecutionParts.Part: TimingSamples] = [:]
        for part in KindExecutions.parts {
            executionSamples[part] = try Self.samples(part.row.key, members, of: count)
        }
        // Without the CPU time, the other parts say nothing.
        if executionSamples[.onCPU] == nil { executionSamples = [:] }
        return Kind(
            name: try json["kind"].text(), count: count, samples: samples, executionSamples: executionSamples)
    }

    private static func samples(
        _ name: String, _ members: [String: JSONValue], of count: Int
    ) throws(JSONValue.Problem) -> TimingSamples? {
        guard let times = members[name + "Ns"] else { return nil }
        var values: [Int64] = []
        for time in try times.list() { values.append(try time.count()) }
        var own = count
        if let measured = members[name + "Count"] { own = Int(try measured.count()) }
        guard let samples = TimingSamples(count: own, values: values) else {
            throw JSONValue.Problem(
                offset: times.offset,
                reason: "expected the times of \(own) operations, in ascending order, at most "
                    + "\(TimingSamples.mostValues) of them")
        }
        return samples
    }

    private static func delay(_ json: JSONValue) throws(JSONValue.Problem) -> Delay {
        let members = try json.object()
        guard let part = LifetimeParts.Part.allCases.first(where: { members[name(of: $0)] != nil }) else {
            let names = LifetimeParts.Part.allCases.map { "\"\(name(of: $0))\"" }.joined(separator: ", ")
            throw JSONValue.Problem(offset: json.offset, reason: "expected one of \(names)")
        }
        var kind: String?
        if let name = members["kind"] { kind = try name.text() }
        return Delay(kind: kind, part: part, nanoseconds: try json[name(of: part)].count())
    }
}
