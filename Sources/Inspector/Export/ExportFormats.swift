// The formats of `opviz export`. To add one, add a line here, and a file that writes it.

extension ExportedTrace: Writable {
    /// CSV and JSON Lines contain only the operations here. ``TraceTable`` writes the other tables, and those
    /// of many traces.
    package static var renderers: [Renderer<ExportedTrace>] {
        [
            Renderer(
                .chrome, making: { ChromeExport($0) }, notes: \.notes,
                write: { export, emit in export.write(emit) }),
            Renderer(
                .otlp, making: { OTLPExport($0) }, notes: \.notes,
                write: { export, emit in export.write(emit) }),
            table(.csv, .csv), table(.jsonLines, .jsonLines),
            Renderer(
                .speedscope, making: { SpeedscopeExport($0) }, notes: \.notes,
                write: { export, emit in export.write(emit) }),
        ]
    }

    private static func table(_ format: OutputFormat, _ form: TraceTable.Form) -> Renderer<ExportedTrace> {
        Renderer(
            format, making: \.self, notes: TraceTable.notes,
            write: { trace, emit in TraceTable.operations.write(trace, as: form, emit) })
    }
}
