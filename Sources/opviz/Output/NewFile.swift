import Foundation
import Synchronization

/// A file that has no name until it is complete, so that an interruption leaves nothing. If the file system
/// does not support such files, it has a temporary name beside the final one.
struct NewFile {
    let descriptor: Int32
    /// A short name, because the final name may be as long as possible.
    private let name: String
    private let isNameless: Bool
    /// Several files may be written at the same time.
    private static let count = Atomic(0)

    /// `nil` if it cannot be created; `errno` has the reason.
    init?(in folder: String) {
        let number = Self.count.add(1, ordering: .relaxed).newValue
        name = (folder as NSString).appendingPathComponent(".opviz.\(getpid()).\(number).tmp")
        #if os(Linux)
            // O_TMPFILE, which Swift does not import.
            let temporary = 0o20_000_000 | O_DIRECTORY
            let nameless = open(folder.isEmpty ? "." : folder, O_WRONLY | temporary | O_CLOEXEC, 0o666)
            if nameless >= 0 {
                descriptor = nameless
                isNameless = true
                return
            }
        #endif
        let named = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard named >= 0 else { return nil }
        descriptor = named
        isNameless = false
    }

    /// Gives the file this name, and replaces an existing file. Returns false on failure, with the reason in
    /// `errno`; the file is then removed.
    func replace(_ path: String) -> Bool {
        defer { close(descriptor) }
        // Linking requires an unused name, so this takes two steps.
        guard !isNameless || giveName() else { return false }
        guard rename(name, path) == 0 else {
            let failure = errno
            unlink(name)
            errno = failure
            return false
        }
        return true
    }

    func discard() {
        close(descriptor)
        if !isNameless { unlink(name) }
    }

    private func giveName() -> Bool {
        unlink(name)
        return linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
    }
}
