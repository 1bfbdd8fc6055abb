/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "Exm8EivCJ77SV6guitdzE8UmZCTChuymS0cu0gD34j8="
    package static let style = "J/uLeRgqcSZqO9tnvjs754Zz0HW1G63Gktd+/nw9nKg="
}
