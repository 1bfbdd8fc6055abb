import Foundation

/// How many files this process may open. The initial limit is lower than the maximum, and each recorded
/// process takes two descriptors.
enum DescriptorLimit {
    #if os(Linux)
        /// The limit that this process was started with.
        private static let given: rlimit = {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            return limit
        }()
    #endif

    /// Gives programs that are started from now on the original limit.
    static func restore() {
        #if os(Linux)
            var limit = given
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
    }

    /// Call this when the program has been started.
    static func raise() {
        #if os(Linux)
            var limit = given
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
    }
}
