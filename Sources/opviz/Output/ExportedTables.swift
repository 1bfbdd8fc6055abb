import Foundation
import Inspector

/// The tables of any number of traces, in one file each. Traces are read one at a time, so that memory is
/// needed only for the largest. The files get their names when all of them are complete.
struct ExportedTables {
    private let form: TraceTable.Form
    private var outputs: [(table: TraceTable, output: GrowingOutput)] = []
    /// The file that each run was read from, by the identifier of the run.
    private var fileOfRun: [String: String] = [:]
    /// Whether the CSV table of operations has columns for the parts of executions: if the first trace has
    /// them.
    private var hasParts: Bool?

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

    /// Whether nobody reads the outputs any more, so that no more traces are needed.
    var isUnread: Bool { outputs.allSatisfy(\.output.isUnread) }

    /// - Parameter path: the trace's name for messages.
    /// - Throws: `CommandError` if the tables cannot be written.
    mutating func add(_ exported: ExportedTrace, path: String) throws {
        let identifier = exported.identifier
        if let first = fileOfRun[identifier] {
            return Console.report("note: \(path): left out, because it duplicates the run of \(first)")
        }
        for note in TraceTable.notes(exported) { Console.report("note: \(path): \(note)") }
        if form == .csv {
            if hasParts == false, exported.hasParts {
                Console.report(
                    "note: \(path): left out: the parts of executions, because the first trace lacks them; "
                        + "--format jsonl keeps them")
            }
            hasParts = hasParts ?? exported.hasParts
        }
        for index in outputs.indices {
            outputs[index].table.write(exported, as: form, hasHeadings: isEmpty, hasParts: hasParts) {
                outputs[index].output.write($0)
            }
            if let error = outputs[index].output.error { throw error }
        }
        fileOfRun[identifier] = path
    }

    /// Completes all files. Do not use this value afterwards.
    ///
    /// - Throws: `CommandError` if one of the files cannot get its name.
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

    /// Keeps the previous files.
    func discard() {
        for (_, output) in outputs { output.discard() }
    }
}
