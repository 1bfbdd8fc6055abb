import CRecordHost
import EventLog
import Foundation

/// A copy of everything in a stopped process in which it could keep an address: its own pages that it has
/// written to, and those that it shares with others.
final class MemoryCopy {
    /// A copied mapping. Pages that the process has never used are zero, and take no memory.
    struct Region {
        let mapping: MemoryMapping
        /// Index of the mapping.
        let index: Int
        let bytes: UnsafeMutableRawPointer
        /// The stretches that were copied, as offsets.
        let used: [Range<Int>]

        var start: UInt64 { mapping.start }
        var end: UInt64 { mapping.end }
        var size: Int { Int(mapping.end - mapping.start) }

        /// Whether the process has written to the page of an address that lies within. Others are as in their
        /// file, or zero.
        func isCopied(_ address: UInt64) -> Bool {
            let offset = Int(address - start)
            let place = used.partitioningIndex { $0.upperBound > offset }
            return place < used.count && used[place].contains(offset)
        }

        /// The word at an address that lies within.
        func word(_ address: UInt64) -> UInt64 {
            bytes.loadUnaligned(fromByteOffset: Int(address - start), as: UInt64.self)
        }
    }

    /// The number of the process.
    let process: Int32
    let mappings: [MemoryMapping]
    /// By their addresses.
    private(set) var regions: [Region] = []
    /// How many bytes were copied.
    private(set) var size = 0
    /// What could not be copied; nil if everything was.
    private(set) var unseen: String?

    /// Address space; a program that takes more has a sanitizer's shadow memory, for instance.
    private static let mostAddresses: UInt64 = 1 << 37
    /// Larger memory that nobody can read is only reserved.
    private static let mostHidden: UInt64 = 1 << 30
    private static let pageSize = UInt64(sysconf(Int32(_SC_PAGESIZE)))
    /// The kernel's answers for a page, from `Documentation/admin-guide/mm/pagemap.rst` of Linux.
    private static let isPresent: UInt64 = 1 << 63
    private static let isSwapped: UInt64 = 1 << 62
    private static let isOfFile: UInt64 = 1 << 61

    /// - Parameter most: how many bytes to copy at most.
    /// - Throws: `SearchRefusal` if the memory cannot be read, or is more than can be searched.
    init(_ process: Int32, most: Int) throws {
        guard let mappings = MemoryMapping.all(of: process) else {
            throw SearchRefusal("its memory is not shown to this user")
        }
        (self.process, self.mappings) = (process, mappings)
        let pages = FileHandle(forReadingAtPath: "/proc/\(process)/pagemap")
        defer { try? pages?.close() }
        guard let pages else { throw SearchRefusal("its memory is not shown to this user") }
        let wanted = mappings.indices.filter { Self.canKeepAddresses(mappings[$0]) }
        let addresses = wanted.reduce(into: UInt64(0)) { $0 += mappings[$1].end - mappings[$1].start }
        guard addresses <= Self.mostAddresses else {
            throw SearchRefusal("it has \(addresses >> 30) GB of address space, as under a sanitizer")
        }
        for mapping in mappings where mapping.isGuard && mapping.isAnonymous {
            guard mapping.end - mapping.start <= Self.mostHidden else { continue }
            if try !Self.usedPages(mapping, pages).isEmpty { unseen = "it keeps memory that nobody may read" }
        }
        for index in wanted {
            let mapping = mappings[index]
            let used = try Self.usedPages(mapping, pages)
            if used.isEmpty { continue }
            size += used.reduce(0) { $0 + $1.count }
            guard size <= most else {
                throw SearchRefusal("there is not enough memory for a copy of its memory")
            }
            let bytes = mmap(
                nil, Int(mapping.end - mapping.start), PROT_READ | PROT_WRITE,
                Int32(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE), -1, 0)
            guard let bytes, bytes != MAP_FAILED else {
                throw SearchRefusal("there is not enough memory for a copy of its memory")
            }
            regions.append(Region(mapping: mapping, index: index, bytes: bytes, used: used))
        }
        copyPages()
    }

    deinit { for region in regions { munmap(region.bytes, region.size) } }

    private static func canKeepAddresses(_ mapping: MemoryMapping) -> Bool {
        guard mapping.isReadable, !mapping.name.hasPrefix("[v") else { return false }
        // The log has numbers of tasks, not their addresses.
        if mapping.name.hasPrefix("/memfd:opviz") { return false }
        return mapping.isWritable || !mapping.isShared
    }

    /// The pages of a mapping that hold what the process wrote, as offsets.
    private static func usedPages(_ mapping: MemoryMapping, _ pages: FileHandle) throws -> [Range<Int>] {
        var used: [Range<Int>] = []
        let first = mapping.start / pageSize
        let count = (mapping.end - mapping.start) / pageSize
        var entries = [UInt64](repeating: 0, count: Int(min(count, 65_536)))
        var next: UInt64 = 0
        while next < count {
            let some = Int(min(UInt64(entries.count), count - next))
            let read = pread(pages.fileDescriptor, &entries, some * 8, off_t((first + next) * 8))
            guard read == some * 8 else { throw SearchRefusal("its memory is not shown to this user") }
            for index in 0..<some {
                let entry = entries[index]
                guard entry & (isPresent | isSwapped) != 0 else { continue }
                // A page of a file that the process only reads is as it is in the file.
                guard mapping.isShared || entry & isOfFile == 0 else { continue }
                let offset = (Int(next) + index) * Int(pageSize)
                if let last = used.last, last.upperBound == offset {
                    used[used.count - 1] = last.lowerBound..<offset + Int(pageSize)
                } else {
                    used.append(offset..<offset + Int(pageSize))
                }
            }
            next += UInt64(some)
        }
        return used
    }

    private func copyPages() {
        var (addresses, sizes, copies): ([UInt64], [UInt64], [UnsafeMutableRawPointer?]) = ([], [], [])
        for region in regions {
            for range in region.used {
                addresses.append(region.start + UInt64(range.lowerBound))
                sizes.append(UInt64(range.count))
                copies.append(region.bytes + range.lowerBound)
            }
        }
        let copied = stopped_process_copy(process, addresses, sizes, addresses.count, copies)
        // Memory of devices cannot be copied.
        if copied != size { unseen = "\(size - copied) bytes of its memory cannot be read" }
    }

    /// The region that contains an address; nil for none.
    func region(of address: UInt64) -> Region? {
        let place = regions.partitioningIndex { $0.end > address }
        return place < regions.count && regions[place].start <= address ? regions[place] : nil
    }

    /// The mapping that contains an address, copied or not.
    func mapping(of address: UInt64) -> MemoryMapping? {
        let place = mappings.partitioningIndex { $0.end > address }
        return place < mappings.count && mappings[place].start <= address ? mappings[place] : nil
    }

    /// The word at an address; nil if it was not copied.
    func word(_ address: UInt64) -> UInt64? {
        guard let region = region(of: address), address <= region.end - 8 else { return nil }
        return region.word(address)
    }
}
