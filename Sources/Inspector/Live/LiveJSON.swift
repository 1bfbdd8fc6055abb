import EventLog

extension LiveScreen {
    /// Raised when a member is removed or changes its meaning, not when one is added.
    static let jsonVersion = 2

    /// What the screen shows as one object: see `Documentation/schemas/watch.schema.json`. Names are as
    /// they are in the log, sentences are safe for a terminal, times are whole nanoseconds.
    package var json: [UInt8] {
        var object = JSONObject()
        object.add("format", "opviz-watch")
        object.add("version", Self.jsonVersion)
        object.add("process", picture.header.process)
        object.add("pid", picture.header.processID)
        object.add("atNs", picture.header.lastAlive)
        object.add("state", state)
        object.add("executing", picture.executing)
        object.add("waiting", picture.waiting)
        object.add("finished", picture.finished)
        object.add("failed", picture.failed)
        object.add("cancelled", picture.cancelled)
        object.add("losses", LiveHeading(picture, note: note).warnings)
        if let tasks = picture.tasks { object.add("tasks", Self.object(tasks)) }
        var bytes = Array(object.closed.dropLast())
        JSONObject.append("waitsFor", picture.origins.map(Self.object), to: &bytes)
        JSONObject.append("hazards", picture.hazards.filter(\.isPresent).map(Self.object), to: &bytes)
        JSONObject.append("queues", picture.queues.map(Self.object), to: &bytes)
        JSONObject.append("executingOperations", picture.executingRows.map(Self.object), to: &bytes)
        JSONObject.append("waitingOperations", picture.waitingRows.map(Self.object), to: &bytes)
        return bytes + Array("}\n".utf8)
    }

    private var state: String {
        switch picture.standing {
        case .running: "running"
        case .silent: "stopped"
        case .ended: "ended"
        case .killed: "killed"
        }
    }

    private static func object(_ origin: LiveFindings.Origin) -> JSONObject {
        var object = JSONObject()
        object.add("summary", origin.sentence)
        add(max(origin.operation, origin.task), to: &object)
        object.add("waiting", origin.waiting)
        object.add("durationNs", origin.duration)
        object.add("isDeadlock", origin.isDeadlock)
        return object
    }

    private static func object(_ entry: LiveHazards.Entry) -> JSONObject {
        var object = JSONObject()
        object.add("rule", entry.hazard.rule)
        object.add("severity", entry.hazard.severity.rawValue)
        object.add("summary", entry.hazard.summary)
        add(entry.hazard.operation, to: &object)
        return object
    }

    /// The identifier of an operation or task; nothing for 0.
    private static func add(_ subject: UInt64, to object: inout JSONObject) {
        let id = OperationID(subject)
        if subject != 0 { object.add("operation", "\(id)") }
    }

    private static func object(_ queue: LivePicture.Queue) -> JSONObject {
        var object = JSONObject()
        object.add("queue", queue.name)
        object.add("limit", queue.limit < 0 ? nil : queue.limit)
        object.add("executing", queue.executing)
        object.add("pending", queue.pending)
        object.add("ready", queue.ready)
        object.add("suspendedNs", queue.suspended)
        object.add("finished", queue.finished)
        return object
    }

    private static func object(_ row: LivePicture.Row) -> JSONObject {
        var object = JSONObject()
        object.add("operation", "\(OperationID(row.operation))")
        object.add("kind", row.kind)
        object.add("name", row.name)
        object.add("queue", row.queue)
        object.add("durationNs", row.duration)
        object.add("thread", row.thread == 0 ? nil : row.thread)
        object.add("waitsFor", row.reason.isEmpty ? nil : row.reason)
        return object
    }

    private static func object(_ tasks: LivePicture.Tasks) -> JSONObject {
        var object = JSONObject()
        object.add(
            "parts",
            tasks.parts.map { part, count in
                var object = JSONObject()
                object.add("part", part.row.key)
                object.add("tasks", count)
                return object
            })
        object.add("finished", tasks.finished)
        object.add("failed", tasks.failed)
        object.add(
            "executors",
            tasks.executors.map { executor in
                var object = JSONObject()
                object.add("executor", executor.name)
                object.add("executorID", "\(QueueID(executor.id))")
                object.add("running", executor.running)
                object.add("waiting", executor.waiting)
                object.add("longestWaitNs", executor.longest)
                return object
            })
        return object
    }
}
