import EventLog
import Foundation
public import Inspector

extension InterleavedMeasurement {
    /// Expects that the current side is not slower than the baseline by more than the threshold.
    ///
    /// Fails if the check's verdict is *regressed*. For equally fast sides, that happens in at most one of a
    /// hundred checks. If the runs are not conclusive, a note says what would help.
    ///
    /// - Parameters:
    ///   - threshold: 0.05 is 5 %.
    ///   - absoluteThreshold: the larger of the two thresholds counts.
    ///   - primary: the metrics that decide the verdict.
    ///   - isStrict: whether to fail also if the runs are not conclusive.
    public func expectNoRegression(
        threshold: Double = 0.05, absoluteThreshold: Duration = .zero, primary: [TimingMetric] = [.makespan],
        isStrict: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        let policy = CheckPolicy(
            relativeThreshold: threshold, absoluteThreshold: absoluteThreshold.nanosecondsClamped)
        check(policy, primary: primary).expectNoRegression(
            isStrict: isStrict, slowest: current.slowest, at: CallSite(fileID, filePath, line, column))
    }
}

extension Measurement {
    /// Expects that the runs are not slower than those of a baseline by more than the threshold. Create the
    /// baseline with `opviz baseline`, or by running the test with `OPVIZ_RECORD_BASELINES=1` in the
    /// environment.
    ///
    /// A baseline is from another time, and often from another machine. Unless its runs come from several
    /// sessions, the check reports that it cannot tell. `measureInterleaved` can.
    ///
    /// - Parameters:
    ///   - baseline: the file; searched beside the test's source, then in the current directory.
    ///   - threshold: 0.05 is 5 %.
    ///   - absoluteThreshold: the larger of the two thresholds counts.
    ///   - primary: the metrics that decide the verdict.
    ///   - isStrict: whether to fail also if the runs are not conclusive.
    public func expectNoRegression(
        against baseline: String, threshold: Double = 0.05, absoluteThreshold: Duration = .zero,
        primary: [TimingMetric] = [.makespan], isStrict: Bool = false, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let place = CallSite(fileID, filePath, line, column)
        do {
            if ProcessInfo.processInfo.environment["OPVIZ_RECORD_BASELINES"] == "1" {
                return try recordBaseline(baseline, at: place)
            }
            let path = RecordedRun.path(of: baseline, for: place)
            let policy = CheckPolicy(
                relativeThreshold: threshold, absoluteThreshold: absoluteThreshold.nanosecondsClamped)
            RegressionCheck(
                baseline: CheckSide(try BaselineReader(path: path).read(), file: baseline),
                current: side("current"), primary: primary, policy: policy
            ).expectNoRegression(isStrict: isStrict, slowest: slowest, at: place)
        } catch let error as TraceError where error.code == .noSuchFile {
            TestFailure.record(
                "\(error): run the test with OPVIZ_RECORD_BASELINES=1 to record the baseline", at: place)
        } catch {
            TestFailure.record("\(error)", at: place)
        }
    }

    /// Adds the runs to the existing ones: more sessions give a better decision.
    private func recordBaseline(_ file: String, at place: CallSite) throws {
        let url =
            file.hasPrefix("/")
            ? URL(filePath: file)
            : URL(filePath: "\(place.filePath)").deletingLastPathComponent().appending(path: file)
        let isThere = FileManager.default.fileExists(atPath: url.path)
        let earlier = isThere ? try BaselineReader(path: url.path).read().runs : []
        try Data(Baseline(runs: earlier + timings).bytes).write(to: url, options: .atomic)
        let added = Prose.counted(timings.count, "run")
        TestFailure.note("added \(added) to the baseline in \(url.path)", at: place)
    }
}

extension RegressionCheck {
    fileprivate func expectNoRegression(isStrict: Bool, slowest: RecordedRun, at place: CallSite) {
        let sentence = CheckText(self).summary
        switch verdict {
        case .regressed: slowest.fail(sentence, at: place)
        case .inconclusive where isStrict: slowest.fail(sentence, at: place)
        case .inconclusive: TestFailure.note(sentence, at: place)
        case .improved, .unchanged: break
        }
    }
}

extension Duration {
    /// Nanoseconds, clamped to the range of the type.
    var nanosecondsClamped: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow
            ? (seconds < 0 ? .min : .max)
            : whole.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }
}
