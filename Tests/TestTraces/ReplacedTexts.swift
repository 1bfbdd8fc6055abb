package import EventLog

extension LogEvent {
    /// Replaces every text in the event that is not empty.
    package mutating func replaceTexts(_ replacement: (String, EventSchema.TextSort) -> String) {
        var texts: [String] = []
        var fields = EventFields()
        fields.take(self, only: &texts)
        guard texts.contains(where: { !$0.isEmpty }) else { return }
        fields.mapTexts { number, sort in
            guard !texts[Int(number)].isEmpty else { return number }
            texts.append(replacement(texts[Int(number)], sort))
            return InternedTexts.Number(texts.count - 1)
        }
        body = fields.body { texts[Int($0)] }
    }
}
