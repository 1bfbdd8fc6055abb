import CRecordHost
import Foundation

/// The environment for a program: this process's own, byte for byte and in its order, with some changes.
package struct ProgramEnvironment {
    /// `NAME=VALUE`, each followed by a zero.
    private var variables: [[CChar]] = []

    package init() {
        guard var next = record_host_environment() else { return }
        while let variable = next.pointee {
            variables.append(Array(UnsafeBufferPointer(start: variable, count: strlen(variable) + 1)))
            next += 1
        }
    }

    /// Nil removes it.
    package mutating func set(_ name: String, _ value: String?) {
        let variable = value.map { [Array("\(name)=\($0)".utf8CString)] } ?? []
        let index = index(of: name) ?? variables.endIndex
        variables.replaceSubrange(index..<min(index + 1, variables.endIndex), with: variable)
    }

    /// Puts `value` first in a list that is separated by colons.
    mutating func prepend(_ value: String, to name: String) {
        guard let index = index(of: name) else {
            set(name, value)
            return
        }
        let earlier = variables[index].dropFirst(name.utf8.count + 1)
        variables[index] = Array("\(name)=\(value):".utf8CString.dropLast()) + earlier
    }

    private func index(of name: String) -> Int? {
        let beginning = Array("\(name)=".utf8CString.dropLast())
        return variables.firstIndex { $0.starts(with: beginning) }
    }

    /// The environment as programs expect it. The caller must free each variable.
    func allocate() -> [UnsafeMutablePointer<CChar>?] { variables.map { strdup($0) } + [nil] }
}
