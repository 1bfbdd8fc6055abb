import Foundation

/// The writers whose logs the recording core may name: it knows no objects.
enum OpenWriters {
    private struct Entry { weak var writer: EventLogWriter? }

    private static let writers = Locked<[OpaquePointer: Entry]>([:])

    static func add(_ writer: EventLogWriter) {
        writers.withLock { $0[writer.log.log] = Entry(writer: writer) }
    }

    static func remove(_ log: RecordLog) {
        // Another log may have taken its place by now.
        writers.withLock { if $0[log.log]?.writer == nil { $0[log.log] = nil } }
    }

    static func writer(of log: OpaquePointer) -> EventLogWriter? { writers.withLock { $0[log]?.writer } }
}
