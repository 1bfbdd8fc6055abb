/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "NGkHJ+4xU9ZIB99fNNIj3gaqpy88eVIN1qso0xqBX+E="
    package static let style = "1RA3PIOXV+dhqeScW7hbbTTzXCrRCfCOUUFfDuolyfM="
}
