/// Why the tasks of a program cannot be recorded: the numbers of `recorder_tasks_state` in CRecorder.
package enum TaskObstacle: UInt32 {
    case staticRuntime = 3
    case unknownRuntime = 4

    /// Follows a colon, after a sentence or name that says which program it is.
    package var reason: String {
        switch self {
        case .staticRuntime: "its Swift runtime is linked statically (-static-stdlib)"
        case .unknownRuntime: "its Swift runtime is another version than those that opviz knows"
        }
    }
}
