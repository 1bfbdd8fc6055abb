/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "z5kLBq5+9pmYOcBRPtY0G+Fs5xGGKgemwV5Ii3mDM28="
    package static let style = "g7KRirCe6TuMxTiR8BQ0csRQij7iQ+PYXMUp3KpnPhw="
}
