/// The SHA-256 hashes, in base64, of the page's script and style. Browsers run and apply only these.
///
/// A test computes them again; `OPVIZ_RECORD_GOLDENS=1 swift test --filter PageHashesTests` writes this file.
package enum PageHashes {
    package static let script = "JKzD/GN7vEXk4JMO+4DNlL4+FB2RCJPlEdNMZvuX414="
    package static let style = "57JY9mh37SzRvnLBiOEu+CE0PAQPGO1WQzj3HunybQI="
}
