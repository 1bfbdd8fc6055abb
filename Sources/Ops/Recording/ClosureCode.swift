import CRecorder
import Foundation

/// The code of the closure that an operation runs first: only its address, while the program runs. The
/// function that it was written in is looked up when the log is read.
struct ClosureCode {
    let address: UnsafeRawPointer

    /// Of a `BlockOperation`. Nil for operations of all other classes, its subclasses among them, and where
    /// Foundation does not say where it keeps closures.
    init?(of operation: Operation) {
        let isOurs = type(of: operation) == ObservedBlock.self
        guard let address = recorder_closure_code(Unmanaged.passUnretained(operation).toOpaque(), isOurs)
        else { return nil }
        self.address = address
    }

    /// Where it is, as a log says it. Nil where that is not known.
    var origin: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 8_192) { buffer in
            let count = recorder_origin_text(address, buffer.baseAddress, buffer.count)
            return count == 0
                ? nil : String(decoding: buffer[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
