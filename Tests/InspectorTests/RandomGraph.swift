import Inspector

/// Up to 8 operations in a random order of indices, each of which starts when all that it depends on have
/// finished, or a little later.
func randomGraph(_ generator: inout SeededGenerator) -> Trace {
    let count = Int.random(in: 1...8, using: &generator)
    let order = Array(0..<count).shuffled(using: &generator)
    var result = trace {
        for index in 0..<count { op("\(index)") }
    }
    for (position, index) in order.enumerated() {
        var ready: Int64 = 0
        for predecessor in order[..<position] where Int.random(in: 0..<3, using: &generator) == 0 {
            result.edges.append(Trace.Edge(predecessor: predecessor, successor: index))
            ready = max(ready, result.operations[predecessor].finished?.notAfter ?? 0)
        }
        let start = ready + Int64.random(in: 0...3, using: &generator)
        result.operations[index].ready = TraceMoment(ready)
        result.operations[index].executing = TraceMoment(start)
        result.operations[index].finished = TraceMoment(
            start + Int64.random(in: 0...9, using: &generator))
    }
    return result
}
