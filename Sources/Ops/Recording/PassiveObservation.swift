import Foundation

/// Records an operation of a class outside this package that is not observed. Transitions that are noticed
/// late are logged as intervals.
enum PassiveObservation {
    /// Called on the enqueuing thread, before the operation is added to its queue.
    static func record(
        _ operation: Operation, as observation: OperationObservation, in queue: LoggedQueue
    ) {
        let known = operation.base.storedDependencies
        queue.addPassive(observation)
        FinishSentinel.observe(known) { [weak operation] in
            guard let operation else { return }
            if recordReadiness(
                of: operation, notBefore: known.isEmpty ? nil : observation.enqueueTime, observation)
            {
                return
            }
            // The same finish makes the operation ready, but Foundation has not got that far yet.
            let notBefore = observation.log.now
            DispatchQueue.global().async { [weak operation] in
                guard let operation else { return }
                _ = recordReadiness(of: operation, notBefore: notBefore, observation)
            }
        }
        FinishSentinel.observe([operation]) { [weak operation] in
            guard let operation else { return }
            queue.removePassive(observation.id)
            recordFinish(of: operation, known: known.count, observation)
        }
    }

    private static func recordReadiness(
        of operation: Operation, notBefore: LogTime?, _ observation: OperationObservation
    ) -> Bool {
        // Not ready if a dependency was added meanwhile, or if the class decides its own readiness.
        let question = observation.readinessQuestion
        guard ClassInterposition.isKnownReady(operation) else { return false }
        recordCancellation(of: operation, observation)
        observation.recordReady(question, notBefore: notBefore)
        return true
    }

    private static func recordFinish(of operation: Operation, known: Int, _ observation: OperationObservation)
    {
        let earliest = observation.enqueueTime
        for dependency in operation.base.storedDependencies.dropFirst(known) {
            observation.recordDependency(on: dependency) {}
        }
        recordCancellation(of: operation, observation)
        observation.armReadiness(of: operation)
        observation.recordReady(notBefore: earliest)
        if operation.base.storedIsCancelled {
            // It is not known whether its body ran.
            observation.recordFinished(.cancelled, notBefore: earliest)
        } else {
            observation.recordExecuting(notBefore: earliest)
            observation.recordFinished(.succeeded, notBefore: earliest)
        }
    }

    private static func recordCancellation(of operation: Operation, _ observation: OperationObservation) {
        guard operation.base.storedIsCancelled else { return }
        observation.recordCancelled(notBefore: observation.enqueueTime)
    }
}
