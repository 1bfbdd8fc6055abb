import Foundation

/// Estimates how much memory reading a trace takes. Checked before reading, so that a trace that is too large
/// is rejected and does not end this program or another one.
///
/// The factors were measured on traces of a million operations with three edges each
/// (`Benchmarks/reading.sh`), for reading and analysis together. Traces with fewer edges and shorter names
/// take less.
package struct MemoryNeed {
    package enum Form { case json, binary, compact }

    /// Bytes.
    let estimate: Int
    /// How many operations the file may have, if each has as many events as usual.
    let operations: Int

    /// - Parameter isTrace: whether the events become a trace, in columns, or are kept one by one.
    package init(_ form: Form, fileSize: Int, isTrace: Bool) {
        let (tenths, bytesOfOperation) =
            switch form {
            case .json: (isTrace ? 5 : 20, 600)
            case .binary: (isTrace ? 10 : 33, 200)
            case .compact: (isTrace ? 120 : 800, 20)
            }
        estimate = fileSize / 10 * tenths
        operations = fileSize / bytesOfOperation
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
