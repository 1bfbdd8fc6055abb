import CRecorder

/// The observers of operations in this process.
public enum OperationObservers {
    private static let installed = Locked<[any OperationObserver]>([])

    /// Notifies `observer` about every operation that is enqueued from now on. Operations that were enqueued
    /// earlier are not reported.
    ///
    /// Any thread. While no observer is installed, an operation costs one atomic read. With one, it costs one
    /// to four microseconds, plus the observers' own time.
    ///
    /// - Returns: a registration that removes the observer. You can ignore it to keep the observer installed.
    @discardableResult
    public static func install(_ observer: some OperationObserver) -> ObserverRegistration {
        InterposedEvents.begin()
        installed.withLock { observers in
            observers.append(observer)
            recorder_set_has_observers(true)
        }
        return ObserverRegistration(observer: observer)
    }

    fileprivate static func remove(_ observer: any OperationObserver) {
        installed.withLock { observers in
            observers.removeAll { $0 === observer }
            recorder_set_has_observers(!observers.isEmpty)
        }
    }

    /// Whether any observer receives the operations that are enqueued now.
    static var isAnyInstalled: Bool { recorder_has_observers() && !recorder_is_forked_child() }

    static var all: [any OperationObserver] { installed.withLock { $0 } }
}

/// An installed observer.
public struct ObserverRegistration: Sendable {
    let observer: any OperationObserver

    /// Removes the observer. It receives no operation that is enqueued from now on, but still receives the
    /// events of earlier ones until they have finished.
    public func remove() { OperationObservers.remove(observer) }
}
