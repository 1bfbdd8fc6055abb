/// The positions of a timeline's parts, in pixels.
struct TimelineGeometry {
    static let left = 172.0
    static let right = 24.0
    static let sectionGap = 10.0
    static let curveHeight = 64.0
    static let threadsHeight = 52.0
    private static let leastSection = 32.0
    private static let waitingHeight = 40.0
    private static let mergedHeight = 56.0

    struct Section {
        let top: Double
        /// The height of the band of waiting operations above the lanes; 0 without a band.
        let waitingHeight: Double
        let lanesHeight: Double
        let bottom: Double

        var lanesTop: Double { top + waitingHeight + (waitingHeight > 0 ? 4 : 0) }
    }

    let width: Double
    let laneHeight: Double
    let sections: [Section]
    /// Of tasks, below those of the queues.
    let executors: [Section]
    let bottom: Double
    /// At the right, arrows take this much of the chart; names keep out of it.
    var arrowsWidth = 0.0

    private let start: Int64
    private let end: Int64
    private let pixelsPerNanosecond: Double

    /// - Parameters:
    ///   - tasks: nil without tasks.
    ///   - hasWaits: for each section.
    ///   - hasNames: whether each lane has room for names, however many there are.
    init(
        _ layout: TimelineLayout, _ tasks: TimelineTasks?, _ selection: TimelineSelection, hasWaits: [Bool],
        hasNames: Bool = false, width: Double, top: Double
    ) {
        self.width = width
        let ofTasks = tasks?.sections ?? []
        let lanes =
            layout.sections.reduce(0) { $0 + $1.lanes } + ofTasks.reduce(0) { $0 + $1.lanes }
        laneHeight = lanes <= 14 ? 24 : lanes <= 32 || hasNames ? 18 : 12
        var cursor = top
        var sections: [Section] = []
        for (section, hasWaits) in zip(layout.sections, hasWaits) {
            let waiting = layout.style == .rows || !hasWaits ? 0 : Self.waitingHeight
            let lanesHeight =
                layout.style == .merged ? Self.mergedHeight : Double(section.lanes) * laneHeight
            let height = max(Self.leastSection, waiting + (waiting > 0 ? 4 : 0) + lanesHeight)
            sections.append(
                Section(
                    top: cursor, waitingHeight: waiting, lanesHeight: lanesHeight, bottom: cursor + height))
            cursor += height + Self.sectionGap
        }
        var executors: [Section] = []
        for section in ofTasks {
            let lanesHeight = Double(section.lanes) * laneHeight
            let height = max(Self.leastSection, lanesHeight)
            executors.append(
                Section(top: cursor, waitingHeight: 0, lanesHeight: lanesHeight, bottom: cursor + height))
            cursor += height + Self.sectionGap
        }
        self.sections = sections
        self.executors = executors
        bottom = max(top, cursor - Self.sectionGap)
        start = selection.start
        end = selection.end
        pixelsPerNanosecond = (width - Self.left - Self.right) / Double(selection.end - selection.start)
    }

    var chartWidth: Double { width - Self.left - Self.right }
    var chartEnd: Double { width - Self.right }
    var namesEnd: Double { chartEnd - arrowsWidth }

    /// Clamps times to the visible range.
    func x(_ time: Int64) -> Double {
        min(max(Self.left + pixels(time - start), Self.left), chartEnd)
    }

    /// Whether any of these moments is visible.
    func shows(_ times: ClosedRange<Int64>) -> Bool { times.overlaps(start...end) }

    func pixels(_ nanoseconds: Int64) -> Double { Double(nanoseconds) * pixelsPerNanosecond }
}
