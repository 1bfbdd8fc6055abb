extension [UInt8] {
    /// Long outputs are written in pieces.
    private static let piece = 1 << 20

    /// Emits the bytes if they are enough for a piece.
    package mutating func emitPiece(_ emit: ([UInt8]) -> Void) {
        guard count >= Self.piece else { return }
        emit(self)
        removeAll(keepingCapacity: true)
    }

    /// All pieces that `write` emits, joined.
    package init(pieces write: (_ emit: ([UInt8]) -> Void) throws -> Void) rethrows {
        self.init()
        try write { self += $0 }
    }
}
