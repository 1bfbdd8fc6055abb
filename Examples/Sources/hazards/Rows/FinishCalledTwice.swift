import Foundation
import Ops

extension HazardProgram {
    /// An operation that calls `finish()` for every chunk of data finishes with the first. Its completion is
    /// called twice, and its dependents read only a part.
    static let finishCalledTwice = HazardProgram(
        id: "finish-called-twice",
        summary: "each chunk of data calls finish(): partial data is handed on, and completed twice",
        wrong: {
            let queue = InstrumentedQueue()
            queue.name = "downloads"
            let (wasRead, read, completions) = (Gate(), Shared(""), Shared(0))
            let download = HandWrittenDownload(holding: wasRead) { completions.update { $0 += 1 } }
            let show = BlockOperation {
                read.value = download.text
                wasRead.open()
            }
            show.name = "show"
            show.addDependency(download)
            queue.addOperations([download, show], waitUntilFinished: false)
            let isTwice = queue.isEmpty() && soon { completions.value == 2 }
            return Verdict(!isTwice, "completed \(completions.value) ×; shown: \"\(read.value)\"")
        },
        right: {
            let queue = InstrumentedQueue()
            queue.name = "downloads"
            let download = TaskOperation(name: "download") {
                var text = ""
                for await chunk in chunks() { text += chunk }
                return text
            }
            let show = download.then(name: "show") { $0 }
            queue.addOperations([download, show], waitUntilFinished: false)
            guard queue.isEmpty(), case .success(let text)? = show.output else {
                return .wentWrong("nothing was shown")
            }
            return Verdict(text == "first, second", "completed once; shown: \"\(text)\"")
        })

    private static func chunks() -> AsyncStream<String> {
        AsyncStream { stream in
            receive { chunk, isLast in
                stream.yield(chunk)
                if isLast { stream.finish() }
            }
        }
    }
}

/// Two chunks arrive on a thread of the network's, the second when the gate is open.
private func receive(holding gate: Gate? = nil, _ take: @escaping @Sendable (String, Bool) -> Void) {
    Thread.detachNewThread {
        take("first", false)
        gate?.pass()
        Recorder.shared.mark("second chunk")
        take(", second", true)
    }
}

private final class HandWrittenDownload: AsyncOperation, @unchecked Sendable {
    private let data = Shared("")
    private let gate: Gate
    private let completion: @Sendable () -> Void

    var text: String { data.value }

    init(holding gate: Gate, completion: @escaping @Sendable () -> Void) {
        self.gate = gate
        self.completion = completion
        super.init("download")
    }

    override func main() {
        receive(holding: gate) { chunk, _ in
            self.data.update { $0 += chunk }
            self.finish()
        }
    }

    override func finish() {
        super.finish()
        completion()
    }
}
