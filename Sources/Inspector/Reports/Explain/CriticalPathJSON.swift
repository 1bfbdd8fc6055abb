extension CriticalPathReport {
    /// Raised when a member is removed or changes its meaning, not when one is added.
    static let jsonVersion = 2

    /// One object, with a line for each step and operation:
    /// `Documentation/schemas/critical-path.schema.json` describes it. Names are as they are in the trace,
    /// times whole nanoseconds.
    public var json: [UInt8] {
        let path = analysis.criticalPath
        let chain = DelayChains(analysis).ofRun
        var header = JSONObject()
        header.add("format", "opviz-critical-path")
        header.add("version", Self.jsonVersion)
        header.add("process", analysis.trace.header.process)
        header.add("makespanNs", analysis.makespan)
        header.add("delayingNs", chain.length)
        header.add("criticalPathNs", path.length)
        header.add("isCircular", chain.isCircular)
        header.add("executionParts", parts?.parts.json)
        header.add("conclusion", parts?.conclusion)
        var bytes = Array(header.closed.dropLast())
        JSONObject.append("chain", steps(of: chain), to: &bytes)
        JSONObject.append("criticalPath", path.operations.filter(isShown).map(object), to: &bytes)
        return bytes + Array("}\n".utf8)
    }

    private func steps(of chain: DelayChain) -> [JSONObject] {
        chain.steps.enumerated().filter { isShown($0.element.operation) }.map { position, step in
            var object = step.json(in: analysis.trace)
            object.add("handle", "step:\(position + 1)")
            return object
        }
    }

    private func object(_ index: Int) -> JSONObject {
        let operation = analysis.trace.operations[index]
        var object = OperationJSON.object(of: index, in: analysis.trace)
        object.add("atNs", (operation.executing ?? operation.enqueued)?.notAfter)
        OperationJSON.addParts(of: index, in: analysis, to: &object)
        return object
    }
}
