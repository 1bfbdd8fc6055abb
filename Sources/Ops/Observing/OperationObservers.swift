import CRecorder

/// Those who hear of operations in this process.
public enum OperationObservers {
    private static let installed = Locked<[any OperationObserver]>([])

    /// Tells `observer` of every operation that is enqueued from now on. Of those that were enqueued before
    /// it hears nothing.
    ///
    /// Any thread. While nobody is installed an operation costs one atomic read; then, two to four
    /// microseconds and what the observers do.
    ///
    /// - Returns: what ends it. Keep it only where it is to end.
    @discardableResult
    public static func install(_ observer: some OperationObserver) -> ObserverRegistration {
        ForeignOperationWatch.begin()
        installed.withLock { observers in
            observers.append(observer)
            recorder_set_watched(true)
        }
        return ObserverRegistration(observer: observer)
    }

    fileprivate static func remove(_ observer: any OperationObserver) {
        installed.withLock { observers in
            observers.removeAll { $0 === observer }
            recorder_set_watched(!observers.isEmpty)
        }
    }

    /// Whether anybody is to hear of operations that are enqueued now.
    static var isAnyInstalled: Bool { recorder_is_watched() && !recorder_is_forked_child() }

    static var all: [any OperationObserver] { installed.withLock { $0 } }
}

/// An observer that is installed.
public struct ObserverRegistration: Sendable {
    let observer: any OperationObserver

    /// It hears of no operation that is enqueued from now on; of those before, until they have finished.
    public func remove() { OperationObservers.remove(observer) }
}
