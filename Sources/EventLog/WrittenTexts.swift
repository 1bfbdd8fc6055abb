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

    /// Gives the event the numbers that its texts have in the log.
    ///
    /// - Returns: the texts that were used for the first time, by both numbers.
    mutating func renumber(_ event: inout EventFields) -> [(written: UInt32, source: InternedTexts.Number)] {
        var new: [(written: UInt32, source: InternedTexts.Number)] = []
        event.mapTexts { number, _ in
            if number == InternedTexts.empty { return number }
            if numbers[number] == 0 {
                count += 1
                numbers[number] = count
                new.append((count, number))
            }
            return numbers[number]
        }
        return new
    }
}
