extension TimingMetric {
    /// Parses the texts of ``label``, `critical path` and `slot wait` for the metrics of whole runs, and
    /// parts without the word `wait`: `slot of Fetch`. `nil` for anything else, and for the CPU time of a
    /// whole run.
    ///
    /// - Parameter text: in lower case, except for the kind, which is everything after `of`.
    public init?(named text: String) {
        let text = text.trimmingPrefix { $0 == " " }
        if let whole = RunQuantity.allCases.first(where: { text == $0.label || $0.alias == String(text) }) {
            self.init(.ofRun(whole))
            return
        }
        let separator = text.firstRange(of: " of ")
        let word = separator.map { text[..<$0.lowerBound] } ?? text[...]
        let kind = separator.map { String(text[$0.upperBound...]) }
        if let kind, word == "CPU" || word == "cpu" {
            self.init(kind: kind, .onCPU)
            return
        }
        guard let part = LifetimeParts.Part.allCases.first(where: { word == $0.label || word == $0.name })
        else { return nil }
        self.init(kind: kind == "all operations" ? nil : kind, .part(part))
    }

    /// `no metric named 'makspan'; did you mean 'makespan'?`
    ///
    /// - Parameter kinds: the kinds of the runs, as far as they are known.
    package static func unknown(_ name: String, kinds: [String] = []) -> String {
        let parts = LifetimeParts.Part.allCases.map(\.label)
        let candidates: [String]
        if let separator = name.firstRange(of: " of ") {
            let given = String(name[separator.upperBound...])
            let kind =
                kinds.contains(given) ? given : NearestNames(to: given, among: kinds).names.first ?? given
            candidates = (parts + ["CPU"]).map { "\($0) of \(kind)" }
        } else {
            candidates =
                RunQuantity.allCases.map { $0.alias ?? $0.label } + parts
                + kinds.map { TimingMetric(kind: $0, .part(.execution)).label }
        }
        return "no metric named \(NearestNames.quoted(name)); "
            + (NearestNames(to: name, among: candidates).question
                ?? "the metrics are makespan, critical path, and each part of the time "
                + "(\(parts.joined(separator: ", "))) alone or of a kind: 'execution of Parse', and "
                + "'CPU of Parse'")
    }
}
