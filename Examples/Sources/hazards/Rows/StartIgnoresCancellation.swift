import Foundation
import Ops

extension HazardProgram {
    /// An overridden `start()` that does not check `isCancelled` runs cancelled work, because the queue also
    /// starts cancelled operations, so that they finish.
    static let startIgnoresCancellation = HazardProgram(
        id: "start-ignores-cancellation",
        summary: "start() does not look at isCancelled: cancelled work runs",
        wrong: {
            let paid = Shared(false)
            return run(HandWrittenPayment { paid.value = true }, paid)
        },
        right: {
            let paid = Shared(false)
            return run(Payment { paid.value = true }, paid)
        })

    private static func run(_ payment: Operation, _ paid: Shared<Bool>) -> Verdict {
        let queue = InstrumentedQueue()
        queue.name = "payments"
        payment.name = "payment"
        queue.isSuspended = true
        queue.addOperation(payment)
        payment.cancel()
        queue.isSuspended = false
        guard queue.isEmpty() else { return .wentWrong("never finished: payment") }
        return Verdict(
            !paid.value, paid.value ? "cancelled, and paid all the same" : "cancelled, and not paid")
    }
}

private final class HandWrittenPayment: AsyncOperation, @unchecked Sendable {
    private let pay: @Sendable () -> Void

    init(pay: @escaping @Sendable () -> Void) {
        self.pay = pay
        super.init("payment")
    }

    override func start() {
        state = .executing
        main()
    }

    override func main() {
        pay()
        finish()
    }
}

private final class Payment: AsynchronousOperation, @unchecked Sendable {
    private let pay: @Sendable () -> Void

    init(pay: @escaping @Sendable () -> Void) { self.pay = pay }

    override func main() {
        pay()
        finish()
    }
}
