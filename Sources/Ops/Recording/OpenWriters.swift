import Foundation

/// The writers whose logs the recording core may refer to, because the core has no references to objects.
enum OpenWriters {
    // Retained until they are closed: a weak reference would make every use of the writer slower.
    private static let writers = Locked<[OpaquePointer: EventLogWriter]>([:])

    static func add(_ writer: EventLogWriter) { writers.withLock { $0[writer.log.log] = writer } }

    static func remove(_ writer: EventLogWriter) { writers.withLock { $0[writer.log.log] = nil } }

    static func writer(of log: OpaquePointer) -> EventLogWriter? { writers.withLock { $0[log] } }
}
