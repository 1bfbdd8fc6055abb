#if canImport(ObjectiveC)
    import Foundation
    import ObjectiveC

    /// Observes an operation of a class outside this package on Darwin, where every class announces its
    /// transitions. This code has never been run: this project is built and tested on Linux.
    enum KeyValueObservation {
        /// Its address is the key under which an operation stores its observers.
        nonisolated(unsafe) private static var key: UInt8 = 0

        /// Called on the enqueuing thread, before the operation is added to its queue.
        static func record(_ operation: Operation, as observation: OperationObservation) {
            let observers = [
                operation.observe(\.isReady, options: .initial) { operation, _ in
                    let question = observation.readinessQuestion
                    if operation.isReady { observation.recordReady(question) }
                },
                operation.observe(\.isCancelled) { operation, _ in
                    if operation.isCancelled { observation.recordCancelled() }
                },
                operation.observe(\.isExecuting) { operation, _ in
                    if operation.isExecuting { observation.recordExecuting() }
                },
                operation.observe(\.isFinished) { operation, _ in
                    if operation.isFinished {
                        observation.recordFinished(operation.isCancelled ? .cancelled : .succeeded)
                    }
                },
            ]
            // The observers live as long as the operation.
            objc_setAssociatedObject(operation, &key, observers, .OBJC_ASSOCIATION_RETAIN)
        }
    }
#endif
