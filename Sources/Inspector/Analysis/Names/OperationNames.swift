internal import EventLog
import Foundation
import InspectorColumns

/// The names of operations in a text for people. An operation also gets its ID if another one looks the same,
/// including when both names are shortened.
package struct OperationNames: Sendable {
    private let operations: TracedOperations
    /// The most columns of a name.
    private let longestName: Int
    /// For a merged trace.
    private let processNames: [String]
    /// For each number of a text, whether several operations are shown with it.
    private let isShared: [Bool]

    /// In columns.
    package static let usualLength = 32

    /// Linear in operations.
    package init(_ trace: Trace, longestName: Int = Self.usualLength) {
        operations = trace.operations
        self.longestName = longestName
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
        // A log may assign several numbers to the same text, and texts may look the same once they are
        // shortened. The upper half is the hash, the lower half the number.
        var used: [Int64] = []
        used.reserveCapacity(isUsed.count)
        for (number, isUsed) in isUsed.enumerated() where isUsed {
            let hash = Self.hash(InternedTexts.Number(number), texts, longestName)
            used.append(Int64(hash) << 32 | Int64(number))
        }
        used = used.sortedByDigits { $0 >> 32 }
        var first = 0
        while first < used.count {
            var end = first + 1
            while end < used.count, used[end] >> 32 == used[first] >> 32 { end += 1 }
            if end - first > 1 { Self.share(used[first..<end], texts, longestName, &isShared) }
            first = end
        }
        self.isShared = isShared
    }

    /// A hash of the text as it is shown, below 2³¹. Most names are shown as they are.
    private static func hash(
        _ number: InternedTexts.Number, _ texts: InternedTexts, _ longestName: Int
    ) -> UInt32 {
        if let hash = texts.plainHash(of: number, longest: longestName) { return hash & 0x7FFF_FFFF }
        // Texts are the same if their characters are: in composed form, that may be plain again.
        var text = shown(texts[number], longestName).precomposedStringWithCanonicalMapping
        let hash = text.withUTF8 { InternedTexts.plainHash(UnsafeRawBufferPointer($0)) }
        return (hash ?? UInt32(truncatingIfNeeded: text.hashValue)) & 0x7FFF_FFFF
    }

    /// Finds equal texts among texts with the same hash.
    private static func share(
        _ used: ArraySlice<Int64>, _ texts: InternedTexts, _ longestName: Int, _ isShared: inout [Bool]
    ) {
        var known: [String: Int] = [:]
        for entry in used {
            let number = Int(entry & 0xFFFF_FFFF)
            let text = shown(texts[InternedTexts.Number(number)], longestName)
            guard let other = known.updateValue(number, forKey: text) else { continue }
            isShared[number] = true
            isShared[other] = true
        }
    }

    private static func shown(_ name: String, _ longestName: Int) -> String {
        TerminalText.shortened(name, toColumns: longestName)
    }

    /// The operation's own name, or its kind if it has no name. Like `TracedOperation.displayName`, but does
    /// not create a text.
    private static func text(of index: Int, _ columns: OperationColumns) -> InternedTexts.Number {
        let name = columns.names[index]
        return name == columns.names.absent || name == InternedTexts.empty
            ? columns.kindTexts[Int(columns.kinds[index])] : name
    }

    /// Whether another operation has a name that looks the same.
    package func isShared(_ index: Int) -> Bool {
        isShared[Int(Self.text(of: index, operations.store.columns))]
    }

    /// For a merged trace. Safe for a terminal, and of limited width.
    package func process(of index: Int) -> String {
        Self.shown(processNames[operations[index].process], longestName)
    }

    /// Safe for a terminal, and of limited width.
    package subscript(index: Int) -> String {
        let operation = operations[index]
        let name = Self.shown(operation.displayName, longestName)
        guard isShared(index) else { return name }
        return "\(name) \(operation.id)" + (processNames.isEmpty ? "" : " in \(process(of: index))")
    }
}
