import Foundation

/// Programs that end, but take too long; `resizing` is what they are compared with.
enum Slow {
    /// An operation adds another to its own serial queue and goes on. It does not wait for it.
    static func followUp(_ kept: Kept) {
        let queue = kept.queue("journal", limit: 1)
        queue.addOperation(
            Work("flush 1") {
                queue.addOperation(Work("write 1") { nap(0.01) })
                nap(5)
            })
    }

    /// Two slots, six long operations, and forty short ones behind them.
    static func longBeforeShort(_ kept: Kept) {
        let queue = kept.queue("media", limit: 2)
        for number in 1...6 { queue.addOperation(Work("transcode \(number)") { nap(0.3) }) }
        for number in 1...40 { queue.addOperation(Thumbnail("thumbnail \(number)") { nap(0.003) }) }
    }

    /// One operation of low priority, and always others of high priority that come later.
    static func priority(_ kept: Kept) {
        let queue = kept.queue("work", limit: 1)
        func request(_ number: Int) {
            let request = Work("request \(number)") { nap(0.03) }
            request.queuePriority = .high
            queue.addOperation(request)
        }
        for number in 1...2 { request(number) }
        let backup = Thumbnail("backup 1") { nap(0.01) }
        backup.queuePriority = .low
        queue.addOperation(backup)
        for number in 3...50 {
            request(number)
            nap(0.03)
        }
    }

    /// Operations that do nothing but sleep have all slots.
    static func sleeping(_ kept: Kept) {
        let queue = kept.queue("polite", limit: 2)
        for number in 1...10 { queue.addOperation(Work("retry \(number)") { nap(0.2) }) }
    }

    /// Each operation calculates on a thread of its own, while its own thread is free.
    static func ownThreads(_ kept: Kept) {
        let queue = kept.queue("encoder", limit: 2)
        for number in 1...12 {
            queue.addOperation(
                Work("encode \(number)") {
                    let done = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        calculate(milliseconds: 60)
                        done.signal()
                    }
                    done.wait()
                })
        }
    }

    /// Operations of one kind that calculate for these numbers of milliseconds.
    static func resizing(_ kept: Kept, work: Double) {
        let queue = kept.queue("images", limit: 2)
        for number in 1...30 {
            queue.addOperation(Work("resize \(number)") { calculate(milliseconds: work) })
        }
    }
}
