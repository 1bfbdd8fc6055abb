import Foundation
import Ops

/// A picture from a server, which answers after 25 ms.
final class Download: Operation, @unchecked Sendable {
    override func main() { Thread.sleep(forTimeInterval: 0.025) }
}

final class Resize: Operation, @unchecked Sendable {
    override func main() { Thread.sleep(forTimeInterval: 0.004) }
}

let network = InstrumentedQueue()  // was: OperationQueue()
let processor = InstrumentedQueue()
network.name = "network"
processor.name = "processor"
network.maxConcurrentOperationCount = 1

for number in 1...12 {
    let download = Download()
    let resize = Resize()
    download.name = "download \(number)"
    resize.name = "resize \(number)"
    resize.addDependency(download)
    network.addOperation(download)
    processor.addOperation(resize)
}

processor.waitUntilAllOperationsAreFinished()
print("12 thumbnails")
