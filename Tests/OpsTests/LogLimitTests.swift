import Testing

@testable import Ops

@Suite("The limit of a log, as the environment gives it")
struct LogLimitTests {
    @Test(
        "the limit is a size, and which events are kept",
        arguments: [
            ("2097152", LogLimit(bytes: 2 << 20)), ("64M", LogLimit(bytes: 64 << 20)),
            ("2G latest", LogLimit(bytes: 2 << 30, policy: .keepLatest)), ("1K", LogLimit(bytes: 1 << 20)),
            ("0", LogLimit(bytes: 1 << 20)), ("0M latest", LogLimit(bytes: 1 << 20, policy: .keepLatest)),
        ])
    func sizes(text: String, limit: LogLimit) { #expect(LogLimit(text) == limit) }

    @Test(
        "text that is not a size with a policy is no limit",
        arguments: ["", "M", "-1", "5T", "5M newest", "5M latest please", "99999999999999999999G"])
    func nonsense(text: String) { #expect(LogLimit(text) == nil) }
}
