/// The look of the executed graph.
///
/// Colours are of the palette by M. Okabe and K. Ito ("Color Universal Design", 2008), which people with any kind of
/// colour vision tell apart, in light tints to print black on; and nothing is said by colour alone.
enum DOTStyle {
    /// How an operation ended, as the picture tells it.
    enum Ending: CaseIterable {
        case succeeded, failed, cancelled, unfinished, unobserved

        init(of operation: TracedOperation) {
            if operation.enqueued == nil {
                self = .unobserved
            } else if operation.finished == nil {
                self = .unfinished
            } else {
                switch operation.outcome {
                case .failed: self = .failed
                case .cancelled: self = .cancelled
                case .succeeded, nil: self = .succeeded
                }
            }
        }

        var label: String {
            switch self {
            case .succeeded: "succeeded"
            case .failed: "failed"
            case .cancelled: "cancelled"
            case .unfinished: "never finished"
            case .unobserved: "not observed"
            }
        }

        var fill: String {
            switch self {
            case .succeeded: "#D9EFE7"
            case .failed: "#F6DCEA"
            case .cancelled: "#E6E6E6"
            case .unfinished: "#FBF5B7"
            case .unobserved: "#FFFFFF"
            }
        }

        var border: String {
            switch self {
            case .succeeded: "#00795A"
            case .failed: "#A83276"
            case .cancelled: "#777777"
            case .unfinished: "#8A7D00"
            case .unobserved: "#999999"
            }
        }

        /// Tells the endings apart without colour.
        var lineStyle: String {
            switch self {
            case .succeeded, .failed: "solid"
            case .cancelled, .unobserved: "dashed"
            case .unfinished: "bold"
            }
        }
    }

    static let criticalColor = "#D55E00"
    static let criticalWidth = 3
    static let edgeColor = "#555555"
    static let spawnColor = "#999999"
    static let mutedText = "#555555"
    static let clusterBorder = "#BBBBBB"
    static let clusterFills = ["#F7F7F7", "#EFF4F8", "#F7F7F7"]
    static let font = "Helvetica,Arial,sans-serif"
}
