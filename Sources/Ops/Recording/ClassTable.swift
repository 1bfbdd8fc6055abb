/// The table of methods in the metadata of a class, as Swift lays it out on Linux.
struct ClassTable {
    /// The address of the class's metadata.
    let metadata: UnsafeRawPointer

    /// The words of metadata before the first method.
    private static let firstMethod = 7

    init(of type: AnyClass) {
        // Sound because the value of a class's metatype is the address of its metadata.
        metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    /// The address of the method in a slot.
    func method(_ slot: Int) -> UnsafeRawPointer? {
        metadata.load(fromByteOffset: slot * 8, as: UnsafeRawPointer?.self)
    }

    /// The words in which `overriding` differs from `base`, but `plain`, which overrides nothing, does not.
    static func slots(base: AnyClass, plain: AnyClass, overriding: AnyClass) -> [Int] {
        let (base, plain, changed) = (Self(of: base).words, Self(of: plain).words, Self(of: overriding).words)
        guard plain.count >= base.count, changed.count >= base.count, base.count > firstMethod else {
            return []
        }
        return (firstMethod..<base.count).filter { base[$0] == plain[$0] && base[$0] != changed[$0] }
    }

    private var words: UnsafeBufferPointer<UInt> {
        // The size of the metadata in bytes, and how much of it lies before its address.
        let size = metadata.load(fromByteOffset: 32, as: UInt32.self)
        let before = metadata.load(fromByteOffset: 36, as: UInt32.self)
        guard size > before, size < 1 << 16 else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(
            start: metadata.assumingMemoryBound(to: UInt.self), count: Int(size - before) / 8)
    }
}
