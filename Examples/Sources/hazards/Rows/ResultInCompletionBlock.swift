import Foundation
import Ops

extension HazardProgram {
    /// Dependents may start before the `completionBlock` of their dependency is called on another thread. So
    /// a result that the block passes on comes too late.
    static let resultInCompletionBlock = HazardProgram(
        id: "result-in-completion-block",
        summary: "a result is handed to the dependent in completionBlock: the dependent runs first",
        wrong: {
            let queue = InstrumentedQueue()
            queue.name = "pages"
            let (began, handedOver) = (Gate(), Gate())
            let download = HandWrittenDownload()
            let parse = HandWrittenParse(began: began)
            parse.addDependency(download)
            download.completionBlock = { [unowned download] in
                // It is a race that the block mostly loses; this makes it lose always.
                began.pass()
                Recorder.shared.mark("handing over")
                parse.input = download.text
                handedOver.open()
            }
            queue.addOperations([download, parse], waitUntilFinished: false)
            _ = queue.isEmpty() && handedOver.pass()
            return Verdict(parse.words > 0, "parsed: \(parse.words) words")
        },
        right: {
            let queue = InstrumentedQueue()
            queue.name = "pages"
            let download = SynchronousOperation(name: "download") { "the text of page" }
            let parse = download.then(name: "parse") { $0.split(separator: " ").count }
            queue.addOperations([download, parse], waitUntilFinished: false)
            guard queue.isEmpty(), case .success(let words)? = parse.output else {
                return .wentWrong("parsed: nothing")
            }
            return Verdict(words > 0, "parsed: \(words) words")
        })
}

private final class HandWrittenDownload: Operation, @unchecked Sendable {
    private let answer = Shared<String?>(nil)

    var text: String? { answer.value }

    override init() {
        super.init()
        name = "download"
    }

    override func main() { answer.value = "the text of page" }
}

private final class HandWrittenParse: Operation, @unchecked Sendable {
    private let given = Shared<String?>(nil)
    private let counted = Shared(0)
    private let began: Gate

    var input: String? {
        get { given.value }
        set { given.value = newValue }
    }
    var words: Int { counted.value }

    init(began: Gate) {
        self.began = began
        super.init()
        name = "parse"
    }

    override func main() {
        counted.value = input?.split(separator: " ").count ?? 0
        began.open()
    }
}
