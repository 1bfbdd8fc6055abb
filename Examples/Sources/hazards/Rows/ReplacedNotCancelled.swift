import Foundation
import Ops

extension HazardProgram {
    /// A cell that gets another image while the first is still loading has two loads. If the first is not
    /// cancelled and is slower, the cell ends with the wrong image.
    static let replacedNotCancelled = HazardProgram(
        id: "replaced-not-cancelled",
        summary: "a cell's operations are replaced but not cancelled: the old image overwrites the new",
        wrong: {
            let cell = HandWrittenCell()
            let slow = Gate()
            // Replaced while it loads: what is cancelled at its start may be either.
            let asked = Gate()
            cell.show("old image", from: Network(gate: slow, asked: asked))
            asked.pass()
            cell.show("new image", from: Network())
            _ = soon { cell.image == "the text of new image" }
            slow.open()
            return verdict(cell.image, after: cell.queue) { cell.image }
        },
        right: {
            let cell = Cell()
            let slow = Gate()
            // Replaced while it loads: what is cancelled at its start may be either.
            let asked = Gate()
            cell.show("old image", from: Network(gate: slow, asked: asked))
            asked.pass()
            cell.show("new image", from: Network())
            _ = soon { cell.image == "the text of new image" }
            slow.open()
            return verdict(cell.image, after: cell.queue) { cell.image }
        })

    private static func verdict(
        _ before: String?, after queue: OperationQueue, _ image: () -> String?
    ) -> Verdict {
        guard queue.isEmpty() else { return .wentWrong("never finished: an image") }
        let last = image() ?? "nothing"
        return Verdict(
            last == "the text of new image", "shown at first: \(before ?? "nothing"); in the end: \(last)")
    }
}

private final class HandWrittenCell: Sendable {
    let queue = InstrumentedQueue()
    private let shown = Shared<String?>(nil)
    private let load = Shared<Operation?>(nil)

    var image: String? { shown.value }

    init() { queue.name = "images" }

    func show(_ name: String, from network: Network) {
        let operation = HandWrittenLoad(name, network) { [shown] in shown.value = $0 }
        load.value = operation
        queue.addOperation(operation)
    }
}

private final class HandWrittenLoad: AsyncOperation, @unchecked Sendable {
    private let network: Network
    private let completion: @Sendable (String) -> Void

    init(_ name: String, _ network: Network, completion: @escaping @Sendable (String) -> Void) {
        self.network = network
        self.completion = completion
        super.init(name)
    }

    override func main() {
        network.get(name ?? "") { image in
            self.completion(image)
            self.finish()
        }
    }
}

private final class Cell: Sendable {
    let queue = InstrumentedQueue()
    private let shown = Shared<String?>(nil)
    private let load = Shared<Operation?>(nil)

    var image: String? { shown.value }

    init() { queue.name = "images" }

    func show(_ name: String, from network: Network) {
        let operation = TaskOperation(name: name) { await network.get(name) }
        load.value?.cancel()
        load.value = operation
        // This does not run after a cancelled load, so its image is not shown.
        let show = operation.then(name: "show \(name)") { [shown] in shown.value = $0 }
        queue.addOperations([operation, show], waitUntilFinished: false)
    }
}
