import Foundation

/// What reading a trace takes in memory, asked before it is read, so that one that does not fit is refused
/// and does not end the program, or another one.
///
/// The factors were measured on traces of a million operations with three edges each
/// (`Benchmarks/reading.sh`), reading and analysis together; traces with fewer edges and shorter names take
/// less.
package struct MemoryNeed {
    package enum Form { case json, binary, compact }

    /// Bytes.
    let estimate: Int

    /// - Parameter isTrace: whether a trace is made of the events, in columns, or they are kept one by one.
    package init(_ form: Form, fileSize: Int, isTrace: Bool) {
        let tenths =
            switch form {
            case .json: isTrace ? 5 : 20
            case .binary: isTrace ? 10 : 33
            case .compact: isTrace ? 60 : 250
            }
        estimate = fileSize / 10 * tenths
    }

    /// - Parameter limit: bytes; nil for what the system can give.
    /// - Throws: `TraceError` when there is not so much memory.
    package func check(_ path: String, limit: Int? = nil) throws(TraceError) {
        guard let available = limit ?? AvailableMemory.bytes, estimate > available else { return }
        throw TraceError(
            .tooLarge, path: path,
            reason:
                "reading it takes about \(Self.text(estimate)) of memory, and \(Self.text(available)) are "
                + "available"
        )
    }

    private static func text(_ bytes: Int) -> String {
        bytes < 10_000_000_000 ? "\(bytes / 1_000_000) MB" : "\(bytes / 1_000_000_000) GB"
    }
}
