/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "pFjSvATl+NsYFzLzlHmOrveKSc6/vTg34EVoPjZm6PI="
    package static let style = "0d88tK1w3SnK72CZuYz8KY5GeiXalEf5TxWkFfGKOxM="
}
