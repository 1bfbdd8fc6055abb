import Foundation
import TestTraces

/// What SciPy gives for the same inputs, written by Tests/scipy-vectors.py.
struct ScipyVectors: Decodable {
    struct RankTest: Decodable {
        let x, y: [Double]
        let u, less, greater: Double
    }

    struct Bootstrap: Decodable {
        struct Interval: Decodable { let confidence, low, high: Double }
        let replicates: [Double]
        let intervals: [Interval]
    }

    struct MedianResamples: Decodable {
        let values, quantiles: [Double]
        let mean, deviation: Double
    }

    struct Student: Decodable {
        let degrees: Int
        let p, t, probability: Double
    }

    struct Normal: Decodable { let p, z, probability: Double }

    struct Holm: Decodable { let p, corrected: [Double] }

    struct SignedRank: Decodable {
        let differences: [Double]
        let greater: Double
    }

    let exact, tied, asymptotic: [RankTest]
    let bootstrap: [Bootstrap]
    let medianResamples: [MedianResamples]
    let student: [Student]
    let normal: [Normal]
    let holm: [Holm]
    let signedRank: [SignedRank]

    static let committed = Result {
        try JSONDecoder().decode(
            Self.self,
            from: Data(
                contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                    .appending(path: "scipy.json")))
    }
}

extension Double {
    /// Whether the numbers are equal to this many significant digits; near zero, to as many decimals.
    func equals(_ other: Double, digits: Int = 9) -> Bool {
        abs(self - other) <= pow(10, -Double(digits)) * max(abs(self), abs(other), 1e-6)
    }
}
