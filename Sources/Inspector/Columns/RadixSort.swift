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

        let digitBits = 11
        let size = 1 << digitBits
        let mask = UInt64(size - 1)
        // As unsigned numbers starting at 0, which cannot overflow.
        func digits(_ element: Element) -> UInt64 {
            UInt64(bitPattern: key(element)) &- UInt64(bitPattern: low)
        }
        let span = UInt64(bitPattern: high) &- UInt64(bitPattern: low)
        let passes = (UInt64.bitWidth - span.leadingZeroBitCount + digitBits - 1) / digitBits
        // For each pass and digit, where the next element with that digit goes.
        var next = [Int](repeating: 0, count: passes * size)
        for element in self {
            let value = digits(element)
            for pass in 0..<passes { next[pass * size + Int(value >> UInt64(pass * digitBits) & mask)] += 1 }
        }
        for pass in 0..<passes {
            var sum = 0
            for position in pass * size..<(pass + 1) * size {
                (next[position], sum) = (sum, sum + next[position])
            }
        }
        return Array(unsafeUninitializedCapacity: count) { result, initializedCount in
            let other = UnsafeMutableBufferPointer<Element>.allocate(capacity: passes > 1 ? count : 0)
            defer { other.deallocate() }
            // The last pass goes into the result.
            func target(of pass: Int) -> UnsafeMutableBufferPointer<Element> {
                (passes - pass).isMultiple(of: 2) ? other : result
            }
            func place(_ element: Element, _ pass: Int) -> Int {
                let position = pass * size + Int(digits(element) >> UInt64(pass * digitBits) & mask)
                defer { next[position] += 1 }
                return next[position]
            }
            let first = target(of: 0)
            for element in self { first.initializeElement(at: place(element, 0), to: element) }
            for pass in 1..<Swift.max(1, passes) {
                let (source, target) = (target(of: pass - 1), target(of: pass))
                for index in 0..<count {
                    let element = source.moveElement(from: index)
                    target.initializeElement(at: place(element, pass), to: element)
                }
            }
            initializedCount = count
        }
    }
}
