extension Explanation {
    /// Raised when a member is removed or changes its meaning, not when one is added.
    static let jsonVersion = 2

    /// One object, with a line for each event, step and operation that waited:
    /// `Documentation/schemas/explain.schema.json` describes it. Names are as they are in the trace, times
    /// whole nanoseconds.
    public var json: [UInt8] {
        var header = JSONObject()
        header.add("format", "opviz-explanation")
        header.add("version", Self.jsonVersion)
        header.add("process", analysis.trace.header.process)
        OperationJSON.add(index, in: analysis.trace, to: &header)
        header.add("answer", summary)
        OperationJSON.addParts(of: index, in: analysis, to: &header)
        header.add("executionParts", parts?.json)
        header.add("isCircular", chain.isCircular)
        if let cost { header.add("cost", object(cost)) }
        var bytes = Array(header.closed.dropLast())
        JSONObject.append("events", events.map(object), to: &bytes)
        JSONObject.append("chain", chain.steps.map { $0.json(in: analysis.trace) }, to: &bytes)
        JSONObject.append("followers", waiters.map(object), to: &bytes)
        return bytes + Array("}\n".utf8)
    }

    private func object(_ event: StoryEvent) -> JSONObject {
        var object = JSONObject()
        object.add("atNs", event.time)
        object.add("durationNs", event.duration)
        object.add("what", "\(event.what.template)")
        object.add("text", event.what.text(names))
        object.add("operations", event.what.operations.map { "\(analysis.trace.operations[$0].id)" })
        return object
    }

    private func object(_ waiter: Waiters.Waiter) -> JSONObject {
        var object = OperationJSON.object(of: waiter.operation, in: analysis.trace)
        object.add("waitedNs", waiter.waited)
        object.add("relation", "\(waiter.relation)")
        return object
    }

    private func object(_ cost: Cost) -> JSONObject {
        var object = JSONObject()
        object.add("makespanNs", cost.makespan)
        object.add("delayingNs", cost.delaying)
        object.add("savingNs", cost.saving)
        object.add("slackNs", cost.slack?.recorded)
        object.add("slackThroughDependenciesNs", cost.slack?.throughDependencies)
        return object
    }
}

/// An operation in output for programs.
enum OperationJSON {
    /// What it spent its lifetime on: `waits`, or `taskParts` of a task. Nothing for an operation that was
    /// never added.
    static func addParts(of index: Int, in analysis: TraceAnalysis, to object: inout JSONObject) {
        if let task = analysis.trace.task(index) {
            object.add("taskParts", TaskLifetimes(analysis.trace.tasks).parts(of: task).json)
        } else if let waits = analysis.waits[index] {
            object.add("waits", waits.json)
        }
    }

    /// Which one it is.
    static func add(_ index: Int, in trace: Trace, to object: inout JSONObject) {
        let operation = trace.operations[index]
        object.add("operation", "\(operation.id)")
        object.add("kind", operation.kind)
        object.add("name", operation.name)
    }

    static func object(of index: Int, in trace: Trace) -> JSONObject {
        var object = JSONObject()
        add(index, in: trace, to: &object)
        return object
    }
}

extension LifetimeParts {
    /// Each part in nanoseconds.
    var json: JSONObject {
        var object = JSONObject()
        add(to: &object)
        return object
    }
}

extension TaskParts {
    /// Each part in nanoseconds.
    var json: JSONObject {
        var object = JSONObject()
        for part in TaskPart.allCases { object.add("\(part.row.key)Ns", self[part]) }
        return object
    }
}

extension DelayChain.Step {
    func json(in trace: Trace) -> JSONObject {
        var object = OperationJSON.object(of: operation, in: trace)
        object.add("relation", "\(reason)")
        object.add("atNs", start)
        object.add("endNs", end)
        if let taskParts {
            object.add("taskParts", taskParts.json)
        } else {
            object.add("waits", waits.json)
        }
        object.add("beforeEnqueueNs", beforeEnqueue)
        return object
    }
}
