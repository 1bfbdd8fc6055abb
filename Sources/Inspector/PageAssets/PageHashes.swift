/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "IyT60Wmcvs/DG5U2y6HcG1XdZIBNzbM5bvUimy7iVB4="
    package static let style = "T26RfHd1jIaQTQAJxDOTMe5PYnIe6BQUQc+O9g2nH/k="
}
