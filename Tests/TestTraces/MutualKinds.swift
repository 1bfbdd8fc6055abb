package import InspectorAnalysis

/// Operations of ten kinds that depend on each other in both directions: mostly from one kind to the next, a
/// few from any kind to any other.
package func mutualKinds(operations count: Int = 600) -> Trace {
    let kinds = [
        "Fetch", "Parse", "Resolve", "Plan", "Decode", "Resize", "Encode", "Store", "Index", "Notify",
    ]
    var generator = SplitMix64(seed: 10)
    var edges: [Trace.Edge] = []
    var finishes: [Int64] = []
    var starts: [Int64] = []
    var names: [String] = []
    for index in 0..<count {
        let isNext = Bool.random(using: &generator)
        names.append(kinds[isNext ? index % kinds.count : Int.random(in: 0..<kinds.count, using: &generator)])
        var ready: Int64 = 0
        if index >= kinds.count {
            var predecessors = [index - (index.isMultiple(of: 3) ? 9 : 1)]
            if index.isMultiple(of: 2) {
                predecessors.append(Int.random(in: max(0, index - 60)..<index - 1, using: &generator))
            }
            for predecessor in Set(predecessors).sorted() {
                edges.append(Trace.Edge(predecessor: predecessor, successor: index))
                ready = max(ready, finishes[predecessor])
            }
        }
        starts.append(ready)
        finishes.append(ready + 1_000_000 * Int64.random(in: 1...9, using: &generator))
    }
    var result = trace {
        for index in 0..<count {
            op(
                "\(names[index]) \(index)", kind: names[index], ready: starts[index], start: starts[index],
                finish: finishes[index])
        }
    }
    result.edges = edges
    return result
}
