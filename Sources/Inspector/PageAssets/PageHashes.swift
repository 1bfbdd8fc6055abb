/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "WPDNDrHJ0Hit7vpq80lSWyCeEOnSSlf9SWz7Ch1DWTg="
    package static let style = "l4fW0BdaMLZvWR4JU4kFzV8uCUpM9f7C/dozqrxUqck="
}
