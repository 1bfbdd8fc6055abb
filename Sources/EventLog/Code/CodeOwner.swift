/// Whose code a file contains, by the file's name.
package enum CodeOwner: Sendable {
    case program
    /// A library that is neither Swift's nor the system's.
    case library
    /// Swift's own libraries, with Foundation and libdispatch.
    case swift
    case system

    /// - Parameter module: a file name, without a folder.
    package init(module: some StringProtocol) {
        let isLibrary = module.hasSuffix(".so") || module.contains(".so.") || module.hasSuffix(".dylib")
        if module.hasPrefix("[") {
            self = .system
        } else if !isLibrary {
            self = .program
        } else if Self.swiftPrefixes.contains(where: { module.hasPrefix($0) }) {
            self = .swift
        } else {
            self = Self.systemPrefixes.contains { module.hasPrefix($0) } ? .system : .library
        }
    }

    private static let swiftPrefixes = [
        "libswift", "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime", "libXCTest",
        "libopviz",
    ]
    private static let systemPrefixes = [
        "libc.", "libc-", "libm.", "libm-", "libpthread", "libdl", "librt", "libstdc++", "libgcc", "ld-",
        "libresolv",
    ]
}
