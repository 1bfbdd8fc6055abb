import CRecorder
import Foundation

/// Where the table of a class has the methods of `Operation` that are observed.
///
/// This relies on how Swift lays out classes on Linux, which is not documented; so the places are found by comparing
/// classes, and nothing is used unless each is found exactly once.
enum OperationLayout {
    /// Found at the first use, before any class is changed. Nil where it is not as expected.
    static let found: operation_layout? = {
        guard recorder_can_interpose(),
            let start = slot(in: Start.self), let main = slot(in: Main.self),
            let isFinished = slot(in: IsFinished.self), let isReady = slot(in: IsReady.self),
            let cancel = slot(in: Cancel.self), let add = slot(in: AddDependency.self),
            let remove = slot(in: RemoveDependency.self), let wait = slot(in: Wait.self),
            let isCancelled = slot(in: IsCancelled.self)
        else { return nil }
        let slots = [start, main, isFinished, isReady, cancel, add, remove, wait]
        guard Set(slots + [isCancelled]).count == slots.count + 1 else { return nil }
        var layout = operation_layout()
        withUnsafeMutableBytes(of: &layout.slots) { bytes in
            // The last one is what deallocates an object: it stands before the metadata's address.
            for (index, slot) in (slots + [-2]).enumerated() {
                bytes.storeBytes(of: Int16(slot), toByteOffset: index * 2, as: Int16.self)
            }
        }
        layout.is_cancelled = Int16(isCancelled)
        return layout
    }()

    /// The metadata of a class.
    static func metadata(of type: Operation.Type) -> UnsafeRawPointer {
        // Sound because the value of a class's metatype is the address of its metadata.
        unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    /// The one word of the table in which `overriding` differs from `Operation`, and a subclass that overrides nothing
    /// does not.
    private static func slot(in overriding: Operation.Type) -> Int? {
        let (base, plain, changed) = (words(of: Operation.self), words(of: Plain.self), words(of: overriding))
        guard plain.count >= base.count, changed.count >= base.count else { return nil }
        let slots = (firstMethod..<base.count).filter { base[$0] == plain[$0] && base[$0] != changed[$0] }
        return slots.count == 1 ? slots[0] : nil
    }

    /// The words of a class's metadata before the first method.
    private static let firstMethod = 7

    private static func words(of type: Operation.Type) -> UnsafeBufferPointer<UInt> {
        let start = metadata(of: type)
        // The size of the metadata in bytes, and how much of it lies before the address.
        let size = start.load(fromByteOffset: 32, as: UInt32.self)
        let before = start.load(fromByteOffset: 36, as: UInt32.self)
        guard size > before, size < 1 << 16 else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(
            start: start.assumingMemoryBound(to: UInt.self), count: Int(size - before) / 8)
    }

    // One class for each method: it overrides that and nothing else.
    private class Plain: Operation, @unchecked Sendable {}
    private class Start: Operation, @unchecked Sendable { override func start() { super.start() } }
    private class Main: Operation, @unchecked Sendable { override func main() { super.main() } }
    private class Cancel: Operation, @unchecked Sendable { override func cancel() { super.cancel() } }
    private class IsFinished: Operation, @unchecked Sendable {
        override var isFinished: Bool { super.isFinished }
    }
    private class IsReady: Operation, @unchecked Sendable { override var isReady: Bool { super.isReady } }
    private class IsCancelled: Operation, @unchecked Sendable {
        override var isCancelled: Bool { super.isCancelled }
    }
    private class AddDependency: Operation, @unchecked Sendable {
        override func addDependency(_ operation: Operation) { super.addDependency(operation) }
    }
    private class RemoveDependency: Operation, @unchecked Sendable {
        override func removeDependency(_ operation: Operation) { super.removeDependency(operation) }
    }
    private class Wait: Operation, @unchecked Sendable {
        @available(*, noasync)
        override func waitUntilFinished() { super.waitUntilFinished() }
    }
}
