/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "dDZ9Fn9uWipfstZ49oe4erfBSez1Gi70dOA81WZQt/k="
    package static let style = "g7KRirCe6TuMxTiR8BQ0csRQij7iQ+PYXMUp3KpnPhw="
}
