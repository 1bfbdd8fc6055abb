/// A value from a small JSON file that people keep and edit, with its position for error messages.
struct JSONValue {
    enum Content {
        case null
        case bool(Bool)
        /// A number without fraction and exponent that fits into 64 bits.
        case integer(Int64)
        /// Any other number.
        case number(Double)
        case text(String)
        case list([JSONValue])
        /// If a name is repeated, the last one counts.
        case object([String: JSONValue])
    }

    /// Why a text is not as expected, and where: bytes from its start.
    struct Problem: Error {
        let offset: Int
        let reason: String
    }

    let content: Content
    let offset: Int

    func text() throws(Problem) -> String {
        guard case .text(let text) = content else { throw expected("a string") }
        return text
    }

    func bool() throws(Problem) -> Bool {
        guard case .bool(let value) = content else { throw expected("true or false") }
        return value
    }

    /// A number from 0 to the largest 64-bit number.
    func count() throws(Problem) -> Int64 {
        guard case .integer(let number) = content, number >= 0 else {
            throw expected("a whole number, 0 or more")
        }
        return number
    }

    /// A number with either sign.
    func integer() throws(Problem) -> Int64 {
        guard case .integer(let number) = content else { throw expected("a whole number") }
        return number
    }

    func list() throws(Problem) -> [JSONValue] {
        guard case .list(let values) = content else { throw expected("a list") }
        return values
    }

    func object() throws(Problem) -> [String: JSONValue] {
        guard case .object(let members) = content else { throw expected("an object") }
        return members
    }

    /// A required member of an object.
    subscript(name: String) -> JSONValue {
        get throws(Problem) {
            guard let value = try object()[name] else {
                throw Problem(offset: offset, reason: "expected an object with \"\(name)\"")
            }
            return value
        }
    }

    private func expected(_ what: String) -> Problem { Problem(offset: offset, reason: "expected \(what)") }
}
