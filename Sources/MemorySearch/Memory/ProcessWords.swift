/// What stands at addresses of a process: in the copy of its memory, or in what it never changes, such as
/// descriptors of types, which were not copied but are still there.
struct ProcessWords {
    let copy: MemoryCopy

    private static let longestText = 512

    init(_ copy: MemoryCopy) { self.copy = copy }

    func word(_ address: UInt64) -> UInt64? {
        if let region = copy.region(of: address), region.isCopied(address) { return copy.word(address) }
        return bytes(address, 8)?.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }

    /// Aligned to 4.
    func half(_ address: UInt64) -> UInt32? {
        word(address & ~7).map { UInt32(truncatingIfNeeded: $0 >> ((address & 4) * 8)) }
    }

    func byte(_ address: UInt64) -> UInt8? {
        word(address & ~7).map { UInt8(truncatingIfNeeded: $0 >> ((address & 7) * 8)) }
    }

    /// The address that is stored as the distance from where it is stored.
    func relative(_ address: UInt64) -> UInt64? {
        half(address).map { address &+ UInt64(bitPattern: Int64(Int32(bitPattern: $0))) }
    }

    /// Bytes up to a zero; nil if they are not UTF-8, or too many.
    func text(_ address: UInt64?) -> String? {
        guard let address, let bytes = bytes(address, Self.longestText) else { return nil }
        let name = bytes.prefix { $0 != 0 }
        guard !name.isEmpty, name.count < bytes.count else { return nil }
        return String(validating: name, as: UTF8.self)
    }

    /// A `String` or `String?` of Swift, as `StringObject.swift` of its library describes it; nil for none.
    func string(_ address: UInt64) -> String? {
        guard let first = word(address), let second = word(address &+ 8), second != 0 else { return nil }
        let small: UInt64 = 1 << 61
        if second & small != 0 {
            let bytes: [UInt8] = (0..<16).map { index in
                let half: UInt64 = index < 8 ? first : second
                return UInt8(truncatingIfNeeded: half >> UInt64(index % 8 * 8))
            }
            return String(validating: bytes.prefix(Int(bytes[15] & 0x0f)), as: UTF8.self)
        }
        // The count in 48 bits; the text 32 bytes behind the address.
        let count = Int(min(first & 0xffff_ffff_ffff, UInt64(Self.longestText)))
        return bytes((second & 0x0fff_ffff_ffff_ffff) &+ 32, count).flatMap {
            String(validating: $0, as: UTF8.self)
        }
    }

    /// Fewer if the mapping ends earlier; nil if they cannot be read.
    private func bytes(_ address: UInt64, _ count: Int) -> [UInt8]? {
        guard let mapping = copy.mapping(of: address), mapping.isReadable else { return nil }
        let size = min(count, Int(mapping.end - address))
        let bytes = ProcessMemory.bytes(copy.process, address, size)
        return bytes.isEmpty || count <= 8 && size < count ? nil : bytes
    }
}
