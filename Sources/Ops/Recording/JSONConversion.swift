import CRecorder
import EventLog
import Foundation

/// Converts a binary log into JSON. The file appears when it is complete.
struct JSONConversion {
    /// The descriptor through which the binary log was written. Its name may belong to another file by now.
    let descriptor: Int32
    /// The name for error messages.
    let source: String
    let target: String

    init(of descriptor: Int32, named source: String, to target: String) {
        self.descriptor = descriptor
        self.source = source
        self.target = target
    }

    func run() throws(RecorderError) {
        let bytes = try read()
        let wasHeld = recorder_hold_size_signal()
        defer { recorder_release_size_signal(wasHeld) }
        let survey = LogSurvey()
        let header = try log(bytes, into: survey).header
        // Look up closures now, while their files exist: the program may be rebuilt before somebody reads the
        // log.
        let names = survey.names()
        let temporary = "\(target).\(getpid()).tmp"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LogFile.failure(target) }
        let writer = JSONLogWriter(header) { WholeBytes.write($0, to: descriptor) }
        _ = try? log(bytes, into: names.map { NamedEvents($0, before: writer) } ?? writer)
        let isWritten = writer.finish()
        let failure = LogFile.failure(target, .writeFailed)
        close(descriptor)
        guard isWritten else {
            unlink(temporary)
            throw failure
        }
        guard rename(temporary, target) == 0 else {
            let failure = LogFile.failure(target, .writeFailed)
            unlink(temporary)
            throw failure
        }
    }

    private func read() throws(RecorderError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw LogFile.failure(source, .writeFailed) }
        let (bytes, failure) = WholeBytes.read(descriptor, at: 0, count: Int(status.st_size))
        guard failure == 0 else { throw LogFile.failure(source, .writeFailed) }
        return bytes
    }

    private func log(
        _ bytes: [UInt8], into consumer: any EventConsumer
    ) throws(RecorderError) -> ReadLog {
        do throws(BinaryLogError) {
            return try BinaryLogReader.read(bytes, into: consumer)
        } catch {
            throw RecorderError(code: .writeFailed, path: source, reason: error.reason)
        }
    }
}
