/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "bnBmXrUJEiua3JFUClcoA3bY6TqS4Q/BF4CbfY4FO3s="
    package static let style = "wIncKVkBnTiaIlimd+hccBz06Ig1kiZZ78vV6gvZQ+M="
}
