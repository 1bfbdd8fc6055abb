import InspectorColumns

/// The positions of a graph's vertices in a picture of any size: columns by depth, and an order within each
/// column that keeps edges short.
///
/// A vertex goes into the column after its last predecessor's (the layering by longest paths of K. Sugiyama,
/// S. Tagawa and M. Toda, "Methods for Visual Understanding of Hierarchical System Structures", 1981). Its
/// position there is the mean position of its predecessors (their barycentre). In a cycle, the vertex with
/// the lowest index counts as if it waited for nothing more. A very long graph continues in another band
/// below. Vertices without edges form a block of their own, below.
struct GraphLayers {
    /// The number of units in the height of a vertex including its gap.
    static let unit: Int64 = 8
    private static let fewestRows = 24
    /// A graph with at most this many columns is not folded.
    private static let longestBand = 60
    /// The width of a column including its gap, in heights of a vertex including its gap.
    private static let columnWidth = 6.5
    /// The desired ratio of width to height of a folded graph.
    private static let bandsShape = 1.5

    /// For each vertex, from 0.
    private(set) var columns: [Int32]
    /// For each vertex, its top in units; may be negative.
    private(set) var places: [Int64]

    /// Linear in edges, and n log n in vertices of a column.
    ///
    /// - Parameter edges: between vertices below `count`; edges from a vertex to itself are ignored.
    init(count: Int, edges: [(from: Int32, to: Int32)]) {
        columns = Array(repeating: 0, count: count)
        places = Array(repeating: 0, count: count)
        guard count > 0 else { return }
        let proper = edges.filter { $0.from != $0.to }
        let incoming = Grouping(proper.lazy.map { Int($0.to) }, groups: count)
        let outgoing = Grouping(proper.lazy.map { Int($0.from) }, groups: count)
        let depths = Self.depths(count, proper, incoming, outgoing)
        let isAlone = (0..<count).map { incoming[$0].isEmpty && outgoing[$0].isEmpty }
        // About as high as wide.
        let rows = max(Self.fewestRows, Int(Double(count).squareRoot()))
        let layers = Grouping(
            depths.indices.lazy.map { isAlone[$0] ? -1 : Int(depths[$0]) }, groups: count)
        var column: Int32 = 0
        for layer in 0..<count where !layers[layer].isEmpty {
            let members = ordered(layers[layer], incoming, proper)
            column = place(members, from: column, rows: rows)
        }
        let width = fold(width: Int(column), isAlone)
        placeAlone((0..<count).filter { isAlone[$0] }, width: width, rows: rows)
    }

    /// The length of the longest path to each vertex.
    private static func depths(
        _ count: Int, _ edges: [(from: Int32, to: Int32)], _ incoming: Grouping, _ outgoing: Grouping
    ) -> [Int32] {
        var depths = [Int32](repeating: 0, count: count)
        var missing = (0..<count).map { incoming[$0].count }
        var isDone = [Bool](repeating: false, count: count)
        var queue = (0..<count).filter { missing[$0] == 0 }
        var head = 0
        /// All vertices below this are done.
        var lowest = 0
        while true {
            if head == queue.count {
                while lowest < count, isDone[lowest] { lowest += 1 }
                if lowest == count { return depths }
                queue.append(lowest)
            }
            let vertex = queue[head]
            head += 1
            if isDone[vertex] { continue }
            isDone[vertex] = true
            for edge in outgoing[vertex] {
                let next = Int(edges[Int(edge)].to)
                if isDone[next] { continue }
                depths[next] = max(depths[next], depths[vertex] + 1)
                missing[next] -= 1
                if missing[next] == 0 { queue.append(next) }
            }
        }
    }

    /// Orders vertices by the mean position of their predecessors; equal ones by index.
    private func ordered(
        _ members: ArraySlice<Int32>, _ incoming: Grouping, _ edges: [(from: Int32, to: Int32)]
    ) -> [(vertex: Int, wish: Int64?)] {
        let wishes = members.map { member -> (vertex: Int, wish: Int64?) in
            var sum: Int64 = 0
            let before = incoming[Int(member)]
            for edge in before { sum += places[Int(edges[Int(edge)].from)] }
            return (Int(member), before.isEmpty ? nil : sum / Int64(before.count))
        }
        return wishes.sorted { ($0.wish ?? 0, $0.vertex) < ($1.wish ?? 0, $1.vertex) }
    }

