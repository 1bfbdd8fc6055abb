package import EventLog
import InspectorColumns

/// An operation for a trace that does not come from a log. It has the properties of `TracedOperation`, with
/// setters.
package struct OperationDraft: Sendable {
    package var id: OperationID
    package var kind: String
    package var name: String?
    package var queue: Int?
    package var parent: Int?
    package var process = 0
    package var priority = 0
    package var enqueued: TraceMoment?
    package var ready: TraceMoment?
    package var executing: TraceMoment?
    package var bodyBegan: TraceMoment?
    package var bodyEnded: TraceMoment?
    package var cancelled: TraceMoment?
    package var finished: TraceMoment?
    package var unnotifiedFinish: TraceMoment?
    package var outcome: Outcome?
    package var thread: UInt64?

    package init(id: OperationID, kind: String) {
        self.id = id
        self.kind = kind
    }
}

extension TracedOperations {
    /// Linear in the number of operations. Clamps indices and priorities to 32 bits.
    package init(_ drafts: some Sequence<OperationDraft>) {
        var columns = OperationColumns()
        var texts = InternedTexts()
        for (index, draft) in drafts.enumerated() {
            columns.append(draft.id.rawValue)
            columns.kinds[index] = columns.kind(texts.number(of: draft.kind), texts)
            if let name = draft.name { columns.names[index] = texts.number(of: name) }
            if let queue = draft.queue { columns.queues[index] = Int32(clamping: queue) }
            if let parent = draft.parent { columns.parents[index] = Int32(clamping: parent) }
            if draft.process != 0 { columns.processes[index] = Int32(clamping: draft.process) }
            columns.priorities[index] = Int32(clamping: draft.priority)
            columns.enqueued[index] = draft.enqueued
            columns.ready[index] = draft.ready
            columns.executing[index] = draft.executing
            columns.bodyBegan[index] = draft.bodyBegan
            columns.bodyEnded[index] = draft.bodyEnded
            columns.cancelled[index] = draft.cancelled
            columns.finished[index] = draft.finished
            columns.unnotifiedFinish[index] = draft.unnotifiedFinish
            switch draft.outcome {
            case nil: break
            case .succeeded: columns.outcomes[index] = OperationColumns.succeeded
            case .cancelled: columns.outcomes[index] = OperationColumns.cancelled
            case .failed(let message):
                columns.outcomes[index] = OperationColumns.failed + texts.number(of: message)
            }
            if let thread = draft.thread {
                columns.threads[index] = columns.thread(
                    ProcessThread(process: Int32(clamping: draft.process), number: thread))
            }
        }
        self.init(OperationStore(columns, texts))
    }
}
