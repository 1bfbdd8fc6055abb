import EventLog

/// Whose code a function is, which decides its colour.
package enum CodeFamily: Int, CaseIterable, Sendable {
    case group, program, library, swift, system, kernel, rest

    /// For legends.
    package var label: String {
        switch self {
        case .group: "operations"
        case .program: "the program"
        case .library: "its libraries"
        case .swift: "Swift, Foundation"
        case .system: "the system"
        case .kernel: "in the kernel"
        case .rest: "small functions together"
        }
    }

    package init(_ label: FlameTree.Label) {
        switch label.role {
        case .group: self = .group
        case .kernel: self = .kernel
        case .rest: self = .rest
        case .function: self = label.module.map(Self.init(module:)) ?? .program
        }
    }

    private init(module: String) {
        self =
            switch CodeOwner(module: module) {
            case .program: .program
            case .library: .library
            case .swift: .swift
            case .system: .system
            }
    }
}

extension PictureTheme {
    package func fill(_ family: CodeFamily) -> String {
        let isLight = self == .light
        return switch family {
        case .group, .kernel: grid
        case .program: isLight ? "#DCE8F6" : "#1B3446"
        case .library: isLight ? "#E9E1F4" : "#3A3350"
        case .swift: isLight ? "#DDF0E4" : "#1D3A33"
        case .system: isLight ? "#F0EBD3" : "#3F3A24"
        case .rest: clusterFills[1]
        }
    }
}