    /// Places each vertex as near to its desired position as the others allow. If there are too many for one
    /// column, uses several.
    ///
    /// - Returns: the next free column.
    private mutating func place(
        _ members: [(vertex: Int, wish: Int64?)], from column: Int32, rows: Int
    ) -> Int32 {
        let parts = (members.count + rows - 1) / rows
        let height = (members.count + parts - 1) / parts
        var column = column
        for start in stride(from: 0, to: members.count, by: height) {
            let part = members[start..<min(start + height, members.count)]
            let middle = Int64(part.count - 1) * Self.unit / 2
            var next = Int64.min
            var shift: Int64 = 0
            for (offset, member) in part.enumerated() {
                // In a layer of several columns, desired positions are far apart, and a grid looks calmer.
                let even = Int64(offset) * Self.unit - middle
                let wish = parts > 1 ? even : member.wish ?? even
                let top = max(wish, next)
                places[member.vertex] = top
                columns[member.vertex] = column
                next = top + Self.unit
                shift += top - wish
            }
            // All of them were pushed down: shift them back by half of the mean.
            shift /= Int64(max(1, part.count))
            for member in part { places[member.vertex] -= shift }
            column += 1
        }
        return column
    }

    /// Breaks a graph that is much longer than high into bands below each other, as text is broken into
    /// lines.
    ///
    /// - Returns: the number of columns of the widest band.
    private mutating func fold(width: Int, _ isAlone: [Bool]) -> Int {
        guard width > Self.longestBand else { return width }
        let columnOf = columns
        let members = Grouping(
            columnOf.indices.lazy.map { isAlone[$0] ? -1 : Int(columnOf[$0]) }, groups: width)
        let reaches = (0..<width).map { column -> ClosedRange<Int64> in
            let tops = members[column].map { places[Int($0)] }
            return (tops.min() ?? 0)...(tops.max() ?? 0)
        }
        var length = width
        // Shortens the bands until together they are high enough.
        while length > Self.longestBand / 2,
            Double(length) * Self.columnWidth
                > Self.bandsShape * Double(Self.bands(of: length, reaches).last ?? 0) / Double(Self.unit)
        { length = length * 4 / 5 }
        if length >= width { return width }
        let bottoms = Self.bands(of: length, reaches)
        for band in bottoms.indices {
            let top = Self.reach(of: band, length, reaches).lowerBound
            let shift = (band == 0 ? 0 : bottoms[band - 1]) - top
            for column in band * length..<min((band + 1) * length, width) {
                for vertex in members[column] {
                    columns[Int(vertex)] = Int32(truncatingIfNeeded: column - band * length)
                    places[Int(vertex)] += shift
                }
            }
        }
        return length
    }

    /// The end of each band of `length` columns, including a gap.
    private static func bands(of length: Int, _ reaches: [ClosedRange<Int64>]) -> [Int64] {
        var bottom: Int64 = 0
        return (0..<(reaches.count + length - 1) / length).map { band in
            let reach = reach(of: band, length, reaches)
            bottom += reach.upperBound - reach.lowerBound + 3 * unit
            return bottom
        }
    }

    private static func reach(of band: Int, _ length: Int, _ reaches: [ClosedRange<Int64>]) -> ClosedRange<
        Int64
    > {
        let all = reaches[band * length..<min((band + 1) * length, reaches.count)]
        return all.dropFirst().reduce(all[all.startIndex]) {
            min($0.lowerBound, $1.lowerBound)...max($0.upperBound, $1.upperBound)
        }
    }

    private mutating func placeAlone(_ vertices: [Int], width: Int, rows: Int) {
        if vertices.isEmpty { return }
        let isAll = vertices.count == columns.count
        let width = max(
            width, isAll ? (vertices.count + rows - 1) / rows : Int(Double(vertices.count).squareRoot()), 1)
        let bottom = isAll ? 0 : places.reduce(0) { max($0, $1) } + 2 * Self.unit
        for (position, vertex) in vertices.enumerated() {
            columns[vertex] = Int32(position % width)
            places[vertex] = bottom + Int64(position / width) * Self.unit
        }
    }
}
