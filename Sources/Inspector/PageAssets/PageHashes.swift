/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "5IeChOstW5KRPwOQl0RKqIQDMMa4M3hNC0PwAazpMec="
    package static let style = "CpPXI/YTZcG/09BnoVhQriPaxx/qXkhgjpCIi9Xir0c="
}
