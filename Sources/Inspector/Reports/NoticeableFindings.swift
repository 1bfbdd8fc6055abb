extension HazardReport {
    /// A note is worth a line of a summary if it cost this part of the run, in percent.
    private static let leastPart: Int64 = 10

    /// Whether a finding of a group cost a noticeable part of the run.
    ///
    /// - Parameter makespan: of the run, in nanoseconds.
    func isNoticeable(_ group: Group, ofRun makespan: Int64) -> Bool {
        group.findings.contains { $0.cost ?? 0 >= makespan / 100 * Self.leastPart }
    }
}
