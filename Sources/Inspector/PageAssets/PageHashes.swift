/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "7PIKimBO2+BfAhI7ONpDKPUwCqr9xrq8eEwmuEh01Kg="
    package static let style = "H4EiTIXDCubhFFzsObnzlm/8rELTSBsfbO0rzih8gTE="
}
