extension [Int64] {
    /// The values at these positions of the sorted array.
    ///
    /// By digits, the highest first, otherwise like `sortedByDigits`. Only numbers that share a digit with a
    /// wanted one are examined again. Linear: at most six passes over the array, usually three.
    ///
    /// - Parameters:
    ///   - ranks: ascending, below `count`.
    ///   - low: the lowest number.
    ///   - high: the greatest number.
    func values(ofRanks ranks: [Int], _ low: Int64, _ high: Int64) -> [Int64] {
        if low == high { return ranks.map { _ in low } }
        if count < 512 {
            let sorted = sorted()
            return ranks.map { sorted[$0] }
        }
        // As unsigned numbers starting at 0, which cannot overflow.
        func distance(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) &- UInt64(bitPattern: low) }
        let digitBits = 11
        let shift = UInt64(Swift.max(0, 64 - distance(high).leadingZeroBitCount - digitBits))
        var counts = [Int](repeating: 0, count: 1 << digitBits)
        for number in self { counts[Int(truncatingIfNeeded: distance(number) &>> shift)] += 1 }

        var values: [Int64] = []
        var below = 0
        for digit in counts.indices {
            let here = ranks[values.count...].prefix { $0 < below + counts[digit] }
            let first = Int64(bitPattern: UInt64(digit) << shift &+ UInt64(bitPattern: low))
            if shift == 0 {
                values += here.map { _ in first }
            } else if !here.isEmpty {
                let sharing = filter { distance($0) &>> shift == UInt64(digit) }
                let last = first &+ Int64(bitPattern: 1 << shift &- 1)
                values += sharing.values(ofRanks: here.map { $0 - below }, first, last)
            }
            below += counts[digit]
            if values.count == ranks.count { break }
        }
        return values
    }
}
