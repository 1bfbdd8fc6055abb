/// The operation whose body the calling code belongs to: what it enqueues are its children.
///
/// A task-local value holds on a thread as well as in a task, and tasks that a body starts inherit it.
enum CurrentOperation {
    @TaskLocal static var id: OperationID?
}
