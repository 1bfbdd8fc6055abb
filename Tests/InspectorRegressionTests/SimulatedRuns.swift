import Foundation
import TestTraces

@testable import InspectorAnalysis
@testable import InspectorRegression

/// Runs of a program that takes about 10 ms, for asking how often a check is wrong.
struct SimulatedRuns {
    enum Shape: String, CaseIterable {
        case normal = "normal"
        case logNormal = "log-normal"
        /// Student's t with two degrees of freedom, in the exponent: it has no variance.
        case heavyTailed = "heavy-tailed"
        /// Every other run takes a slow path.
        case twoHumped = "two-humped"
    }

    let shape: Shape
    /// About how far times spread, as a part of themselves.
    var noise = 0.05
    /// How much slower the program is: 1.1 takes 10 % longer.
    var factor = 1.0
    /// Of each run; 1 is a whole-run metric.
    var operations = 1
    /// The standard deviation of what all operations of a run share, in logarithms.
    var runEffect = 0.0
    /// The same of what all runs of a session share.
    var sessionEffect = 0.0

    /// What a session does to the runs in it.
    func weather(_ generator: inout SplitMix64) -> Double { exp(sessionEffect * Self.normal(&generator)) }

    func session(
        of runs: Int, weather: Double = 1, _ generator: inout SplitMix64
    ) -> [TimingSamples] {
        (0..<runs).map { _ in
            let base = 1e7 * factor * weather * exp(runEffect * Self.normal(&generator))
            return TimingSamples((0..<operations).map { _ in Int64(min(base * time(&generator), 1e15)) })!
        }
    }

    private func time(_ generator: inout SplitMix64) -> Double {
        let value = Self.normal(&generator)
        switch shape {
        case .normal: return max(1 + noise * value, 0)
        case .logNormal: return exp(noise * value)
        case .heavyTailed: return exp(noise * value / (-log(generator.uniform())).squareRoot() / 1.4)
        case .twoHumped: return (generator.uniform() < 0.5 ? 1 : 1 + 2 * noise) * exp(noise / 4 * value)
        }
    }

    /// Box and Muller's transformation.
    private static func normal(_ generator: inout SplitMix64) -> Double {
        (-2 * log(generator.uniform())).squareRoot() * cos(2 * .pi * generator.uniform())
    }
}
