import Foundation

/// Decodes a page in a fifth more time: what a check of timings has to find.
final class SlowerDecodePage: DecodePage, @unchecked Sendable {
    override func transform(_ data: Data) async throws -> SearchPage {
        let start = Self.processorTime
        let page = try await super.transform(data)
        let end = start + (Self.processorTime - start) * 6 / 5
        while Self.processorTime < end {}
        return page
    }

    /// Of this thread, in nanoseconds: what others take from it is no part of the decoding.
    private static var processorTime: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
