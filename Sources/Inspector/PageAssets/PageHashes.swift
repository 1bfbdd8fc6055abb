/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "ILx8rT7o6jJcOQ+o3C33jbaG5KZdSPlbscdwrUcZRvg="
    package static let style = "5QtNbF1zpkEi9qgF5L07FnMkCOjKP2MOxFmr+4ToaBc="
}
