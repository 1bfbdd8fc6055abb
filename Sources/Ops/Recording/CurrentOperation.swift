/// The operation whose body the calling code belongs to. It becomes the parent of operations that the code
/// enqueues.
///
/// A task-local value applies on a thread as well as in a task, and tasks that a body starts inherit it.
struct CurrentOperation {
    /// The number of the log that the identifier belongs to. In another log it means another operation.
    let log: UInt64
    let id: OperationID

    @TaskLocal static var value: CurrentOperation?

    func id(in log: RecordLog) -> OperationID? { log.number == self.log ? id : nil }
}
