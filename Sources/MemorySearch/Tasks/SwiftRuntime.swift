import EventLog
import Foundation

/// How Swift's runtime of tasks marks its objects in the memory of a process.
struct SwiftRuntime {
    /// What each task begins with, and each piece of a task's stack.
    let task, piece: UInt64
    /// What a task that has not begun goes on with.
    let beginnings: Set<UInt64>

    /// The variables of the runtime in which these are kept, in the order of `init`.
    private static let variables = [
        "_swift_concurrency_debug_asyncTaskMetadata", "_swift_concurrency_debug_asyncTaskSlabMetadata",
        "_swift_concurrency_debug_future_adapter", "_swift_concurrency_debug_non_future_adapter",
    ]

    /// Where the variables are in a process. Nil if the first of them is not found in the library, nor in the
    /// program.
    static func places(_ process: Int32, _ mappings: [MemoryMapping]) -> [UInt64?]? {
        MemoryMapping.addresses(
            ofVariables: variables, inLibrary: "swift_Concurrency", of: process, mappings)
    }

    /// Nil if the process has not set up its tasks.
    init?(_ copy: MemoryCopy, _ places: [UInt64?]) {
        let values = places.map { $0.flatMap(copy.word) ?? 0 }
        guard values.count == Self.variables.count, values[0] != 0 else { return nil }
        (task, piece) = (values[0], values[1])
        beginnings = Set(values[2...].filter { $0 != 0 })
    }
}
