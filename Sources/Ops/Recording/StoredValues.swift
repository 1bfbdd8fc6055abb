import Foundation

// What Foundation itself keeps of operations and queues. Subclasses override the properties by which a
// program asks for it, and recording calls nothing of the program's: an override may take a lock that the
// thread holds.
//
// The classes here have no state and no objects. Their methods are `final`, so a call asks no table of the
// object's class, and they call `super`, which is Foundation's own method on an object of any class.

/// An operation, as Foundation keeps it.
final class StoredOperation: Operation, @unchecked Sendable {
    var storedName: String? { super.name }
    var storedDependencies: [Operation] { super.dependencies }
    var storedPriority: Int { super.queuePriority.rawValue }
    var storedIsReady: Bool { super.isReady }
    var storedIsExecuting: Bool { super.isExecuting }
    var storedIsFinished: Bool { super.isFinished }
    var storedIsCancelled: Bool { super.isCancelled }
}

/// A queue, as Foundation keeps it.
final class StoredQueue: OperationQueue, @unchecked Sendable {
    /// Nil where Foundation made one up out of its address.
    var givenName: String? {
        guard let name = super.name, let first = name.utf8.first else { return nil }
        return first == UInt8(ascii: "N") && name.hasPrefix("NSOperationQueue 0x") ? nil : name
    }
    var storedLimit: Int { super.maxConcurrentOperationCount }
    var storedIsSuspended: Bool { super.isSuspended }
}

extension Operation {
    // Sound because nothing of the subclass's own is used.
    var base: StoredOperation {
        Unmanaged.fromOpaque(Unmanaged.passUnretained(self).toOpaque()).takeUnretainedValue()
    }
}

extension OperationQueue {
    // Sound as above.
    var base: StoredQueue {
        Unmanaged.fromOpaque(Unmanaged.passUnretained(self).toOpaque()).takeUnretainedValue()
    }
}
