import TestTraces
import Testing

@testable import InspectorLive

@Suite("Rates of a running program")
struct LiveRateTests {
    private let second = LiveRate.second

    @Test("rates are of the last second, of which the part before the current one is an estimate")
    func rate() {
        var rate = LiveRate()
        for time in [0, 1, 2] as [Int64] { rate.add(at: time) }
        #expect(rate.perSecond(at: second - 1) == 3, "the first is not over")
        #expect(rate.perSecond(at: second) == 3)
        rate.add(at: second + 5)
        #expect(rate.perSecond(at: second + 6) == 4 && rate.perSecond(at: 2 * second) == 1)
        #expect(rate.perSecond(at: 5 * second) == 0)
    }

    @Test("rates go back for a minute, with a zero for each second in which nothing happened")
    func history() {
        var history = LiveHistory()
        #expect(history.values(at: 0) == [])
        history.add(at: 0)
        history.add(at: 3 * second)
        history.add(at: 3 * second + 1)
        #expect(history.values(at: 5 * second) == [1, 0, 0, 2, 0])
        history.add(at: 100 * second)
        let values = history.values(at: 101 * second)
        #expect(values.count == 59 && values.last == 1 && values.reduce(0, +) == 1)
        #expect(history.values(at: 500 * second).reduce(0, +) == 0)
    }

    @Test("rates count a slightly late event in its second, and ignore a very late one")
    func late() {
        var history = LiveHistory()
        history.add(at: 90 * second)
        history.add(at: 89 * second)
        history.add(at: 0)
        #expect(history.values(at: 91 * second).suffix(2) == [1, 1])
        #expect(history.values(at: 91 * second).reduce(0, +) == 2)
    }

    @Test("rates of reading are bounded by a share of the processor")
    func pace() {
        var pace = LivePace()
        pace.begin(at: 0)
        #expect(pace.mayGoOn(after: 79_000_000) && !pace.mayGoOn(after: 81_000_000))
        pace.noteLook(took: 80_000_000, isAll: true)
        #expect(!pace.mayGoOn(after: 1))
        pace.begin(at: second / 2)
        #expect(pace.mayGoOn(after: 19_000_000) && !pace.mayGoOn(after: 21_000_000))
        #expect(!pace.isOverrun)
        for _ in 0..<4 { pace.noteLook(took: 20_000_000, isAll: false) }
        #expect(pace.isOverrun)
        pace.noteSkip()
        #expect(!pace.isOverrun)
    }

    @Test("rates leave time between screens in proportion to what one takes, and take it from reading")
    func screens() {
        var pace = LivePace()
        pace.begin(at: 0)
        #expect(pace.mayMake(.screen, at: 0) && pace.mayMake(.rules, at: 0))
        pace.note(.screen, at: 0, took: 60_000_000)
        #expect(!pace.mayMake(.screen, at: 3 * second) && pace.mayMake(.screen, at: 4 * second))
        #expect(pace.mayGoOn(after: 19_000_000) && !pace.mayGoOn(after: 21_000_000))
        pace.note(.rules, at: 0, took: 1)
        #expect(!pace.mayMake(.rules, at: second) && pace.mayMake(.rules, at: 2 * second))
    }

    @Test("rates leave time for drawing even if reading could use all of it")
    func overrun() {
        var pace = LivePace()
        pace.begin(at: 0)
        pace.noteLook(took: 10 * second, isAll: false)
        #expect(!pace.mayGoOn(after: 1) && pace.mayMake(.screen, at: 0))
    }
}
