package import InspectorAnalysis

/// Up to 8 operations in a random order of indices, each of which starts when all that it depends on have
/// finished, or a little later.
package func randomGraph(_ generator: inout SplitMix64) -> Trace {
    let count = Int.random(in: 1...8, using: &generator)
    let order = Array(0..<count).shuffled(using: &generator)
    var times = Array(repeating: (ready: Int64(0), start: Int64(0), finish: Int64(0)), count: count)
    var edges: [Trace.Edge] = []
    for (position, index) in order.enumerated() {
        var ready: Int64 = 0
        for predecessor in order[..<position] where Int.random(in: 0..<3, using: &generator) == 0 {
            edges.append(Trace.Edge(predecessor: predecessor, successor: index))
            ready = max(ready, times[predecessor].finish)
        }
        let start = ready + Int64.random(in: 0...3, using: &generator)
        times[index] = (ready, start, start + Int64.random(in: 0...9, using: &generator))
    }
    var result = trace {
        for (index, time) in times.enumerated() {
            op("\(index)", ready: time.ready, start: time.start, finish: time.finish)
        }
    }
    result.edges = edges
    return result
}
