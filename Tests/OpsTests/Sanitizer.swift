import Foundation

/// What the tests were built with.
enum Sanitizer {
    /// Threads wait for each other in the runtime of ThreadSanitizer.
    static let isThread = isLoaded("__tsan_init")
    /// The runtime maps terabytes of address space.
    static let needsAddressSpace = isThread || isLoaded("__asan_init")

    private static func isLoaded(_ function: String) -> Bool {
        dlsym(UnsafeMutableRawPointer(bitPattern: 0), function) != nil
    }
}
