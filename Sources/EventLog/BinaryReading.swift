/// A reader of one of the binary forms of a log.
package protocol BinaryReading {
    /// Passes the events of a log to `consumer`. Linear in its size. Keeps only the texts in memory.
    ///
    /// - Throws: `BinaryLogError` if it is not a log, or has another version; `consumer` then got no event.
    static func read(
        _ bytes: UnsafeRawBufferPointer, into consumer: any EventConsumer
    ) throws(BinaryLogError) -> ReadLog
}

extension BinaryReading {
    /// Reads a whole log as events, or up to where it is truncated or damaged. Linear in its size.
    ///
    /// - Throws: `BinaryLogError` if it is not a log, or has another version.
    package static func read(_ bytes: [UInt8]) throws(BinaryLogError) -> EventLogContents {
        let collector = EventCollector()
        return collector.contents(try read(bytes, into: collector))
    }

    /// Passes the events of a log to `consumer`, as for bytes that are elsewhere.
    ///
    /// - Throws: as the requirement does.
    package static func read(
        _ bytes: [UInt8], into consumer: any EventConsumer
    ) throws(BinaryLogError) -> ReadLog {
        try bytes.withUnsafeBufferPointer { (buffer) throws(BinaryLogError) in
            try read(UnsafeRawBufferPointer(buffer), into: consumer)
        }
    }
}
