import TestTraces
import Testing

@testable import InspectorRegression

@Suite struct RankTestTests {
    @Test func `without equal values, U and both p-values match SciPy's exact test`() throws {
        let vectors = try ScipyVectors.committed.get()
        #expect(vectors.exact.count > 20)
        for vector in vectors.exact { expect(vector) }
    }

    @Test func `with equal values in small samples, p-values match a count of every order`() throws {
        let vectors = try ScipyVectors.committed.get()
        #expect(vectors.tied.count > 4)
        for vector in vectors.tied { expect(vector) }
    }

    @Test
    func `in larger samples with equal values, p-values are SciPy's with correction for ties and continuity`()
        throws
    {
        let vectors = try ScipyVectors.committed.get()
        #expect(vectors.asymptotic.count > 10)
        for vector in vectors.asymptotic { expect(vector) }
    }

    private func expect(_ vector: ScipyVectors.RankTest) {
        let test = RankTest(vector.x, against: vector.y)
        #expect(test.u == vector.u)
        #expect(test.pLess.equals(vector.less), "\(test.pLess) is not \(vector.less) for \(vector)")
        #expect(
            test.pGreater.equals(vector.greater), "\(test.pGreater) is not \(vector.greater) for \(vector)")
    }

    @Test func `sides change places with their p-values`() {
        let (x, y) = ([1.0, 4, 4, 9, 12], [4.0, 5, 6, 12, 13, 20])
        let (forth, back) = (RankTest(x, against: y), RankTest(y, against: x))
        #expect(forth.pLess.equals(back.pGreater))
        #expect(forth.pGreater.equals(back.pLess))
    }

    @Test func `the smallest p-value is one in the number of orders`() {
        let test = RankTest([4, 5, 6], against: [1, 2, 3])
        #expect(test.pGreater.equals(1 / 20))
        #expect(test.pLess == 1)
    }

    @Test(arguments: [1, 2, 40])
    func `values that are all equal tell nothing`(count: Int) {
        let values = [Double](repeating: 7, count: count)
        let test = RankTest(values, against: values)
        #expect(test.pLess == 1)
        #expect(test.pGreater == 1)
    }

    @Test func `counting the ways of the largest exact samples adds up to all of them`() {
        let most = RankTest.mostExact * RankTest.mostExact
        for u in stride(from: 0, to: most, by: 97) {
            let below = RankDistribution.probability(ofAtMost: u, RankTest.mostExact, RankTest.mostExact)
            let above = RankDistribution.probability(
                ofAtMost: most - u - 1, RankTest.mostExact, RankTest.mostExact)
            #expect((below + above).equals(1))
            #expect((0...1).contains(below))
        }
    }
}
