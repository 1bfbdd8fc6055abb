/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "Gh2bpn6Uu2+jNGcXGXr3keF4DsPU1o4aUJ6l8a70kJo="
    package static let style = "nyDc2hx6gUVSyAUpYi5vZ/NOAHbIC/gDa4rzTiBiE0g="
}
