import Foundation

/// How many files this process may have open. What it is started with is lower than what it may ask for, and
/// each recorded process takes two.
enum DescriptorLimit {
    #if os(Linux)
        /// As this process was started with it.
        private static let given: rlimit = {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            return limit
        }()
    #endif

    /// What is started from now on has the limit that it would have had.
    static func restore() {
        #if os(Linux)
            var limit = given
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
    }

    /// To be called when the program has been started.
    static func raise() {
        #if os(Linux)
            var limit = given
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
    }
}
