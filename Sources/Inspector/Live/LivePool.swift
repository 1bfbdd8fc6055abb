import EventLog
import WaitDiagnosis

extension PoolThreads {
    /// ``PoolThreads/standstill(of:processors:at:text:function:)`` as a finding.
    ///
    /// - Parameter text: returns the text for a number in the log, and the name for one of
    ///   ``LiveTexts/function(_:)``.
    func hazard(
        _ tasks: LiveTasks, processors: Int?, at time: Int64, text: (UInt32) -> String
    ) -> LiveFindings.Hazard? {
        let found = standstill(
            of: tasks, processors: processors, at: time, text: text,
            function: { text(LiveTexts.function($0)) })
        return found.map { found in
            LiveFindings.Hazard(
                rule: LiveRules.blockedPool, severity: .error,
                summary: found.sentence { TerminalText.shortened($0, toColumns: 40) }, operation: 0)
        }
    }
}
