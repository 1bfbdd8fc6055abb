/// Why operations of a page have not finished: sentences, and for each operation the number of one.
struct PageStandstills {
    private let reasons: [Int: UnfinishedReport.Reason]
    private var numbers: [String: Int64] = [:]
    private(set) var sentences: [String] = []

    /// Linear in unfinished operations.
    init(_ report: UnfinishedReport) { reasons = report.reasons }

    /// 0 without a sentence; the negated number for a sentence about the operation itself. Numbers begin
    /// with 1.
    mutating func number(of operation: Int) -> Int64 {
        switch reasons[operation] {
        case .itself(let sentence): -number(for: sentence)
        case .other(let sentence): number(for: sentence)
        case nil: 0
        }
    }

    private mutating func number(for sentence: String) -> Int64 {
        if let number = numbers[sentence] { return number }
        sentences.append(MarkupText.visible(sentence))
        numbers[sentence] = Int64(sentences.count)
        return Int64(sentences.count)
    }
}
