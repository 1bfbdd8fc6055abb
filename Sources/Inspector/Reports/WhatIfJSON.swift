import InspectorColumns

extension WhatIfReport {
    /// Raised when a member is removed or changes its meaning, not when one is added.
    static let jsonVersion = 2

    /// One object, with a line for each prediction, queue and kind: see
    /// `Documentation/schemas/whatif.schema.json`. Names are as they are in the trace, times whole
    /// nanoseconds.
    package var json: [UInt8] {
        var header = JSONObject()
        header.add("format", "opviz-whatif")
        header.add("version", Self.jsonVersion)
        header.add("process", analysis.trace.header.process)
        header.add("makespanNs", predictions.recorded)
        header.add("replayError", predictions.drift)
        header.add("processors", predictions.processors)
        header.add("makespanWithoutOtherLoadNs", predictions.withoutOtherLoad)
        header.add("obstacle", obstacle)
        let hasAny = predictions.obstacle == nil && !analysis.kinds.isEmpty && !isOfTasksOnly
        let rows = hasAny ? self.rows : []
        if hasAny, isOverview {
            header.add("sufficientSlots", sufficientSlots(rows))
            if otherKinds > 0 { header.add("omittedKinds", otherKinds) }
        }
        if let tasks { header.add("tasks", tasks.object) }
        var bytes = Array(header.closed.dropLast())
        JSONObject.append("predictions", rows.map(object), to: &bytes)
        if hasAny, isOverview {
            JSONObject.append("queues", bounds.map(object), to: &bytes)
            JSONObject.append("kinds", kinds.map(object), to: &bytes)
        }
        return bytes + Array("}\n".utf8)
    }

    private func object(_ row: Row) -> JSONObject {
        let (scenario, prediction) = (row.scenario, row.prediction)
        var object = JSONObject()
        Self.add("slots", scenario.slots, to: &object)
        if !scenario.slotsOfQueues.isEmpty {
            object.add(
                "slotsOfQueues",
                scenario.slotsOfQueues.sorted { $0.key < $1.key }.map { index, slots in
                    var queue = JSONObject()
                    queue.add("queue", analysis.trace.queues[index].name)
                    queue.add("queueID", "\(analysis.trace.queues[index].id)")
                    Self.add("slots", slots, to: &queue)
                    return queue
                })
        }
        Self.add("processors", scenario.processors, to: &object)
        Self.add("threads", scenario.pool, to: &object)
        if !scenario.scales.isEmpty {
            object.add(
                "scales",
                scenario.scales.sorted { $0.key < $1.key }.map { kind, factor in
                    var scale = JSONObject()
                    scale.add("kind", kind)
                    scale.add("factor", factor)
                    return scale
                })
        }
        object.add("isRecorded", prediction.isRecorded)
        object.add("isKnown", prediction.isKnown)
        if let note = WhatIfTable.note(prediction) { object.add("note", note) }
        object.add("stuckOperations", prediction.stuckOperations)
        if prediction.stuckOperations == 0 {
            object.add("makespanOfPoolNs", prediction.pool)
            object.add("makespanOfThreadsNs", prediction.threads)
        }
        return object
    }

    private func object(_ bound: QueueBound) -> JSONObject {
        var object = JSONObject()
        object.add("queue", analysis.trace.queues[bound.queue].name)
        object.add("queueID", "\(analysis.trace.queues[bound.queue].id)")
        object.add("boundBy", Self.name(of: bound.cause))
        object.add("gainOfThreads", bound.threads)
        object.add("gainOfSlots", bound.slots)
        object.add("gainOfProcessors", bound.processors)
        object.add("gainWithoutBlocking", bound.blocking)
        return object
    }

    private func object(_ kind: Kind) -> JSONObject {
        var object = JSONObject()
        object.add("kind", kind.kind.name)
        object.add("count", kind.kind.count)
        object.add("makespanOfTenthLessNs", kind.tenth)
        object.add("makespanOfHalfNs", kind.half)
        return object
    }

    /// A number, or `"unlimited"`; absent if it is as recorded.
    private static func add(_ name: String, _ slots: ReplaySlots, to object: inout JSONObject) {
        switch slots {
        case .recorded: break
        case .limited(let limit): object.add(name, limit)
        case .unlimited: object.add(name, "unlimited")
        }
    }

    private static func add(_ name: String, _ processors: ReplayProcessors, to object: inout JSONObject) {
        switch processors {
        case .recorded: break
        case .limited(let limit): object.add(name, limit)
        case .unlimited: object.add(name, "unlimited")
        }
    }
}
