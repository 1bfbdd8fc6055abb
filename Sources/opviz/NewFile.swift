import Foundation
import Synchronization

/// A file that has no name until it is whole, so that one who is interrupted leaves nothing. Where the file
/// system cannot have such files, it has a name beside the one that it gets.
struct NewFile {
    let descriptor: Int32
    /// A short name: the one that it gets may be as long as a name can be.
    private let name: String
    private let isNameless: Bool
    /// Several may be written at the same time.
    private static let count = Atomic(0)

    /// `nil` where it cannot be made, and `errno` says why.
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

    /// Gives it that name, whatever had it before. False where that fails, and `errno` says why; it is gone
    /// then.
    func replace(_ path: String) -> Bool {
        defer { close(descriptor) }
        // A name can only be given where there is none, and so it takes two steps.
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
