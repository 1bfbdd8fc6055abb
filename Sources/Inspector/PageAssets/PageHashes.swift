/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "TTXUtuUnZdHB9uI1nCq62f+it9mebTbR7oDAwKryCYg="
    package static let style = "9lzjbCpm/SyaRotVgkg77dULRLhf1dxpwa9bXUh6dpQ="
}
