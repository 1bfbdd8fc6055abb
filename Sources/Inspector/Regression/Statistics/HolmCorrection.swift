/// Corrects several tests for their number, so that all of them together keep one error rate.
///
/// Source: Holm: A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics
/// 6 (1979), 65–70. It is valid for any dependence between the tests, and never weaker than Bonferroni's
/// correction.
enum HolmCorrection {
    /// At most 1, in the order of `p`. A value that is at most the error rate may be rejected.
    static func corrected(_ p: [Double]) -> [Double] {
        var corrected = p
        var least = 0.0
        for (done, index) in p.indices.sorted(by: { p[$0] < p[$1] }).enumerated() {
            least = max(least, min(p[index] * Double(p.count - done), 1))
            corrected[index] = least
        }
        return corrected
    }
}
