import Foundation

/// What the tests were built with.
enum Sanitizer {
    /// Threads wait for each other in its runtime, and it takes address space by the terabyte.
    static let isThread = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__tsan_init") != nil
}
