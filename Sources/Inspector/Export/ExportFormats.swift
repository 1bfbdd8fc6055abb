// The formats of `opviz export`. To add one, add a line here, and a file that writes it.

extension ExportedTrace: Writable {
    /// CSV and JSON Lines contain only the operations here. ``TraceTable`` writes the other tables, and those
    /// of many traces.
    package static var renderers: [Renderer<ExportedTrace>] {
        [
            Renderer(
                .chrome, notes: { ChromeExport($0).notes },
                streaming: { trace, _, emit in ChromeExport(trace).write(emit) }),
            Renderer(
                .otlp, notes: { OTLPExport($0).notes },
                streaming: { trace, _, emit in OTLPExport(trace).write(emit) }),
            table(.csv, .csv), table(.jsonLines, .jsonLines),
            Renderer(
                .speedscope, notes: { SpeedscopeExport($0).notes },
                streaming: { trace, _, emit in SpeedscopeExport(trace).write(emit) }),
        ]
    }

    private static func table(_ format: OutputFormat, _ form: TraceTable.Form) -> Renderer<ExportedTrace> {
        Renderer(
            format, notes: TraceTable.notes,
            streaming: { trace, _, emit in TraceTable.operations.write(trace, as: form, emit) })
    }
}
