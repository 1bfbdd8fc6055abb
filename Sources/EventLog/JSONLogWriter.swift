/// Writes the events that a reader passes on as a JSON log, piece by piece.
package final class JSONLogWriter: EventConsumer {
    /// As few calls as pay, and little memory.
    private static let pieceSize = 1 << 20

    private var encoder: JSONLogEncoder
    private let write: ([UInt8]) -> Bool
    private var isWritten: Bool

    /// Writes the header.
    ///
    /// - Parameter write: returns whether it has written the bytes. It is not called again after a failure.
    package init(_ header: LogHeader, _ write: @escaping ([UInt8]) -> Bool) {
        encoder = JSONLogEncoder(header: header)
        self.write = write
        isWritten = write(header.jsonPrologue())
    }

    package func consume(_ event: EventFields, _ texts: InternedTexts) {
        encoder.encode(event, texts)
        if encoder.byteCount > Self.pieceSize { writePiece() }
    }

    /// Writes the end of the log.
    ///
    /// - Returns: whether everything was written.
    package func finish() -> Bool {
        writePiece()
        if isWritten { isWritten = write(JSONLogEncoder.epilogue) }
        return isWritten
    }

    private func writePiece() {
        let piece = encoder.takeBytes()
        if isWritten { isWritten = write(piece) }
    }
}
