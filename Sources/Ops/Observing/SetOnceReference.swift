import Synchronization

/// A reference that is set once, and then read without a lock.
struct SetOnceReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
    // Retained here once it is set. Nobody replaces it, so it is valid as long as this value is.
    private let stored = Atomic<Unmanaged<Instance>?>(nil)

    var value: Instance? { stored.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Calls `body` with the reference, if it is set. Unlike `value`, this does not retain it.
    func withValue(_ body: (Instance) -> Void) {
        stored.load(ordering: .acquiring)?._withUnsafeGuaranteedRef(body)
    }

    /// False if it was set before, to something else.
    func set(_ instance: Instance) -> Bool {
        let retained = Unmanaged.passRetained(instance)
        let isFirst = stored.compareExchange(
            expected: nil, desired: retained, ordering: .acquiringAndReleasing
        ).exchanged
        if !isFirst { retained.release() }
        return isFirst
    }

    deinit { stored.load(ordering: .acquiring)?.release() }
}
