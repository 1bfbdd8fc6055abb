import CRecorder
import Foundation

/// Observes queues other than `InstrumentedQueue`, on Linux, by replacing methods of their classes.
///
/// The methods that add operations call the original, in every class. The others are replaced only in a class
/// that inherits them from `OperationQueue`. Their replacements are methods of `ObservedQueueMethods`, which
/// work on any queue, because they call `super` and have no state.
enum QueueInterposition {
    /// Decided at the first use.
    static let isPossible: Bool = {
        guard ClassInterposition.isInterposing, let add = slot(in: Add.self),
            let addAll = slot(in: AddAll.self),
            !settings.isEmpty
        else { return false }
        var hooks = queue_hooks(
            begin: { queue, operations, areMany in
                guard let queue, let operations else { return nil }
                let observed = Unmanaged<OperationQueue>.fromOpaque(queue).takeUnretainedValue()
                return ObservedQueues.begin(on: observed, QueueInterposition.list(operations, areMany))
            },
            end: { begun in
                if let begun { ObservedQueues.end(begun) }
            })
        recorder_interpose_queues([Int16(add), Int16(addAll)], &hooks)
        return true
    }()

    /// Observes queues of the class `type`. False if that is not possible.
    static func observeClass(of type: OperationQueue.Type) -> Bool {
        guard isPossible, !(type is InstrumentedQueue.Type) else { return false }
        let table = ClassTable(of: type)
        guard recorder_observe_queue_class(table.metadata) else { return false }
        for setting in settings {
            recorder_replace_method(
                table.metadata, Int32(setting.slot), UnsafeRawPointer(bitPattern: setting.original),
                UnsafeRawPointer(bitPattern: setting.replacement))
        }
        return true
    }

    /// One operation; or with `areMany` an array of them, as it is passed to `addOperations`.
    private static func list(_ operations: UnsafeMutableRawPointer, _ areMany: Bool) -> [Operation] {
        guard areMany else { return [Unmanaged<Operation>.fromOpaque(operations).takeUnretainedValue()] }
        // Sound because a Swift array is one pointer, to its storage. The copy made here retains it.
        return withUnsafeBytes(of: operations) { $0.load(as: [Operation].self) }
    }

    /// Addresses of methods as numbers: they are only compared.
    private struct Setting {
        let slot: Int
        let original: UInt
        let replacement: UInt
    }

    /// The methods that change a queue's settings, found before any is replaced. Empty if one was not found.
    private static let settings: [Setting] = {
        // A property has three methods in a row: the getter, the setter, and the one that modifies it in
        // place.
        let properties = [Limit.self, Suspension.self, Name.self].map { (slots(in: $0), 3) }
        let methods = [CancelAll.self, Wait.self, Barrier.self].map { (slots(in: $0), 1) }
        guard (properties + methods).allSatisfy({ $0.0.count == $0.1 }) else { return [] }
        let wanted = properties.flatMap { $0.0.dropFirst() } + methods.flatMap { $0.0 }
        let (base, ours) = (ClassTable(of: OperationQueue.self), ClassTable(of: ObservedQueueMethods.self))
        let found = wanted.compactMap { slot -> Setting? in
            guard let original = base.method(slot), let replacement = ours.method(slot) else { return nil }
            return Setting(
                slot: slot, original: UInt(bitPattern: original), replacement: UInt(bitPattern: replacement))
        }
        return found.count == wanted.count ? found : []
    }()

    private static func slots(in overriding: OperationQueue.Type) -> [Int] {
        ClassTable.slots(base: OperationQueue.self, plain: Plain.self, overriding: overriding)
    }

    private static func slot(in overriding: OperationQueue.Type) -> Int? {
        let slots = slots(in: overriding)
        return slots.count == 1 ? slots[0] : nil
    }

    // One class for each method, which overrides only that method.
    private class Plain: OperationQueue, @unchecked Sendable {}
    private class Add: OperationQueue, @unchecked Sendable {
        override func addOperation(_ operation: Operation) { super.addOperation(operation) }
    }
    private class AddAll: OperationQueue, @unchecked Sendable {
        @available(*, noasync)
        override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
            super.addOperations(operations, waitUntilFinished: wait)
        }
    }
    private class CancelAll: OperationQueue, @unchecked Sendable {
        override func cancelAllOperations() { super.cancelAllOperations() }
    }
    private class Wait: OperationQueue, @unchecked Sendable {
        @available(*, noasync)
        override func waitUntilAllOperationsAreFinished() { super.waitUntilAllOperationsAreFinished() }
    }
    private class Barrier: OperationQueue, @unchecked Sendable {
        override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
            super.addBarrierBlock(barrier)
        }
    }
    private class Limit: OperationQueue, @unchecked Sendable {
        override var maxConcurrentOperationCount: Int {
            get { super.maxConcurrentOperationCount }
            set { super.maxConcurrentOperationCount = newValue }
        }
    }
    private class Suspension: OperationQueue, @unchecked Sendable {
        override var isSuspended: Bool {
            get { super.isSuspended }
            set { super.isSuspended = newValue }
        }
    }
    private class Name: OperationQueue, @unchecked Sendable {
        override var name: String? {
            get { super.name }
            set { super.name = newValue }
        }
    }
}
