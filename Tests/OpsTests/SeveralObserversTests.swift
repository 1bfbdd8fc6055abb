import Foundation
import Ops
import Testing

@Suite("Several observers")
struct SeveralObserversTests {
    @Test("several observers are notified in the order of installation, one's body inside the other's")
    func severalObservers() {
        let (journal, queueName) = (Journal(), "several observers \(UUID().uuidString)")
        let observers = [("first", true), ("without account", false), ("last", true)].map {
            NestedObserver($0, keepsAccounts: $1, queueName, journal)
        }
        let registrations = observers.map { OperationObservers.install($0) }
        defer { for registration in registrations { registration.remove() } }
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.name = queueName
        let watched = Mutexed<WatchedOperation?>(nil)
        queue.addOperation {
            journal.note("body")
            watched.withLock { $0 = WatchedOperation.current }
        }
        queue.drain()
        #expect(
            journal.all == [
                "first: enqueued", "without account: enqueued", "last: enqueued", "first: ready",
                "last: ready", "first: begins", "last: begins", "body", "last: ends", "first: ends",
                "first: finished", "last: finished",
            ])
        let names = observers.map { observer in
            watched.withLock { $0 }?.account(by: observer)?.observer.name
        }
        #expect(names == ["first", nil, "last"])
    }

    private final class NestedObserver: OperationObserver {
        let name: String
        let keepsAccounts: Bool
        let queueName: String
        let journal: Journal

        init(_ name: String, keepsAccounts: Bool, _ queueName: String, _ journal: Journal) {
            self.name = name
            self.keepsAccounts = keepsAccounts
            self.queueName = queueName
            self.journal = journal
        }

        func note(_ entry: String) { journal.note("\(name): \(entry)") }

        func enqueued(
            _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
        ) -> Account? {
            guard operation.details?.queueName == queueName else { return nil }
            note("enqueued")
            return keepsAccounts ? Account(self) : nil
        }

        final class Account: OperationAccount {
            let observer: NestedObserver
            init(_ observer: NestedObserver) { self.observer = observer }
            func ready() { observer.note("ready") }
            func body(_ run: () -> Void) {
                observer.note("begins")
                run()
                observer.note("ends")
            }
            func finished(_ outcome: Outcome, error: (any Error)?) { observer.note("finished") }
        }
    }

    @Test("several observers are released when they were removed, though the queue lives on")
    func releasedObserver() {
        weak var observer: ObserverJournal?
        let queue = InstrumentedQueue(recorder: Recorder())
        func observe() {
            let journal = ObserverJournal()
            observer = journal
            let registration = OperationObservers.install(journal)
            queue.name = journal.queueName
            queue.addOperation {}
            // What is kept for an operation of a class that is not observed is swept later.
            if Observation.isOfClasses { queue.addOperation(ForeignOperation("foreign")) }
            queue.drain()
            #expect(journal["BlockOperation"] == ["enqueued", "ready", "executing", "body", "succeeded"])
            registration.remove()
        }
        observe()
        #expect(soon { observer == nil })
    }
}
