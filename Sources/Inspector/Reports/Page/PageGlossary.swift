/// What words on the page mean: the page shows it where the pointer is on them.
enum PageGlossary {
    static var object: JSONObject {
        var object = JSONObject()
        for (word, meaning) in Glossary.entries {
            object.add(word, meaning.replacing("`", with: ""))
        }
        return object
    }
}
