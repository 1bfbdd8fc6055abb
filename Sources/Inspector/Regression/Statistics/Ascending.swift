extension [Double] {
    /// The same as `sorted()`, for numbers without `nan`. Cost: O(n log n), or linear if they are ascending.
    ///
    /// A check sorts thousands of replicates, and a debug build calls the standard library's generic
    /// comparison for each pair of them. So this is a stable merge sort in plain loops.
    var ascending: [Double] {
        var (source, target) = (self, self)
        var width = 1
        while width < count {
            var isSorted = true
            source.withUnsafeBufferPointer { source in
                target.withUnsafeMutableBufferPointer { target in
                    var start = 0
                    while start < source.count {
                        let middle = Swift.min(start + width, source.count)
                        let end = Swift.min(middle + width, source.count)
                        var (left, right, place) = (start, middle, start)
                        while place < end {
                            if right == end || left < middle && source[left] <= source[right] {
                                target[place] = source[left]
                                left += 1
                            } else {
                                target[place] = source[right]
                                right += 1
                            }
                            if place > 0 && target[place] < target[place - 1] { isSorted = false }
                            place += 1
                        }
                        start = end
                    }
                }
            }
            swap(&source, &target)
            if isSorted { break }
            width *= 2
        }
        return source
    }
}
