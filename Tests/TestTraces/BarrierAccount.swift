package import InspectorTraces

extension Trace {
    /// The operations of a queue in order: a name each, `after` what it waited for, `by` what added it, and
    /// how it ended if it did not succeed. One that began too early says so.
    package func barrierAccount(on queue: String) -> [String] {
        let numbers = operations.indices.filter { index in
            operations[index].queue.map { queues[$0].name == queue } == true
        }
        var labels: [Int: String] = [:]
        var barriers = 0
        for number in numbers {
            if operations[number].kind == "Barrier" { barriers += 1 }
            labels[number] = operations[number].name ?? "Barrier \(barriers)"
        }
        return numbers.map { number in
            let operation = operations[number]
            let before = Set(edges.filter { $0.successor == number }.map(\.predecessor)).sorted()
            var text = labels[number] ?? ""
            if !before.isEmpty {
                text += " after " + before.map { labels[$0] ?? "one elsewhere" }.joined(separator: ", ")
            }
            if let parent = operation.parent { text += " by \(labels[parent] ?? "one elsewhere")" }
            if operation.outcome == .cancelled, operation.cancelled != nil { text += ", cancelled" }
            if operation.executing == nil { text += " unrun" }
            if operation.finished == nil { text += ", unfinished" }
            for predecessor in before where operation.outcome == .succeeded {
                let end = operations[predecessor].finished?.notBefore ?? .max
                if operation.ready?.notAfter ?? .max < end || operation.executing?.notAfter ?? .max < end {
                    text += ", too early for \(labels[predecessor] ?? "one elsewhere")"
                }
            }
            return text
        }
    }
}
