import InspectorColumns

/// Measures a run's quantities that budgets limit.
struct BudgetMeasurement {
    /// Either the measured amount, or the reason why there was nothing to measure.
    enum Value {
        /// `example` is a finding that counts, as a sentence.
        case amount(Budget.Amount, example: String? = nil)
        /// In one sentence.
        case nothing(String)
    }

    /// Of the operations.
    private let analysis: TraceAnalysis
    /// Of operations and Swift tasks, which have kinds, too.
    private let whole: TraceAnalysis
    /// Budgets of one entry apply to the same operations.
    private var scopes: [[String?]: Result<BudgetScope, BudgetScope.Missing>] = [:]
    private lazy var hazards = HazardReport(analysis)

    init(_ analysis: TraceAnalysis) {
        self.analysis = analysis
        whole = analysis.withTasks
    }

    /// - Throws: `BudgetScope.Missing` if the trace has no operation for the budget, but should.
    mutating func measure(_ budget: Budget) throws(BudgetScope.Missing) -> Value {
        if let executor = budget.executor { return try measure(budget, on: executor) }
        let key = [budget.kind, budget.queue]
        let found =
            scopes[key]
            ?? Result { () throws(BudgetScope.Missing) in
                try BudgetScope(
                    kind: budget.kind, queue: budget.queue,
                    in: budget.kind == nil ? analysis.trace : whole.trace)
            }
        scopes[key] = found
        switch found {
        case .failure(let missing) where budget.isOptional: return .nothing(missing.reason)
        case .failure(let missing): throw missing
        case .success(let scope): return measure(budget, scope.operations)
        }
    }

    private func measure(_ budget: Budget, on executor: String) throws(BudgetScope.Missing) -> Value {
        let use = ExecutorUse(of: executor, whole.trace.tasks)
        if use.tasks == 0 {
            let reason = MissingName.executor(executor, in: whole.trace)
            if budget.isOptional { return .nothing(reason) }
            throw BudgetScope.Missing(reason: reason)
        }
        return .amount(.number(budget.quantity == .count ? use.tasks : use.peak))
    }

    private mutating func measure(_ budget: Budget, _ operations: [Int32]) -> Value {
        switch budget.quantity {
        case .count: .amount(.number(operations.count))
        case .ended(let ending): .amount(.number(count(ending, operations)))
        case .hazards(let choice): hazards(choice)
        // Without operations, every limit would be kept, although nothing ran.
        case _ where operations.isEmpty: .nothing("no operation was enqueued")
        case .makespan: .amount(.time(whole.makespan))
        case .criticalPathLength: .amount(.time(whole.criticalPath.length))
        case .part(let part, let statistic): times(statistic, times(of: part, operations))
        case .lifetime(let statistic):
            times(statistic, operations.map { whole.waits[Int($0)]?.total ?? 0 })
        case .share(let part): share(part, operations)
        case .concurrency where budget.isOfRun: .amount(.number(Concurrency(analysis).peak))
        case .concurrency:
            .amount(.number(ProvenConcurrency.peak(operations, whole.timings.transitions)))
        }
    }

    /// Execution covers operations that started; a wait covers all operations.
    private func times(of part: LifetimeParts.Part, _ operations: [Int32]) -> [Int64] {
        let columns = whole.trace.operations.store.columns
        return operations.compactMap { index in
            if part == .execution, !columns.executing.has(Int(index)) { return nil }
            return whole.waits[Int(index)]?[part]
        }
    }

    private func times(_ statistic: Budget.Statistic, _ times: [Int64]) -> Value {
        if times.isEmpty { return .nothing("no operation started") }
        let distribution = Distribution(times)
        let time =
            switch statistic {
            case .total: distribution.total
            case .mean: Int64(rounding: distribution.mean)
            case .min: distribution.min
            case .p50: distribution.p50
            case .p90: distribution.p90
            case .p95: distribution.p95
            case .p99: distribution.p99
            case .max: distribution.max
            }
        return .amount(.time(time))
    }

    private func share(_ part: LifetimeParts.Part, _ operations: [Int32]) -> Value {
        var (sum, all) = (0.0, 0.0)
        for index in operations {
            guard let waits = whole.waits[Int(index)] else { continue }
            sum += Double(waits[part])
            all += Double(waits.total)
        }
        return .amount(.share(all == 0 ? 0 : sum / all))
    }

    private func count(_ ending: Budget.Ending, _ operations: [Int32]) -> Int {
        let columns = whole.trace.operations.store.columns
        let wanted: OperationEnding =
            switch ending {
            case .failures: .failed
            case .cancellations: .cancelled
            case .unfinished: .unfinished
            }
        return operations.count { OperationEnding(columns, Int($0)) == wanted }
    }

    private mutating func hazards(_ choice: Budget.HazardChoice) -> Value {
        let groups = hazards.groups.filter { group in
            group.severity >= choice.least && choice.only?.contains(group.rule) ?? true
                && !choice.except.contains(group.rule)
        }
        let example = groups.first.flatMap { group in
            group.findings.first.map { "\($0.summary) [\(group.rule)]" }
        }
        return .amount(.number(groups.reduce(0) { $0 + $1.count }), example: example)
    }
}
