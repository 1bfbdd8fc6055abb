import EventLog
import InspectorTraces

/// Made-up texts for those of a trace: always the same for the same text, numbered in the order in which they
/// are first seen.
struct MadeUpTexts {
    /// For whole texts and for their parts.
    private var known: [String: String] = [:]
    /// For locations of code, which have a form of their own.
    private var locations: [String: String] = [:]
    private var counts: [String: Int] = [:]
    /// Texts that stayed, apart from functions.
    private(set) var kept: Set<String> = []
    private(set) var keptFunctions: Set<String> = []

    /// How many different texts were replaced.
    var count: Int { known.count + locations.count }

    /// The word and a number: `queue 2`. Nothing for an empty text.
    mutating func text(_ text: String, _ word: String, ending: String = "") -> String {
        if text.isEmpty { return "" }
        if let known = known[text] { return known }
        if KeptTexts.contains(text) {
            kept.insert(text)
            return text
        }
        let new = "\(word) \(next(word))\(ending)"
        known[text] = new
        return new
    }

    /// A file: a library of the system keeps its name, another library its ending, because pictures
    /// distinguish them.
    mutating func module(_ path: String) -> String {
        if let library = KeptTexts.library(path) {
            kept.insert(library)
            return library
        }
        let isLibrary = path.hasSuffix(".so") || path.contains(".so.")
        return text(path, "module", ending: isLibrary ? ".so" : "")
    }

    /// - Parameter module: the file that it is in.
    mutating func function(_ function: String, in module: String?) -> String {
        // Neither has a name of the program's. A path would not be a function.
        let isOfSystem = module.flatMap(KeptTexts.library) != nil && !function.hasPrefix("/")
        if isOfSystem || KeptTexts.containsFunction(function) {
            keptFunctions.insert(function)
            return function
        }
        // Thunks are not drawn where they belong to a queue.
        return text(function, function.hasPrefix("thunk") ? "thunk" : "function")
    }

    /// The location of code, `path+0x1f@89ab`: `module 2+0x7`, where 7 counts locations. Any other text is a
    /// function that was found there.
    mutating func code(_ text: String) -> String {
        guard let origin = CodeOrigin(text) else { return self.text(text, "function") }
        if let known = locations[text] { return known }
        let module = module(origin.path)
        let new = "\(module)+0x" + String(next("location"), radix: 16)
        locations[text] = new
        return new
    }

    /// The locations of a task's code.
    mutating func taskCode(_ text: String) -> String {
        let codes = CodeNames.codes(ofTask: text)
        guard codes.contains(where: { CodeOrigin($0) != nil }) else { return self.text(text, "function") }
        return codes.map { code($0) }.joined(separator: ">")
    }

    /// A line for each function that awaits.
    mutating func place(_ text: String) -> String {
        AwaitStack.codes(text).map { code($0) }.joined(separator: "\n")
    }

    /// A mark that `Ops` writes keeps its own words, because analyses understand it.
    mutating func mark(_ text: String) -> String {
        switch KnownMark(text) {
        case .waitsForKey(let key, let holder):
            KnownMark.waitsForKey(self.text(key, "key"), holder: self.text(holder, "operation")).text
        case .runsRegardless(let failure):
            KnownMark.runsRegardless(failure: self.text(failure, "message")).text
        case nil: self.text(text, "mark")
        }
    }

    /// What could resume a task: a type or a file in a sentence of opviz.
    mutating func holder(_ text: String) -> String {
        let (object, variable) = ("an object of type ", "a variable of ")
        if text.hasPrefix(object) { return object + self.text(String(text.dropFirst(object.count)), "Kind") }
        if text.hasPrefix(variable) {
            return variable + module(String(text.dropFirst(variable.count)))
        }
        return self.text(text, "holder")
    }

    private mutating func next(_ word: String) -> Int {
        counts[word, default: 0] += 1
        return counts[word, default: 0]
    }
}
