import Foundation
import Ops

final class Resize: Operation, @unchecked Sendable {
    override func main() { Thread.sleep(forTimeInterval: 0.004) }
}

let network = InstrumentedQueue()
let processor = InstrumentedQueue()
network.name = "network"
processor.name = "processor"
network.maxConcurrentOperationCount = 4

for number in 1...12 {
    let download = TaskOperation(name: "download \(number)", kind: "Download") {
        try await Task.sleep(for: .milliseconds(25))  // the server, without a thread that waits for it
    }
    let resize = Resize()
    resize.name = "resize \(number)"
    resize.addDependency(download)
    network.addOperation(download)
    processor.addOperation(resize)
}

processor.waitUntilAllOperationsAreFinished()
print("12 thumbnails")
