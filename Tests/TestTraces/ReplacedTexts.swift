package import EventLog

extension LogEvent {
    /// Replaces every text in the event that is not empty.
    package mutating func replaceTexts(_ replacement: (String, EventSchema.TextSort) -> String) {
        changeFields { fields, texts in
            fields.mapTexts { number, sort in
                number == InternedTexts.empty
                    ? number : texts.number(of: replacement(texts[number], sort))
            }
        }
    }

    /// Changes the numbers of the operations and queues in it.
    package mutating func renumber(operation: (UInt64) -> UInt64, queue: (UInt64) -> UInt64) {
        changeFields { fields, _ in fields.renumber(operation: operation, queue: queue) }
    }

    private mutating func changeFields(_ change: (inout EventFields, inout InternedTexts) -> Void) {
        var texts = InternedTexts()
        var fields = EventFields()
        fields.take(self, &texts)
        change(&fields, &texts)
        body = fields.body { texts[$0] }
    }
}
