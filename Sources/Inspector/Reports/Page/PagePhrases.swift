/// The sentences of the page, from ``Phrase``, which terminals use too. The page fills in its own operations
/// and times.
enum PagePhrases {
    static var object: JSONObject {
        var object = JSONObject()
        var templates = JSONObject()
        for template in Phrase.Template.allCases { templates.add("\(template)", template.rawValue) }
        object.add("templates", templates)
        var (waits, labels) = (JSONObject(), JSONObject())
        for part in LifetimeParts.Part.allCases {
            waits.add(part.name, part.row.object)
            labels.add(part.name, part.label)
        }
        waits.add("beforeEnqueue", DelayChainTable.beingAdded)
        object.add("waits", waits)
        object.add("parts", labels)
        object.add("waitingParts", LifetimeParts.Part.waits.map(\.name))
        // The order for parts of equal time.
        var composition = JSONObject()
        for (portion, text) in DelayChain.words { composition.add(portion.key, text) }
        object.add("composition", composition)
        object.add("nothing", DelayChain.nothing)
        var (reasons, firstReasons) = (JSONObject(), JSONObject())
        for reason in DelayChain.Reason.allCases {
            reasons.add("\(reason)", reason.text(isFirst: false))
            firstReasons.add("\(reason)", reason.text(isFirst: true))
        }
        object.add("reasons", reasons)
        object.add("firstReasons", firstReasons)
        // The page fills in the name.
        var relations = JSONObject()
        for relation in Waiters.Relation.allCases { relations.add("\(relation)", relation.text("{}")) }
        object.add("relations", relations)
        var edges = JSONObject()
        for meaning in EdgeMeaning.allCases { edges.add("\(meaning)", meaning.rawValue) }
        object.add("edges", edges)
        object.add("mostShown", mostShown)
        return object
    }

    /// How much of a list is shown.
    private static var mostShown: JSONObject {
        var object = JSONObject()
        object.add("steps", DelayChainTable.shownSteps)
        object.add("waiters", Explanation.shownWaiters)
        object.add("ofCircle", Explanation.mostOfCircle)
        object.add("holders", StoryMaker.shownHolders)
        return object
    }
}

extension DelayChain.Reason {
    /// The position of each among the page's reasons.
    static let numbers = Dictionary(
        uniqueKeysWithValues: allCases.enumerated().map { ($1, Int64($0)) })
}
