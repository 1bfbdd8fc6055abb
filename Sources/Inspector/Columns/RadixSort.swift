extension Array {
    /// Sorts by a whole number, ascending and stable. Radix sort, the lowest digits first (H. H. Seward,
    /// 1954): linear, at most six passes; one pass over data that is already sorted.
    @inlinable
    public func sortedByDigits(_ key: (Element) -> Int64) -> [Element] {
        guard let first else { return self }
        var (low, high, last) = (key(first), key(first), key(first))
        var isSorted = true
        for element in self {
            let value = key(element)
            if value < last { isSorted = false }
            last = value
            low = Swift.min(low, value)
            high = Swift.max(high, value)
        }
        if isSorted { return self }
        // For fewer elements, the digits' counters cost more than comparisons.
        if count < 512 { return sorted { key($0) < key($1) } }

        let digitBits = UInt64(11)
        let mask = UInt64(1) << digitBits - 1
        // As unsigned numbers starting at 0, which cannot overflow.
        func digits(_ element: Element) -> UInt64 {
            UInt64(bitPattern: key(element)) &- UInt64(bitPattern: low)
        }
        let span = UInt64(bitPattern: high) &- UInt64(bitPattern: low)
        var source = self
        var target = self
        var shift = UInt64(0)
        while shift < 64, span >> shift > 0 {
            var next = [Int](repeating: 0, count: Int(mask) + 2)
            for element in source { next[Int(digits(element) >> shift & mask) + 1] += 1 }
            for digit in 0..<Int(mask) { next[digit + 1] += next[digit] }
            for element in source {
                let digit = Int(digits(element) >> shift & mask)
                target[next[digit]] = element
                next[digit] += 1
            }
            swap(&source, &target)
            shift += digitBits
        }
        return source
    }
}
