/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "i7t+PwfalRh2gyP+IsL7sp54nMDffj6RGO8+Dp0tRWM="
    package static let style = "3r/7PJ+eRTRiJ9oQPaP9Zrt5O43pCqU+JxhUAcrBR6E="
}
