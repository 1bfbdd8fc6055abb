import Foundation

// Reads Foundation's own values of operations and queues. A program reads these through properties that
// subclasses override. Recording never calls the program's overrides: they may take a lock that the thread
// holds.
//
// The classes here have no state and no instances. Their methods are `final`, so a call does not use the
// table of the object's class. They call `super`, which is Foundation's own method, on an object of any
// class.

/// An operation's values in Foundation.
final class StoredOperation: Operation, @unchecked Sendable {
    var storedName: String? { super.name }
    var storedDependencies: [Operation] { super.dependencies }
    var storedPriority: Int { super.queuePriority.rawValue }
    var storedIsReady: Bool { super.isReady }
    var storedIsExecuting: Bool { super.isExecuting }
    var storedIsFinished: Bool { super.isFinished }
    var storedIsCancelled: Bool { super.isCancelled }
}

/// A queue's values in Foundation.
final class StoredQueue: OperationQueue, @unchecked Sendable {
    var storedName: String? { super.name }
    var givenName: String? { Self.givenName(storedName) }
    /// Nil if Foundation made up the name from the queue's address.
    static func givenName(_ stored: String?) -> String? {
        guard let name = stored, let first = name.utf8.first else { return nil }
        return first == UInt8(ascii: "N") && name.hasPrefix("NSOperationQueue 0x") ? nil : name
    }
    var storedLimit: Int { super.maxConcurrentOperationCount }
    var storedIsSuspended: Bool { super.isSuspended }
}

extension Operation {
    // Sound because the methods use none of the subclass's own members.
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
