/// The stories of a page's operations: each pattern once, and for each operation the number of its pattern.
struct PageStories {
    private var phrases: PagePhraseColumns
    private var times: [StoryTime: Int32] = [:]
    private var names: [String] = []
    /// All patterns, one after the other: the answer, the number of sentences about the cost with each of
    /// them, and the number of events with the time, the duration plus one or 0, and the phrase of each.
    private var patterns: [Int32] = []
    private var stories: [Int64] = []
    /// Of each queue of the trace; 0 without a limit, or with a changing one.
    private let slots: [Int64]

    /// Cost: n log n in the page's operations.
    init(_ maker: StoryMaker, _ selection: PageSelection) {
        phrases = PagePhraseColumns(selection)
        slots = maker.trace.queues.indices.map { Int64(maker.limits.fixed($0) ?? 0) }
        var numbers: [StoryFacts: Int64] = [:]
        for index in selection.operations {
            let facts = maker.facts(of: index)
            let known = numbers[facts]
            stories.append(known ?? Int64(numbers.count))
            guard known == nil else { continue }
            numbers[facts] = Int64(numbers.count)
            add(StoryPattern(facts))
        }
    }

    private mutating func add(_ pattern: StoryPattern) {
        add(pattern.answer)
        patterns.append(Int32(pattern.cost.count))
        for sentence in pattern.cost { add(sentence) }
        patterns.append(Int32(pattern.events.count))
        for event in pattern.events {
            patterns.append(number(event.at))
            patterns.append(event.lasting.map { number($0) + 1 } ?? 0)
            add(event.what)
        }
    }

    private mutating func add(_ phrase: Phrase) {
        patterns.append(Int32(truncatingIfNeeded: phrases.number(ofPattern: phrase)))
    }

    private mutating func number(_ time: StoryTime) -> Int32 {
        if let known = times[time] { return known }
        let number = Int32(names.count)
        times[time] = number
        names.append(time.word)
        return number
    }

    var object: JSONObject {
        var object = JSONObject()
        object.add("phrases", phrases.object)
        object.add("times", names)
        object.add("patterns", patterns)
        object.add("stories", PageColumn.object(stories))
        object.add("slots", PageColumn.object(slots))
        object.add("queues", slots.count)
        return object
    }
}
