/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "xgNBBnbQf8NP85/SG09qKyO3LB0m6EV7LAXW4GoOkP4="
    package static let style = "3yIJXqFCXa8oHG/Cyaz1zN/Yk8CAmIkjdFnE0ZqDeRY="
}
