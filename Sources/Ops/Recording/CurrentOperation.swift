/// The operation whose body the calling code belongs to: what it enqueues are its children.
///
/// A task-local value holds on a thread as well as in a task, and tasks that a body starts inherit it.
struct CurrentOperation {
    /// The number of the log that knows it: to others its identifier means another operation.
    let log: UInt64
    let id: OperationID

    @TaskLocal static var value: CurrentOperation?

    func id(in log: RecordLog) -> OperationID? { log.number == self.log ? id : nil }
}
