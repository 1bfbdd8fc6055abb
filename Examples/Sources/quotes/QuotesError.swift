/// What went wrong, in one sentence.
struct QuotesError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
