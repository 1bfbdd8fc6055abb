import Foundation
import InspectorAnalysis
import InspectorText
import Testing

/// Whether colours can be told apart: by distances in OKLab (B. Ottosson, 2020; 100 is from black to white),
/// as people with normal vision see them, and with each of the three kinds of colour blindness as G. M.
/// Machado et al. simulate it at its strongest (IEEE TVCG, 2009).
@Suite("The colours of pictures")
struct ColorsTests {
    private enum Vision: CaseIterable {
        case normal, protanopia, deuteranopia, tritanopia

        var matrix: [[Double]] {
            switch self {
            case .normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
            case .protanopia:
                [
                    [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                    [-0.003882, -0.048116, 1.051998],
                ]
            case .deuteranopia:
                [
                    [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                    [-0.011820, 0.042940, 0.968881],
                ]
            case .tritanopia:
                [
                    [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                    [0.004733, 0.691367, 0.303900],
                ]
            }
        }
    }

    private static func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    private static func linear(_ color: String) -> [Double] {
        let number = Int(color.dropFirst(), radix: 16) ?? 0
        return [16, 8, 0].map { shift in
            let value = Double(number >> shift & 0xFF) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
    }

    private static func seen(_ color: String, _ vision: Vision) -> [Double] {
        let light = product(vision.matrix, linear(color)).map { min(1, max(0, $0)) }
        let cones = product(
            [
                [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
                [0.0883024619, 0.2817188376, 0.6299787005],
            ], light)
        return product(
            [
                [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
                [0.0259040371, 0.7827717662, -0.8086757660],
            ], cones.map(cbrt))
    }

    private static func distance(_ one: String, _ other: String, _ vision: Vision) -> Double {
        let difference = zip(seen(one, vision), seen(other, vision)).map { $0 - $1 }
        return 100 * sqrt(difference.reduce(0) { $0 + $1 * $1 })
    }

    private static func expectApart(
        _ colors: [String], _ others: [String], normal: Double, blind: Double
    ) {
        for vision in Vision.allCases {
            let least = vision == .normal ? normal : blind
            for one in colors {
                for other in others where one != other {
                    let distance = distance(one, other, vision)
                    #expect(distance >= least, "\(one) and \(other), \(vision): \(distance)")
                }
            }
        }
    }

    private static func contrast(_ one: String, _ other: String) -> Double {
        let luminances = [one, other].map { color in
            zip([0.2126, 0.7152, 0.0722], linear(color)).reduce(0) { $0 + $1.0 * $1.1 }
        }.sorted()
        return (luminances[1] + 0.05) / (luminances[0] + 0.05)
    }

    @Test("kinds can be told from each other, and from waits and outcomes", arguments: PictureTheme.allCases)
    func kinds(theme: PictureTheme) {
        let parts =
            LifetimeParts.Part.allCases.map(theme.color) + TaskPart.allCases.map { theme.color($0) }
            + [.waitingForCPU, .unmeasured].map { (part: ExecutionParts.Part) in theme.color(part) }
        let outcomes = OperationEnding.allCases.map(theme.fill)
        #expect(Set(theme.groupFills).count == theme.groupFills.count)
        #expect(Set(theme.groupFills).isDisjoint(with: parts + outcomes))
        Self.expectApart(theme.groupFills, theme.groupFills, normal: 9, blind: 5)
        // What is nearer for the colour-blind has a sign, a pattern or another height, too.
        Self.expectApart(
            theme.groupFills + [theme.otherFill],
            parts + outcomes + [theme.otherFill, theme.background], normal: 4.9, blind: 2.4)
        for fill in theme.groupFills + [theme.otherFill] {
            let contrast = Self.contrast(fill, theme.text)
            #expect(contrast >= 4.5, "text on \(fill): \(contrast)")
        }
    }

    @Test("the parts of a lifetime can be told from each other", arguments: PictureTheme.allCases)
    func parts(theme: PictureTheme) {
        for parts in [
            LifetimeParts.Part.allCases.map(theme.color), TaskPart.allCases.map { theme.color($0) },
        ] {
            #expect(Set(parts).count == parts.count)
            Self.expectApart(parts, parts, normal: 8.9, blind: 4.3)
        }
    }

    @Test("nothing else has the orange of the critical path", arguments: PictureTheme.allCases)
    func critical(theme: PictureTheme) {
        let others =
            LifetimeParts.Part.allCases.map(theme.color) + TaskPart.allCases.map { theme.color($0) }
            + ExecutionParts.Part.allCases.map(theme.color) + theme.groupFills
            + OperationEnding.allCases.flatMap { [theme.fill($0), theme.border($0)] }
            + [theme.slower, theme.faster, theme.edge, theme.remote, theme.blocked, theme.wake, theme.text]
            + [theme.otherFill, theme.spawn, theme.grid]
        #expect(!others.contains(theme.critical))
        Self.expectApart([theme.critical], others, normal: 14, blind: 5)
    }
}
