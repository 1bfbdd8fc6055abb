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
    static func metadata(of type: Operation.Type) -> UnsafeRawPointer { ClassTable(of: type).metadata }

    private static func slot(in overriding: Operation.Type) -> Int? {
        let slots = ClassTable.slots(base: Operation.self, plain: Plain.self, overriding: overriding)
        return slots.count == 1 ? slots[0] : nil
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
