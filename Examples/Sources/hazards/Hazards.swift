import Foundation
import Ops

/// Operations that go wrong, and the same jobs done right: `hazards list`, `hazards ROW [wrong|right]`.
///
/// With `OPVIZ_TRACE=x.json`, a program writes its trace. It exits with 0 if it did its job, with 1 if it saw
/// the fault happen, or it crashes.
@main
struct Hazards {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        if words == ["list"] { return list() }
        let program = HazardProgram.all.first { $0.id == words.first }
        guard let program, words.count <= 2 else { usage() }
        switch words.count == 2 ? words[1] : "wrong" {
        case "wrong": end(program.wrong())
        case "right": end(program.right())
        default: usage()
        }
    }

    private static func list() {
        let width = HazardProgram.all.map(\.id.count).max() ?? 0
        for program in HazardProgram.all {
            say(program.id.padding(toLength: width + 2, withPad: " ", startingAt: 0) + program.summary)
        }
    }

    private static func end(_ verdict: Verdict) -> Never {
        switch verdict {
        case .didItsJob(let sentence):
            say(sentence)
            exit(0)
        case .wentWrong(let sentence):
            say(sentence)
            // What is stuck stays stuck; the log is sealed on the way out.
            exit(1)
        }
    }

    private static func usage() -> Never {
        FileHandle.standardError.write(Data("usage: hazards list | hazards ROW [wrong|right]\n".utf8))
        exit(64)
    }

    /// Writes at once, so that a program has printed the line before it crashes.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
