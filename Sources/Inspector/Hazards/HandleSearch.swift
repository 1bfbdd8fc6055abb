import InspectorColumns

/// The operations and Swift tasks that a ``Handle`` names.
package struct HandleSearch {
    package let handle: Handle
    /// Indices into the operations of the trace with its tasks as operations; not empty. Those of a finding
    /// are in its order, the one that misbehaved first. Others have the longest lifetime first.
    package let matches: [Int]

    /// Cost: linear in operations; for a finding, that of all rules, for a step, that of the run's chain.
    ///
    /// - Throws: `UnknownHandle` if it names nothing.
    package init(_ text: String, in analysis: TraceAnalysis) throws(UnknownHandle) {
        let handle = Handle(text)
        let whole = analysis.withTasks
        let error: UnknownHandle
        do throws(UnknownHandle) {
            matches = try Self.named(handle, whole)
            self.handle = handle
            return
        } catch let unknown {
            error = unknown
        }
        // A name may begin with a form's word and a colon.
        guard handle.form != nil else { throw error }
        matches = OperationSearch(text, in: whole).matches
        self.handle = Handle("\"\(text)\"")
        if matches.isEmpty { throw error }
    }

    /// Not empty.
    private static func named(_ handle: Handle, _ whole: TraceAnalysis) throws(UnknownHandle) -> [Int] {
        let found = try found(handle, whole)
        if found.isEmpty { throw UnknownHandle(handle, in: whole) }
        return found
    }

    private static func found(_ handle: Handle, _ whole: TraceAnalysis) throws(UnknownHandle) -> [Int] {
        let trace = whole.trace
        let columns = trace.operations.store.columns
        func inOrder(_ isNamed: (Int) -> Bool) -> [Int] {
            OperationSearch.inOrder(trace.operations.indices.filter(isNamed), in: whole)
        }
        switch handle.form {
        case nil: return operations(handle, whole)
        case .kind:
            let isNamed = trace.kinds.map { Handle.isShown($0, as: handle.name) }
            return inOrder { isNamed[Int(columns.kinds[$0])] }
        case .queue:
            let isNamed = trace.queues.map { Handle.isQueue($0, handle.name) }
            return inOrder { columns.queues[$0] >= 0 && isNamed[Int(columns.queues[$0])] }
        case .executor:
            let isNamed = trace.tasks.executors.map { Handle.isShown($0.name, as: handle.name) }
            let stays = ExecutorTenures.stays(trace.tasks) { $1 >= 0 && isNamed[Int($1)] }
            let tasks = Set(stays.map { trace.tasks.operation(of: Int(trace.tasks.runs[$0.run].task)) })
            return inOrder(tasks.contains)
        case .outcome:
            guard let ending = OperationEnding(named: handle.name) else { return [] }
            return inOrder { OperationEnding(columns, $0) == ending }
        case .finding:
            guard let number = handle.number else { return [] }
            let report = HazardReport(whole)
            guard let finding = report.finding(number) else {
                throw UnknownHandle(handle, numbers: report.findingCount)
            }
            if finding.operations.isEmpty { throw UnknownHandle(ofNoOperation: handle) }
            return finding.operations
        case .step:
            guard let number = handle.number else { return [] }
            let steps = DelayChains(whole).ofRun.steps
            guard number <= steps.count else { throw UnknownHandle(handle, numbers: steps.count) }
            return [steps[number - 1].operation]
        }
    }

    /// By name or ID. The exact name goes first, then what texts for people make of names.
    private static func operations(_ handle: Handle, _ whole: TraceAnalysis) -> [Int] {
        let trace = whole.trace
        if handle.isQuoted {
            let exact = OperationSearch(handle.text, in: whole).matches
            return exact.isEmpty ? OperationSearch(name: handle.name, in: whole).matches : exact
        }
        let exact = OperationSearch(handle.text, in: whole).matches
        if !exact.isEmpty { return exact }
        if let (id, name, process) = handle.identified, name != nil || process != nil {
            let found = OperationSearch("0x" + String(id, radix: 16), in: whole).matches
            let processes = ProcessNames(trace).names
            return found.filter { index in
                let operation = trace.operations[index]
                return (name.map { Handle.isShown(operation.displayName, as: $0) } ?? true)
                    && (process.map { Handle.isShown(processes[operation.process], as: $0) } ?? true)
            }
        }
        guard handle.name.contains("…") || handle.name.contains("\\") else { return [] }
        return OperationSearch.inOrder(
            trace.operations.indices.filter {
                Handle.isShown(trace.operations[$0].displayName, as: handle.name)
            },
            in: whole)
    }
}

extension OperationEnding {
    /// As texts and tables for programs name it.
    package init?(named name: String) {
        guard let ending = Self.allCases.first(where: { $0.word == name || $0.label == name }) else {
            return nil
        }
        self = ending
    }
}
