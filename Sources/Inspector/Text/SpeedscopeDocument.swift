/// The parts that all files for [speedscope](https://www.speedscope.app) have ([file
/// format](https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources)).
package enum SpeedscopeDocument {
    /// Everything before the first profile. Profiles name frames by their position.
    package static func begin(
        _ name: String, frames: [String], files: [String?] = [], _ bytes: inout [UInt8],
        _ emit: ([UInt8]) -> Void
    ) {
        bytes +=
            #"{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"opviz","name":"#
            .utf8
        JSONText.append(name, to: &bytes)
        bytes += #","activeProfileIndex":0,"shared":{"frames":["#.utf8
        for (index, frame) in frames.enumerated() {
            bytes += (index == 0 ? "\n{\"name\":" : ",\n{\"name\":").utf8
            JSONText.append(frame, to: &bytes)
            if index < files.count, let file = files[index] {
                bytes += ",\"file\":".utf8
                JSONText.append(file, to: &bytes)
            }
            bytes += "}".utf8
            bytes.emitPiece(emit)
        }
        bytes += "\n]},\"profiles\":[".utf8
    }

    /// A profile up to its name. What its type requires comes next, and a closing brace.
    package static func beginProfile(
        _ type: String, _ name: String, unit: String, isFirst: Bool, _ bytes: inout [UInt8]
    ) {
        bytes += "\(isFirst ? "" : ",")\n{\"type\":\"\(type)\",\"unit\":\"\(unit)\",\"name\":".utf8
        JSONText.append(name, to: &bytes)
    }

    package static func end(_ bytes: inout [UInt8]) { bytes += "\n]}\n".utf8 }
}
