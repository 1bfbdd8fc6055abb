/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "3V4OTTltCAIzY00eberrhFv0spUGd/+tE51o6mqkMzw="
    package static let style = "Em8x7sj9s+k6hEpgMvV4/eAnKPF0pFw0EamOmAglxAo="
}
