import Foundation

/// Estimates how much memory reading a trace takes. Checked before reading, so that a trace that is too large
/// is rejected and does not end this program or another one.
///
/// The factors were measured on traces of a million operations with three edges each
/// (`Benchmarks/reading.sh`), for reading and analysis together. Traces with fewer edges and shorter names
/// take less.
package struct MemoryNeed {
    package enum Form { case json, binary, compact }

    /// What becomes of the events.
    package enum Use {
        /// A trace, in columns, and its analysis.
        case trace
        /// They are kept one by one.
        case events
        /// They are passed on, and written in another form.
        case copy
    }

    /// Bytes.
    let estimate: Int
    /// How many operations the file may have, if each has as many events as usual.
    let operations: Int

    package init(_ form: Form, fileSize: Int, for use: Use) {
        let tenths =
            switch (form, use) {
            case (.json, .trace): 5
            case (.json, .events): 20
            case (.json, .copy): 10
            case (.binary, .trace), (.binary, .copy): 10
            case (.binary, .events): 33
            case (.compact, .trace): 120
            case (.compact, .events): 800
            case (.compact, .copy): 250
            }
        estimate = fileSize / 10 * tenths
        operations =
            switch form {
            case .json: fileSize / 600
            case .binary: fileSize / 200
            case .compact: fileSize / 20
            }
    }

    /// - Parameter limit: bytes; nil for the available memory.
    /// - Throws: `TraceError` if there is not enough memory.
    package func check(_ path: String, limit: Int? = nil) throws(TraceError) {
        guard let available = limit ?? AvailableMemory.bytes, estimate > available else { return }
        throw TraceError(
            .tooLarge, path: path,
            reason:
                "reading it takes about \(Self.text(estimate)) of memory, "
                + "and \(Self.text(available)) are available"
        )
    }

    private static func text(_ bytes: Int) -> String {
        bytes < 10_000_000_000 ? "\(bytes / 1_000_000) MB" : "\(bytes / 1_000_000_000) GB"
    }
}
