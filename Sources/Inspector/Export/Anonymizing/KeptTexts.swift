import EventLog
import InspectorAnalysis
import InspectorTraces

/// The texts that an anonymized trace keeps: those that opviz, Swift or the system wrote, and that are the
/// same in everybody's traces. They must be equal to a text of these lists; all others are replaced.
package enum KeptTexts {
    /// Kinds of Foundation and of closures, executors of the runtime, and `?` for a text that was lost.
    /// Analyses treat some of them in their own way. No class of Ops: it may be that of a program.
    private static let names: Set = [
        "?", "Operation", ClosureName.unknownKind, ClosureName.main, KnownKind.barrier, "global executor",
        "main actor", "CancellationError",
    ]

    /// What opviz writes about the search of a process's memory, without names in it. N is any number.
    private static let searched: Set = [
        "a closure", "another task", "its memory", "a timer", "a timer, a queue or a source of Dispatch",
        "what epoll watches", "it uses io_uring", "it uses the kernel's aio",
        "it keeps memory that nobody may read",
        "what its epoll watches is not shown", "its timers are not shown",
        "its descriptors are not shown to this user", "signals with values wait for it",
        "thread N", "N bytes of its memory cannot be read", "what is unread in descriptor N",
        "what is in descriptor N, a pipe, cannot be seen",
        "what is in descriptor N, a socket, cannot be seen",
    ]

    /// Libraries of Swift and the system. Their functions are in their own symbol tables, so they have no
    /// names of the program; a flame graph needs them, to tell the program's code from what runs it.
    private static let libraries: Set = [
        "[vdso]", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libc.so.6", "libm.so.6",
        "libpthread.so.0", "libstdc++.so.6", "libgcc_s.so.1", "libBlocksRuntime.so", "libdispatch.so",
        "libFoundation.so", "libFoundationEssentials.so", "libFoundationInternationalization.so",
        "libFoundationNetworking.so", "lib_FoundationICU.so", "libswiftCore.so", "libswiftDispatch.so",
        "libswiftGlibc.so", "libswift_Concurrency.so", "libswift_StringProcessing.so",
        "libswiftSynchronization.so", "libopviz-record.so",
    ]

    package static func contains(_ text: String) -> Bool {
        names.contains(text) || searched.contains(text.replacing(/[0-9]+/, with: "N"))
    }

    /// The file name of a library of Swift or the system, without the folder that it is in; nil for other
    /// files.
    static func library(_ module: String) -> String? {
        let name = String(FilePath.name(module))
        return libraries.contains(name) ? name : nil
    }

    /// Whether a function is one of opviz, or begins operations and threads, so that it may be part of a
    /// program's own file.
    static func containsFunction(_ function: String) -> Bool {
        StackTrimming.knownFunctions.contains(function)
    }

    /// All lists, for tests.
    package static var all: Set<String> {
        names.union(searched).union(libraries).union(StackTrimming.knownFunctions)
    }
}
