/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "dzFFKGRK+uVvezULLOhQchdLdOr3Z8ydpFTlVet3e94="
    package static let style = "KDbXCZMObi2FjHLXJCZkazdFew3kPxLV2nWef5B/Rx0="
}
