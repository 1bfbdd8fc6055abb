import InspectorColumns

internal import EventLog

/// What operations are called in a text for people: each by its name, with the ID where another looks the
/// same, also because both are cut short.
struct OperationNames {
    private static let longestName = 32

    private let operations: TracedOperations
    /// Of a merged trace.
    private let processNames: [String]
    /// By the number of a text, whether more than one operation is shown as that.
    private let isShared: [Bool]

    /// Linear in operations.
    init(_ trace: Trace) {
        operations = trace.operations
        processNames = trace.isMerged ? ProcessNames(trace).names : []
        let columns = operations.store.columns
        let texts = operations.store.texts
        var isUsed = [Bool](repeating: false, count: texts.count)
        var isShared = isUsed
        for index in operations.indices {
            let text = Int(Self.text(of: index, columns))
            if isUsed[text] { isShared[text] = true }
            isUsed[text] = true
        }
        // A log may have given several numbers to one text, and texts may look the same once they are cut.
        // The hash in the upper half, the number in the lower.
        var used: [Int64] = []
        used.reserveCapacity(isUsed.count)
        for (number, isUsed) in isUsed.enumerated() where isUsed {
            let hash = Self.shown(texts[InternedTexts.Number(number)]).hashValue & 0x7FFF_FFFF
            used.append(Int64(hash) << 32 | Int64(number))
        }
        used = used.sortedByDigits { $0 >> 32 }
        var first = 0
        while first < used.count {
            var end = first + 1
            while end < used.count, used[end] >> 32 == used[first] >> 32 { end += 1 }
            if end - first > 1 { Self.share(used[first..<end], texts, &isShared) }
            first = end
        }
        self.isShared = isShared
    }

    /// Of texts with the same hash, those that are the same.
    private static func share(_ used: ArraySlice<Int64>, _ texts: InternedTexts, _ isShared: inout [Bool]) {
        var known: [String: Int] = [:]
        for entry in used {
            let number = Int(entry & 0xFFFF_FFFF)
            let text = shown(texts[InternedTexts.Number(number)])
            guard let other = known.updateValue(number, forKey: text) else { continue }
            isShared[number] = true
            isShared[other] = true
        }
    }

    private static func shown(_ name: String) -> String {
        TerminalText.shortened(name, toColumns: longestName)
    }

    /// Its own name, or its kind where it has none: as `TracedOperation.displayName`, without making a text.
    private static func text(of index: Int, _ columns: OperationColumns) -> InternedTexts.Number {
        let name = columns.names[index]
        return name == columns.names.absent || name == InternedTexts.empty
            ? columns.kindTexts[Int(columns.kinds[index])] : name
    }

    /// Whether another operation looks the same by its name.
    func isShared(_ index: Int) -> Bool { isShared[Int(Self.text(of: index, operations.store.columns))] }

    /// Of a merged trace. Safe for a terminal, and of bounded width.
    func process(of index: Int) -> String {
        TerminalText.shortened(processNames[operations[index].process], toColumns: Self.longestName)
    }

    /// Safe for a terminal, and of bounded width.
    subscript(index: Int) -> String {
        let operation = operations[index]
        let name = Self.shown(operation.displayName)
        guard isShared(index) else { return name }
        return "\(name) \(operation.id)" + (processNames.isEmpty ? "" : " in \(process(of: index))")
    }
}
