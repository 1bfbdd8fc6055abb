import Foundation

extension QualityOfService {
    /// The four levels, in order of increasing urgency.
    static let levels: [QualityOfService] = [.background, .utility, .userInitiated, .userInteractive]

    var name: String {
        switch self {
        case .userInteractive: "user-interactive"
        case .userInitiated: "user-initiated"
        case .utility: "utility"
        case .background: "background"
        default: "default"
        }
    }
}
