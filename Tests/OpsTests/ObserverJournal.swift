import Foundation
import Ops
import Testing

/// Notes the events of the operations in one queue, or in the queues with one name, because others may run at
/// the same time.
final class ObserverJournal: OperationObserver {
    let queueName: String
    private let entries = Mutexed<[String: [String]]>([:])
    private let registration = Mutexed<ObserverRegistration?>(nil)

    init(_ queueName: String = "journal \(UUID().uuidString)") { self.queueName = queueName }

    /// Observes while `body` runs.
    static func observing<Result>(_ body: (ObserverJournal) throws -> Result) rethrows -> Result {
        let journal = ObserverJournal()
        let registration = OperationObservers.install(journal)
        defer { registration.remove() }
        return try body(journal)
    }

    static func observingAsynchronously<Result: Sendable>(
        _ body: (ObserverJournal) async throws -> Result
    ) async rethrows -> Result {
        let journal = ObserverJournal()
        let registration = OperationObservers.install(journal)
        defer { registration.remove() }
        return try await body(journal)
    }

    /// A queue whose operations it observes. Its recorder is off.
    func queue(recorder: Recorder = Recorder(), limit: Int = -1) -> InstrumentedQueue {
        let queue = InstrumentedQueue(recorder: recorder)
        queue.name = queueName
        queue.maxConcurrentOperationCount = limit
        return queue
    }

    /// The events of the operation with that name; or with that kind, if it has no name.
    subscript(_ name: String) -> [String] { entries.withLock { $0[name] ?? [] } }

    var names: Set<String> { entries.withLock { Set($0.keys) } }

    func enqueued(
        _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
    ) -> Account? {
        guard let details = operation.details, details.queueName == queueName else { return nil }
        let account = Account(details.label, self)
        var entry = "enqueued"
        if let parent = parent?.details?.label { entry += " by \(parent)" }
        if !predecessors.isEmpty {
            entry +=
                " after \(predecessors.map { $0.details?.label ?? "one unknown" }.joined(separator: ", "))"
        }
        account.note(entry)
        return account
    }

    final class Account: OperationAccount {
        private let name: String
        private let journal: ObserverJournal

        init(_ name: String, _ journal: ObserverJournal) {
            self.name = name
            self.journal = journal
        }

        func note(_ entry: String) { journal.entries.withLock { $0[name, default: []].append(entry) } }

        func dependencyAdded(on predecessor: WatchedOperation) {
            note("after \(predecessor.details?.label ?? "one unknown")")
        }
        func dependencyRemoved(on predecessor: WatchedOperation) {
            note("no longer after \(predecessor.details?.label ?? "one unknown")")
        }
        func ready() { note("ready") }
        func executing() { note("executing") }
        func cancelled() { note("cancelled") }
        func marked(_ text: String) { note("marked \(text)") }
        func bodyEnded() { note("body ended") }
        func finished(_ outcome: Outcome, error: (any Error)?) {
            switch outcome {
            case .succeeded: note("succeeded")
            case .cancelled: note("was cancelled")
            case .failed(let message): note("failed: \(message), \(error.map { "\($0)" } ?? "no error")")
            }
        }
        func body(_ run: () -> Void) {
            note("body")
            run()
        }
    }
}

extension WatchedOperation.Details {
    var label: String { name ?? kind }
}
