import ArgumentParser
import Inspector

struct FlameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flame",
        abstract: "Shows which code operations spend their time in, as a flame graph.",
        discussion: """
            opviz record --profile -o trace.json -- ./app       record samples of the code
            opviz flame trace.json                              the hottest functions, by kind
            opviz flame trace.json -o flame.svg                 as a picture that a browser can zoom
            opviz flame trace.json --kind Decode -o decode.svg
            opviz flame trace.json --operation "page 7"         also 0x1f, queue:images, finding:3
            opviz flame trace.json --blocked                    what blocks instead
            opviz flame trace.json -o a.folded                  for flamegraph.pl; also .speedscope.json

            opviz diff --flame shows what changed between two runs.
            """)

    @OptionGroup var trace: TraceArgument

    @OptionGroup var ofKind: KindOption

    @OptionGroup var named: OperationOption

    @Flag(help: "Show what blocks instead of what calculates.")
    var blocked = false

    @OptionGroup var length: LengthOption

    @OptionGroup var destination: Destination<FlameReport>

    @OptionGroup var picture: PictureOptions

    func validate() throws {
        if ofKind.kind != nil, named.operation != nil {
            throw ValidationError("--kind and --operation cannot be used together.")
        }
    }

    func run() throws {
        try CommandError.reported {
            let output = try destination.open(notOverwriting: trace.path)
            let analysis = TraceAnalysis(try trace.read())
            let scope = try scope(in: analysis)
            let profile = try Self.profile(analysis.timings, of: trace.path)
            try output.write(
                FlameReport(profile, scope, isBlocked: blocked, theme: picture.theme), isWhole: length.all)
        }
    }

    /// - Throws: `CommandError` if the trace has no samples.
    static func profile(_ timings: TraceTimings, of path: String) throws -> StackProfile {
        guard let profile = StackProfile(timings) else {
            throw CommandError(.data, "\(path): \(FlameReport.noSamples)")
        }
        return profile
    }

    private func scope(in analysis: TraceAnalysis) throws -> FlameTree.Scope {
        if let kind = ofKind.kind {
            guard let number = Handle.kind(kind, in: analysis.trace.kinds) else {
                let missing = MissingName.kind(Handle.bare(kind, .kind), in: analysis.trace)
                throw CommandError(.usage, "\(trace.path): \(missing)")
            }
            return .kind(number)
        }
        guard let operation = named.operation else { return .all }
        let search = try HandleSearch.of(operation, in: analysis, path: trace.path)
        let found = search.matches.filter(analysis.trace.operations.indices.contains)
        if found.isEmpty {
            throw CommandError(
                .usage,
                "\(trace.path): \(NearestNames.quoted(operation)) names tasks; samples are of operations")
        }
        // A name is that of its slowest operation.
        if search.handle.form == nil || found.count == 1, let first = found.first { return .operation(first) }
        return .operations(Set(found), name: operation)
    }
}
