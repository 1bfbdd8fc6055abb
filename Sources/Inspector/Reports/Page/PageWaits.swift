/// What the operations and tasks of a page waited for while they executed, and what ended each wait: the page
/// finds their chains of delays with it.
struct PageWaits {
    let analysis: TraceAnalysis
    let selection: PageSelection
    let chains: DelayChains

    /// For each operation how many waits it has, and for each wait, in order of time, its end, what ended it
    /// and how, and of tasks its length. Linear in operations and waits.
    var object: JSONObject {
        let transitions = analysis.timings.transitions
        var (counts, operations, moments, kinds): ([Int64], [Int64], [Int64], [Int64]) = ([], [], [], [])
        var lengths: [Int64] = []
        for (position, index) in selection.operations.enumerated() {
            let before = operations.count
            for wait in chains.executions.entries(of: index) {
                guard let other = selection.position(of: wait.operation) else { continue }
                operations.append(Int64(other - position))
                moments.append((transitions.end(of: wait.operation) ?? 0) - wait.moment)
                kinds.append(DelayChain.Reason.numbers[wait.reason] ?? 0)
                lengths.append(wait.length)
            }
            counts.append(Int64(operations.count - before))
        }
        var object = JSONObject()
        object.add("counts", PageColumn.object(counts))
        object.add("count", operations.count)
        object.add("operations", PageColumn.object(operations))
        // For nearly all waits, the end of that operation.
        object.add("beforeEnd", PageColumn.object(moments))
        object.add("reasons", PageColumn.object(kinds))
        object.add("lengths", PageColumn.object(lengths))
        return object
    }
}
