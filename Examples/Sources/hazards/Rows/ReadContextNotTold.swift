import Foundation
import Ops

extension HazardProgram {
    /// A view reads from a snapshot of the store, as with database contexts. If it is not notified when a
    /// background operation saves, it shows old data.
    static let readContextNotTold = HazardProgram(
        id: "read-context-not-told",
        summary: "a read context is not told of what a background operation saved: stale data on screen",
        wrong: {
            let queue = InstrumentedQueue()
            queue.name = "store"
            let (store, shown) = (Store(), Shared(""))
            let context = store.readContext()
            let save = BlockOperation { store.save("new") }
            save.name = "save"
            let show = BlockOperation { shown.value = context.title }
            show.name = "show"
            show.addDependency(save)
            queue.addOperations([save, show], waitUntilFinished: false)
            _ = queue.isEmpty()
            return Verdict(shown.value == "new", "saved: new; shown: \(shown.value)")
        },
        right: {
            let queue = InstrumentedQueue()
            queue.name = "store"
            let store = Store()
            let context = store.readContext()
            let save = SynchronousOperation(name: "save") { store.save("new") }
            let tell = save.then(name: "tell contexts") { store.tellContexts() }
            let show = tell.then(name: "show") { context.title }
            queue.addOperations([save, tell, show], waitUntilFinished: false)
            guard queue.isEmpty(), case .success(let title)? = show.output else {
                return .wentWrong("nothing was shown")
            }
            return Verdict(title == "new", "saved: new; shown: \(title)")
        })
}

/// Stands for a database.
private final class Store: Sendable {
    private let title = Shared("old")
    private let contexts = Shared<[ReadContext]>([])

    func save(_ title: String) { self.title.value = title }

    func readContext() -> ReadContext {
        let context = ReadContext(title.value)
        contexts.update { $0.append(context) }
        return context
    }

    func tellContexts() { for context in contexts.value { context.refresh(title.value) } }
}

/// What a view reads: the store as it was at the last notification of the context.
private final class ReadContext: Sendable {
    private let snapshot: Shared<String>

    init(_ title: String) { snapshot = Shared(title) }

    var title: String { snapshot.value }

    func refresh(_ title: String) { snapshot.value = title }
}
