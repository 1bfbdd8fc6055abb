/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "t8YtdUf3v8egfat1PUBr03koB0ufElQRKGnXWYhjS+0="
    package static let style = "T26RfHd1jIaQTQAJxDOTMe5PYnIe6BQUQc+O9g2nH/k="
}
