/// The numbers that texts have in a log that is being written: from 1, in the order of their first use. 0 is
/// the empty text.
struct WrittenTexts {
    /// By the number in what is read; 0 for a text that was not used yet.
    private var numbers = ByText<UInt32>(absent: 0)
    private var count: UInt32 = 0
    /// The texts of events that came as values.
    private(set) var texts = InternedTexts()

    /// For a log of events that come as values; `texts` has their texts.
    mutating func fields(of event: LogEvent) -> EventFields {
        var fields = EventFields()
        fields.take(event, &texts)
        return fields
    }

    /// - Parameter number: the text's number in what is read.
    mutating func number(of number: InternedTexts.Number) -> (written: UInt32, isNew: Bool) {
        if number == InternedTexts.empty { return (0, false) }
        let known = numbers[number]
        guard known == 0 else { return (known, false) }
        count += 1
        numbers[number] = count
        return (count, true)
    }
}
