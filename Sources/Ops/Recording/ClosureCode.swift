import CRecorder
import EventLog
import Foundation

/// The code of the closure that an operation runs first. While the program runs, only its address is taken. A
/// reader of the log looks up the function that contains it.
struct ClosureCode {
    let address: UnsafeRawPointer

    /// Shared by all snapshots, so that the symbols of a file are read once for all closures and tasks.
    static let names = Locked(CodeNames())

    /// The code of a `BlockOperation`'s closure. Nil for operations of all other classes, including
    /// subclasses, and if it is not known where Foundation keeps closures.
    init?(of operation: Operation) {
        let isOurs = type(of: operation) == ObservedBlock.self
        guard let address = recorder_closure_code(Unmanaged.passUnretained(operation).toOpaque(), isOurs)
        else { return nil }
        self.address = address
    }

    /// Its location, as in a log. Nil if that is not known.
    var origin: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 8_192) { buffer in
            let count = recorder_origin_text(address, buffer.baseAddress, buffer.count)
            return count == 0
                ? nil : String(decoding: buffer[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
