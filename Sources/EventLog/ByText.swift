/// A value for each text, by its number, which grows as needed.
struct ByText<Value> {
    private var values: [Value] = []
    private let absent: Value

    /// - Parameter absent: for texts that have no value yet.
    init(absent: Value) { self.absent = absent }

    subscript(number: InternedTexts.Number) -> Value {
        get { Int(number) < values.count ? values[Int(number)] : absent }
        set {
            let missing = Int(number) + 1 - values.count
            if missing > 0 { values.append(contentsOf: repeatElement(absent, count: missing)) }
            values[Int(number)] = newValue
        }
    }
}
