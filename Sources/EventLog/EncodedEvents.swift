/// Writes events in one of the forms of a log.
package protocol EventEncoding {
    /// Appends one event, as a reader passes it on. All must come from the same reader.
    mutating func encode(_ event: EventFields, _ texts: InternedTexts)
}

extension BinaryLogEncoder: EventEncoding {}
extension CompactLogEncoder: EventEncoding {}

/// Encodes the events that a reader passes on.
package final class EncodedEvents<Encoder: EventEncoding>: EventConsumer {
    package private(set) var encoder: Encoder

    package init(_ encoder: Encoder) { self.encoder = encoder }

    package func consume(_ event: EventFields, _ texts: InternedTexts) { encoder.encode(event, texts) }
}
