/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "1ChK3XYFjsDaDGL6w8VaHMHKFNSEwCRxZwceJfCNm3U="
    package static let style = "3yIJXqFCXa8oHG/Cyaz1zN/Yk8CAmIkjdFnE0ZqDeRY="
}
