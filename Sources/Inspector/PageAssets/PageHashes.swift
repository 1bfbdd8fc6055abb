/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "3BsK3neIitKX8TnkE/Yg6oAsOjGDDSeMQ7cbx11zKgI="
    package static let style = "RJiDkvdr7KvpHsonz6kdfVq2AWvpvnC8dMDS5YuHOYI="
}
