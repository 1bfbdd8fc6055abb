import Foundation
import Inspector

/// The tables of any number of traces, in one file each. The traces are read one after the other, so that the
/// memory is that of the largest; the files get their names when all of them are whole.
struct ExportedTables {
    private let form: TraceTable.Form
    private var outputs: [(table: TraceTable, output: GrowingOutput)] = []
    /// By the identifier of a run, the file that it was read from.
    private var fileOfRun: [String: String] = [:]

    init(_ files: [(table: TraceTable, file: OutputFile)], as form: TraceTable.Form) throws {
        self.form = form
        do {
            for (table, file) in files { outputs.append((table, try file.open())) }
        } catch {
            discard()
            throw error
        }
    }

    var isEmpty: Bool { fileOfRun.isEmpty }

    /// Whoever reads them has what he wanted: no more traces are needed.
    var isUnread: Bool { outputs.allSatisfy(\.output.isUnread) }

    /// - Parameter path: what messages call the trace.
    /// - Throws: `CommandError` where the tables cannot be written.
    mutating func add(_ exported: ExportedTrace, path: String) throws {
        let identifier = exported.identifier
        if let first = fileOfRun[identifier] {
            return Console.complain("note: \(path): left out, because it duplicates the run of \(first)")
        }
        for note in TraceTable.notes(exported) { Console.complain("note: \(path): \(note)") }
        for index in outputs.indices {
            outputs[index].table.write(exported, as: form, hasHeadings: isEmpty) {
                outputs[index].output.write($0)
            }
            if let error = outputs[index].output.error { throw error }
        }
        fileOfRun[identifier] = path
    }

    /// Nothing of it can be used after that.
    ///
    /// - Throws: `CommandError` where one of the files cannot get its name.
    func finish() throws {
        for (position, (_, output)) in outputs.enumerated() {
            do {
                try output.finish()
            } catch {
                for (_, later) in outputs[(position + 1)...] { later.discard() }
                throw error
            }
        }
    }

    /// Leaves what was there before.
    func discard() {
        for (_, output) in outputs { output.discard() }
    }
}
