import Foundation
import Ops

extension HazardProgram {
    /// A synchronous operation has finished when `main()` returns, even if `main()` began other work. Its
    /// dependents run before that work is done, and read nothing.
    static let asynchronousWorkInMain = HazardProgram(
        id: "asynchronous-work-in-main",
        summary: "asynchronous work in main() of a synchronous operation: it finishes before its work",
        wrong: {
            let queue = InstrumentedQueue()
            queue.name = "downloads"
            let (wasShown, shown) = (Gate(), Shared<String?>(nil))
            let download = HandWrittenDownload(from: Network(gate: wasShown))
            let show = BlockOperation {
                shown.value = download.text ?? "nothing"
                wasShown.open()
            }
            show.name = "show"
            show.addDependency(download)
            queue.addOperations([download, show], waitUntilFinished: false)
            let isDone = queue.isEmpty() && soon { download.text != nil }
            return Verdict(isDone && shown.value != "nothing", "shown: \(shown.value ?? "not at all")")
        },
        right: {
            let queue = InstrumentedQueue()
            queue.name = "downloads"
            let download = Download(from: Network())
            let show = download.then(name: "show") { $0 }
            queue.addOperations([download, show], waitUntilFinished: false)
            guard queue.isEmpty(), case .success(let text)? = show.output else {
                return .wentWrong("nothing was shown")
            }
            return .didItsJob("shown: \(text)")
        })
}

private final class HandWrittenDownload: Operation, @unchecked Sendable {
    private let answer = Shared<String?>(nil)
    private let network: Network

    var text: String? { answer.value }

    init(from network: Network) {
        self.network = network
        super.init()
        name = "download"
    }

    override func main() {
        network.get("page") { text in
            Recorder.shared.mark("the answer arrived")
            self.answer.value = text
        }
    }
}

private final class Download: OutputOperation<String>, @unchecked Sendable {
    private let network: Network

    init(from network: Network) {
        self.network = network
        super.init(name: "download")
    }

    override func main() {
        network.get("page") { text in
            Recorder.shared.mark("the answer arrived")
            self.finish(returning: text)
        }
    }
}
