import Foundation
import Testing

@Suite("opviz help agent")
struct AgentTopicTests {
    private static let text = Result { try CommandRun("help", "agent", in: Folder()).text }

    @Test("the help for agents fits 6,000 bytes")
    func size() throws { #expect(try Self.text.get().utf8.count <= 6_000) }

    @Test(
        "the answers in the help for agents have the shape of those of a slow run and of a stuck one",
        .needsRecording, .needsCompiler)
    func shapes() throws {
        let shapes = try Shape.all(in: Self.text.get())
        #expect(shapes.count == 10)
        let folder = try HelpCommandTests.exampleFolder()
        for (command, shape) in shapes {
            let example = try #require(
                try Self.text.get().split(separator: "\n").first { $0.hasPrefix("    $ opviz \(command) ") })
            let words = example.split(separator: "#")[0].split(separator: " ").dropFirst(2).map(String.init)
            for name in ["trace.json", "stuck.json"] {
                let arguments = words.map { ["trace.json", "stuck.json"].contains($0) ? name : $0 }
                let run = try CommandRun(arguments, in: folder)
                let object = try #require(
                    try JSONSerialization.jsonObject(with: run.output) as? [String: Any], "\(example)")
                #expect(object["format"] is String && object["version"] is Int)
                shape.expect(object, command)
            }
        }
    }
}

/// The members of an object, as the page writes them: `{name, kind?, chain: [{id}]}`.
private struct Shape {
    struct Member {
        let name: String
        let isOptional: Bool
        /// Of the object, or of each object in the list.
        let shape: Shape?
    }

    private var members: [Member] = []

    /// By command. They are in an indented block, each on one line or more.
    static func all(in text: String) throws -> [(String, Shape)] {
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("    ") && !$0.hasPrefix("    $") }
        return lines.joined().matches(of: /([a-z-]+) +(\{.*?\})(?=    [a-z]|$)/).map { match in
            var rest = match.2.filter { $0 != " " }[...]
            return (String(match.1), Shape(&rest))
        }
    }

    private init(_ rest: inout Substring) {
        precondition(rest.removeFirst() == "{")
        while let name = rest.prefixMatch(of: /[A-Za-z]+/) {
            rest = rest[name.range.upperBound...]
            let isOptional = rest.first == "?"
            if isOptional { rest.removeFirst() }
            var shape: Shape?
            if rest.first == ":" {
                rest.removeFirst()
                let isList = rest.first == "["
                if isList { rest.removeFirst() }
                shape = Shape(&rest)
                if isList { rest.removeFirst() }
            }
            members.append(Member(name: String(name.output), isOptional: isOptional, shape: shape))
            if rest.first == "," { rest.removeFirst() }
        }
        precondition(rest.removeFirst() == "}")
    }

    /// Expects an object to have these members.
    func expect(_ object: [String: Any], _ path: String) {
        for member in members {
            let place = "\(path).\(member.name)"
            guard let value = object[member.name] else {
                #expect(member.isOptional, "\(place) is missing")
                continue
            }
            guard let shape = member.shape else { continue }
            let objects = (value as? [String: Any]).map { [$0] } ?? value as? [[String: Any]]
            #expect(objects != nil, "\(place) has no members")
            for object in objects ?? [] { shape.expect(object, place) }
        }
    }
}
