import Foundation

/// The functions of a program or library, from the symbol table of its ELF file. Nothing in the file is
/// trusted.
package struct ELFSymbols {
    private static let symbolSize = 24
    private static let symbolsInARow = 65_536
    private static let longestName = 4_096

    private let bytes: ELFBytes
    /// The offset of the symbols in the file, and their number.
    private let symbols: (start: Int, count: Int)
    private let names: Int
    /// Whether only the dynamic linker's table is left.
    let isStripped: Bool

    /// Nil if the file has no symbol table.
    init?(_ file: ELFFile) {
        let bytes = file.bytes
        self.bytes = bytes
        let (sections, size, count) = (bytes.uint64(40), bytes.uint16(58), bytes.uint16(60))
        guard size == 64 else { return nil }
        let headers = (0..<count).compactMap { index -> Int? in
            guard let start = bytes.offset(sections, plus: index * 64), start + 64 <= bytes.count else {
                return nil
            }
            return start
        }
        // The full table if the file was not stripped, otherwise the dynamic linker's table.
        let (whole, dynamic) = (2, 11)
        isStripped = !headers.contains { bytes.uint32($0 + 4) == whole }
        guard
            let table = headers.first(where: { bytes.uint32($0 + 4) == whole })
                ?? headers.first(where: { bytes.uint32($0 + 4) == dynamic }),
            let start = bytes.offset(bytes.uint64(table + 24), plus: 0),
            headers.indices.contains(bytes.uint32(table + 40)),
            let names = bytes.offset(bytes.uint64(headers[bytes.uint32(table + 40)] + 24), plus: 0)
        else { return nil }
        let room = max(0, bytes.count - start) / Self.symbolSize
        symbols = (start, min(room, Int(clamping: bytes.uint64(table + 32) / UInt64(Self.symbolSize))))
        self.names = names
    }

    /// The linked names of the functions at those addresses, in the order of the file. Reads the table once.
    func names(at addresses: [UInt64]) -> [UInt64: [String]] {
        let wanted = addresses.sorted()
        guard let least = wanted.first, let most = wanted.last else { return [:] }
        var found: [UInt64: [String]] = [:]
        var next = 0
        while next < symbols.count {
            let count = min(Self.symbolsInARow, symbols.count - next)
            let table = bytes.read(symbols.start + next * Self.symbolSize, count * Self.symbolSize)
            guard table.count == count * Self.symbolSize else { return found }
            next += count
            table.withUnsafeBytes { raw in
                // Uses the pointer, not the buffer: an unoptimized program may read its own table at its end.
                guard let words = raw.bindMemory(to: UInt64.self).baseAddress else { return }
                var index = 0
                while index < count * 3 {
                    // In the first word: the name in 32 bits, its kind in four, and the section in the upper
                    // 16.
                    let (entry, start, size) = (words[index], words[index + 1], words[index + 2])
                    index += 3
                    guard start <= most, entry >> 32 & 15 == 2, entry >> 48 != 0 else { continue }
                    let (sum, isCut) = start.addingReportingOverflow(max(size, 1) - 1)
                    let end = isCut ? .max : sum
                    guard least <= end else { continue }
                    for address in wanted[wanted.partitioningIndex { $0 >= start }...] {
                        guard address <= end else { break }
                        guard let name = name(Int(entry & 0xffff_ffff)),
                            found[address]?.contains(name) != true
                        else { continue }
                        found[address, default: []].append(name)
                    }
                }
            }
        }
        return found
    }

    /// The addresses of variables, in the file's own address space; nil for one that the table does not have.
    /// Reads the table once.
    func addresses(ofVariables names: [String]) -> [UInt64?] {
        let variable = 1
        let table = ELFBytes(Data(bytes.read(symbols.start, symbols.count * Self.symbolSize)))
        var found = [UInt64?](repeating: nil, count: names.count)
        for index in 0..<symbols.count {
            let symbol = index * Self.symbolSize
            guard table.uint32(symbol + 4) & 15 == variable, table.uint16(symbol + 6) != 0,
                let name = name(table.uint32(symbol)), let place = names.firstIndex(of: name)
            else { continue }
            found[place] = table.uint64(symbol + 8)
        }
        return found
    }

    private func name(_ offset: Int) -> String? {
        guard let start = bytes.offset(UInt64(offset), plus: names) else { return nil }
        let text = bytes.read(start, min(Self.longestName, bytes.count - start)).prefix { $0 != 0 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
}
