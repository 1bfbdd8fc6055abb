/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "u5WgBFr4fvpzJjRGxROqLhnt1LClnYf3wcoUQYxNeFs="
    package static let style = "/KeQ1+q8Z1s+G/cwHi0ZvNSft4h1bj9gZwUZM/No8V0="
}
