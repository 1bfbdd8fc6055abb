import Foundation

/// Follows an operation of a class outside this package that is not observed. Transitions that are noticed
/// late are logged as intervals.
enum PassiveObservation {
    /// Called on the enqueuing thread, before the operation is added to its queue.
    static func follow(
        _ operation: Operation, as observation: OperationObservation, in queue: LoggedQueue
    ) {
        let known = operation.base.storedDependencies
        queue.addForeign(observation)
        FinishSentinel.watch(known) { [weak operation] in
            guard let operation else { return }
            if noteReadiness(
                of: operation, notBefore: known.isEmpty ? nil : observation.enqueueTime, observation)
            {
                return
            }
            // The same finish makes the operation ready, but Foundation has not got that far yet.
            let notBefore = observation.log.now
            DispatchQueue.global().async { [weak operation] in
                guard let operation else { return }
                _ = noteReadiness(of: operation, notBefore: notBefore, observation)
            }
        }
        FinishSentinel.watch([operation]) { [weak operation] in
            guard let operation else { return }
            queue.removeForeign(observation.id)
            noteFinish(of: operation, known: known.count, observation)
        }
    }

    private static func noteReadiness(
        of operation: Operation, notBefore: LogTime?, _ observation: OperationObservation
    ) -> Bool {
        // Not ready if a dependency was added meanwhile, or if the class decides its own readiness.
        let question = observation.readinessQuestion
        guard ClassInterposition.isKnownReady(operation) else { return false }
        noteCancellation(of: operation, observation)
        observation.noteReady(question, notBefore: notBefore)
        return true
    }

    private static func noteFinish(of operation: Operation, known: Int, _ observation: OperationObservation) {
        let earliest = observation.enqueueTime
        for dependency in operation.base.storedDependencies.dropFirst(known) {
            observation.noteDependency(on: dependency) {}
        }
        noteCancellation(of: operation, observation)
        observation.armReadiness(of: operation)
        observation.noteReady(notBefore: earliest)
        if operation.base.storedIsCancelled {
            // It is not known whether its body ran.
            observation.noteFinished(.cancelled, notBefore: earliest)
        } else {
            observation.noteExecuting(notBefore: earliest)
            observation.noteFinished(.succeeded, notBefore: earliest)
        }
    }

    private static func noteCancellation(of operation: Operation, _ observation: OperationObservation) {
        guard operation.base.storedIsCancelled else { return }
        observation.noteCancelled(notBefore: observation.enqueueTime)
    }
}
