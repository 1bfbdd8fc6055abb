import Foundation

/// Finds the names of functions in the files that contain their code.
package final class FunctionNames {
    /// A file that a program has loaded.
    package struct File: Hashable, Sendable {
        package let path: String
        /// In hexadecimal digits. Nil if the file has no build ID.
        package let buildID: String?
        /// When it was loaded, in seconds since 1970.
        package let loaded: Int

        package init(path: String, buildID: String?, loaded: Int) {
            self.path = path
            self.buildID = buildID
            self.loaded = loaded
        }

        /// The last part of its path.
        package var name: String { String(FilePath.name(path)) }
    }

    private var known: [File: [UInt64: String]] = [:]

    package init() {}

    /// The function at each of these offsets in a file. Reads its symbols once. A function without a symbol
    /// is named after the file and the address where it begins, `app+0x1f40`; those of the C library, which
    /// is always stripped, only after the file.
    package func names(at offsets: Set<UInt64>, in file: File) -> [UInt64: String] {
        let new = offsets.filter { known[file]?[$0] == nil }
        if !new.isEmpty { known[file, default: [:]].merge(Self.find(new, in: file)) { $1 } }
        return known[file] ?? [:]
    }

    /// Those of these offsets in a file that are in functions that set up no frame, so that their callers are
    /// not seen. Empty if that is not known.
    package func withoutFrames(_ offsets: Set<UInt64>, in file: File) -> Set<UInt64> {
        #if arch(x86_64)
            guard let elf = ELFFile(path: file.path), Self.isSame(elf, file), let table = UnwindTable(elf)
            else {
                return []
            }
            return offsets.filter { offset in
                guard let address = elf.address(ofOffset: offset), let start = table.start(of: address),
                    address - start <= offset
                else { return false }
                return !Self.setsUpFrame(elf, at: offset - (address - start))
            }
        #else
            // Compilers for other processors keep frame pointers.
            return []
        #endif
    }

    #if arch(x86_64)
        /// Whether a function at an offset begins with push %rbp; mov %rsp, %rbp. Before it may be a mark for
        /// indirect branches, endbr64.
        private static func setsUpFrame(_ elf: ELFFile, at offset: UInt64) -> Bool {
            let (setUp, mark): ([UInt8], [UInt8]) = ([0x55, 0x48, 0x89, 0xe5], [0xf3, 0x0f, 0x1e, 0xfa])
            let code = elf.bytes.read(Int(clamping: offset), 8)
            return code.starts(with: setUp) || code.starts(with: mark + setUp)
        }
    #endif

    /// Whether most functions of a file set up no frame. Nil if that is not known.
    static func lacksFrames(_ elf: ELFFile) -> Bool? {
        #if arch(x86_64)
            guard let table = UnwindTable(elf) else { return nil }
            let offsets = table.starts.compactMap { elf.offset(ofAddress: $0) }
            guard !offsets.isEmpty else { return nil }
            return offsets.count { setsUpFrame(elf, at: $0) } * 2 < offsets.count
        #else
            return false
        #endif
    }

    private static func find(_ offsets: Set<UInt64>, in file: File) -> [UInt64: String] {
        var names = Dictionary(uniqueKeysWithValues: offsets.map { ($0, file.name) })
        guard let elf = ELFFile(path: file.path), isSame(elf, file) else { return names }
        var addresses: [UInt64: UInt64] = [:]
        for offset in offsets { addresses[offset] = elf.address(ofOffset: offset) }
        let linked = ELFSymbols(elf)?.names(at: Array(Set(addresses.values))) ?? [:]
        let starts = CLibrary.contains(file: file.name) ? nil : UnwindTable(elf)
        for (offset, address) in addresses {
            if let name = FunctionName.best(linked[address] ?? []) {
                names[offset] = FunctionName.text(linked: name)
            } else if let start = starts?.start(of: address) {
                names[offset] = file.name + "+0x" + String(start, radix: 16)
            }
        }
        return names
    }

    /// Whether the file is still the one that was loaded: by its build ID, or else because it did not change
    /// since.
    private static func isSame(_ elf: ELFFile, _ file: File) -> Bool {
        if let buildID = file.buildID { return elf.buildID == buildID }
        return elf.bytes.changed <= file.loaded
    }
}

/// The library that starts programs and their threads.
package enum CLibrary {
    /// Whether a file with this name is part of it, of glibc or musl.
    package static func contains(file name: String) -> Bool {
        ["libc.", "ld-", "libpthread."].contains { name.hasPrefix($0) }
    }
}
