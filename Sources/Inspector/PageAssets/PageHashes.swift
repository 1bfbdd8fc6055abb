/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "SJzX1pEEURC4umzk4x2OMxv5b5iZqX0ipAxQHNuXwBQ="
    package static let style = "mGfzDFKTUUqRTDHaJi6Jn1yHnfRpdLqd3moN9XqDrQQ="
}
