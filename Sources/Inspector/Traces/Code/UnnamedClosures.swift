import EventLog
import InspectorColumns

/// The closures of a trace for which the log has the location of their code instead of a kind.
struct UnnamedClosures {
    private var closures: [(operation: Int32, origin: InternedTexts.Number)] = []
    /// For each kind, whether it is the kind of unknown closures.
    private var isUnknown = Column<UInt8>(absent: Self.notAsked)
    private static let notAsked: UInt8 = 2

    mutating func add(
        _ operation: Int, _ origin: InternedTexts.Number, kind: Int32, _ columns: OperationColumns,
        _ texts: InternedTexts
    ) {
        if isUnknown[Int(kind)] == Self.notAsked {
            isUnknown[Int(kind)] = texts[columns.kindTexts[Int(kind)]] == ClosureName.unknownKind ? 1 : 0
        }
        if isUnknown[Int(kind)] == 1 { closures.append((Int32(operation), origin)) }
    }

    /// Sets the kind of each closure whose code is found, and a name for an unnamed one. Linear in closures.
    consuming func name(_ columns: inout OperationColumns, _ texts: inout InternedTexts) {
        guard !closures.isEmpty else { return }
        var origins: [InternedTexts.Number: String] = [:]
        for closure in closures where origins[closure.origin] == nil {
            origins[closure.origin] = texts[closure.origin]
        }
        var names = CodeNames()
        names.learn(origins.values)
        var known: [InternedTexts.Number: (kind: Int32, name: InternedTexts.Number)] = [:]
        // In the order of the log, which is the order of the kinds.
        for (operation, origin) in closures {
            if known[origin] == nil, let closure = origins[origin].flatMap({ names.name(of: $0) }) {
                known[origin] = (
                    columns.kind(texts.number(of: closure.kind), texts), texts.number(of: closure.name)
                )
                origins[origin] = nil
            }
            guard let name = known[origin] else { continue }
            let index = Int(operation)
            columns.kinds[index] = name.kind
            if columns.names[index] == columns.names.absent { columns.names[index] = name.name }
        }
    }
}
