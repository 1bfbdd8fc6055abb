import Foundation

/// Follows an operation of a class that is not ours, from outside: what becomes known late is logged as an interval.
enum PassiveObservation {
    /// Called on the enqueuing thread, before the operation is added to its queue.
    static func follow(_ operation: Operation, as observation: OperationObservation) {
        let known = operation.dependencies
        observation.queue.addForeign(observation)
        FinishSentinel.watch(known) { [weak operation] in
            // A dependency may have been added meanwhile.
            guard let operation, operation.isReady else { return }
            noteCancellation(of: operation, observation)
            observation.noteReady(notBefore: known.isEmpty ? nil : observation.enqueueTime)
        }
        FinishSentinel.watch([operation]) { [weak operation] in
            guard let operation else { return }
            noteFinish(of: operation, known: known.count, observation)
        }
    }

    private static func noteFinish(of operation: Operation, known: Int, _ observation: OperationObservation) {
        observation.queue.removeForeign(observation.id)
        let earliest = observation.enqueueTime
        for dependency in operation.dependencies.dropFirst(known) {
            observation.noteDependency(on: dependency)
        }
        noteCancellation(of: operation, observation)
        observation.armReadiness(of: operation)
        observation.noteReady(notBefore: earliest)
        if operation.isCancelled {
            // Whether its body ran cannot be told from outside.
            observation.noteFinished(.cancelled, notBefore: earliest)
        } else {
            observation.noteExecuting(notBefore: earliest)
            observation.noteFinished(.succeeded, notBefore: earliest)
        }
    }

    private static func noteCancellation(of operation: Operation, _ observation: OperationObservation) {
        guard operation.isCancelled else { return }
        observation.noteCancelled(notBefore: observation.enqueueTime)
    }
}
