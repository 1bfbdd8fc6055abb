/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "uQM1GFJF8kC5WMWMYLWpu7ogxzXt6dUq5OKhBbxAJmk="
    package static let style = "kM5D927YbD83JKDA81rCZys3XF5GapI7Ht2uPXOB6so="
}
