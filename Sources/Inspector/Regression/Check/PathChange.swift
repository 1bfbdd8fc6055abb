/// The most common critical path of each side, as kinds.
public struct PathChange: Sendable {
    /// The path that most runs of one side have.
    public struct Path: Hashable, Sendable {
        /// In the order of the path, with repetitions in a row removed.
        public let kinds: [String]
        /// The number of runs with this path.
        public let runs: Int
    }

    /// Nil without runs.
    public let baseline: Path?
    /// Nil without runs.
    public let current: Path?

    /// Whether the two sides have different paths.
    public var isChange: Bool { baseline?.kinds != current?.kinds }

    init(baseline: [RunTimings], current: [RunTimings]) {
        self.baseline = Self.commonest(baseline)
        self.current = Self.commonest(current)
    }

    /// Among equally common paths, the first one by its kinds.
    private static func commonest(_ runs: [RunTimings]) -> Path? {
        let counts = Dictionary(runs.map { ($0.path, 1) }, uniquingKeysWith: +)
        let commonest = counts.min {
            $0.value == $1.value
                ? $0.key.lexicographicallyPrecedes($1.key) : $0.value > $1.value
        }
        return commonest.map { Path(kinds: $0.key, runs: $0.value) }
    }
}
