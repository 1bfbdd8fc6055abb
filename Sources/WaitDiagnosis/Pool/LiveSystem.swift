import Foundation

/// What watching asks the system besides the log. Tests pass in their own.
package struct LiveSystem {
    /// The name of this machine.
    package var host: String
    /// The contents of a short file; nil if it cannot be read.
    package var contents: (String) -> String?
    /// Nanoseconds of a clock that never goes back.
    package var now: () -> Int64

    package init(host: String, contents: @escaping (String) -> String?, now: @escaping () -> Int64) {
        (self.host, self.contents, self.now) = (host, contents, now)
    }

    /// The real one.
    package static var real: LiveSystem {
        LiveSystem(host: hostName, contents: read) {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
    }

    private static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { buffer in
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
        }
    }
}
