#if os(Linux)
    import Foundation

    /// A file system that is soon full: one in memory, mounted for the purpose, which takes the rights of
    /// root; else the folder that `OPVIZ_SMALL_DISK` names.
    final class SmallDisk {
        private static let megabytes = 600
        static let variable = "OPVIZ_SMALL_DISK"

        let path: String
        private let isMounted: Bool

        init?() {
            if let given = ProcessInfo.processInfo.environment[Self.variable] {
                var system = statvfs()
                // Nobody's own disk is to be filled by mistake.
                guard statvfs(given, &system) == 0, system.f_bavail * system.f_frsize < 2 << 30 else {
                    return nil
                }
                path = given
                isMounted = false
                return
            }
            path = NSTemporaryDirectory() + "recording-limits-\(getpid())"
            mkdir(path, 0o700)
            guard mount("opviz", path, "tmpfs", 0, "size=\(Self.megabytes)m") == 0 else {
                rmdir(path)
                return nil
            }
            isMounted = true
        }

        var log: String { path + "/log.optrace" }
        private var filler: String { path + "/filler" }

        /// Starts another process that writes until the disk is full.
        func fill() throws -> Process {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/dd")
            process.arguments = ["if=/dev/zero", "of=\(filler)", "bs=1M"]
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }

        /// Makes it empty again.
        func clear() {
            unlink(log)
            unlink(filler)
        }

        deinit {
            clear()
            guard isMounted else { return }
            // With MNT_DETACH: a thread that wrote into a log may still hold a mapping of it.
            umount2(path, 2)
            rmdir(path)
        }
    }
#endif
