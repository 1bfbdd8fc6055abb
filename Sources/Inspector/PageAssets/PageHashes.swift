/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "cuDDt1wP63yXp649zjNXN/u+Wtyy9FiERuTSyFjEqbc="
    package static let style = "WR16ij320LeEk/OBGyjyOUHgLcu0fZfE0kqz8uqKtDY="
}
